import { builder } from '../../../graphql/reading/builder.ts';
import { MetricInterval } from './enums.ts';

/** Arguments for the date range of a series (inclusive) and the interval of its points. */
export const rangeArgs = builder.args((t) => ({
  from: t.field({ type: 'Date', required: true, description: 'First day to include.' }),
  to: t.field({
    type: 'Date',
    required: true,
    description:
      'Last day to include. Can be in the future. Fails with `validation_error` if `to` is before `from`.',
  }),
  interval: t.field({
    type: MetricInterval,
    description:
      'Length of time that each point covers. The first and last points cover less if the date range starts or ends within an interval. Defaults to `day`.',
  }),
}));

export type Group = { readonly key: string; readonly name: string };

export const MetricGroup = builder.objectRef<Group>('MetricGroup').implement({
  description: 'Group of a series, such as a plan or country.',
  fields: (t) => ({
    key: t
      .member('key', 'String')
      .describe(
        'ID, code, or name of the group. Empty if the dimension has no value. `other` for the group that combines all smaller groups.',
      ),
    name: t.member('name', 'String').describe('Display name of the group.'),
  }),
});
