import { builder } from '../../graphql/builder.ts';
import { MetricInterval } from './enums.ts';

/** The days of a series, `from` and `to` included, and the span of its points. */
export const rangeArgs = builder.args((t) => ({
  from: t.field({ type: 'Date', required: true, description: 'The first day.' }),
  to: t.field({
    type: 'Date',
    required: true,
    description: 'The last day; may lie ahead. A range that ends before it begins is a `validation_error`.',
  }),
  interval: t.field({
    type: MetricInterval,
    description:
      'The span of a point. The first and the last point are shorter where the range begins or ends inside one. Defaults to days.',
  }),
}));

/** What points of a series have in common. */
export type Group = { readonly key: string; readonly name: string };

export const MetricGroup = builder.objectRef<Group>('MetricGroup').implement({
  description: 'What a series is about where it is one of several.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description:
        'The id, code or name it is grouped by; empty where there is none, `other` for the smaller groups together.',
    }),
    name: t.exposeString('name', { description: 'What it is called.' }),
  }),
});
