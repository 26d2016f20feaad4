import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import { MetricGroup } from '../metric-ranges/types.ts';
import type { UsagePoint, UsageSeries } from './compute-usage.ts';

const UsagePointType = builder.objectRef<UsagePoint>('UsagePoint').implement({
  description: 'Usage of one span of days.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'Its first day.' }),
    end: t.expose('end', { type: 'Date', description: 'Its last day.' }),
    isClosed: t.exposeBoolean('isClosed', {
      description: 'Whether its last day is over; events that come late are still added.',
    }),
    events: t.expose('events', { type: 'SafeInt', description: 'Usage events that happened in it.' }),
    units: t.expose('units', { type: 'SafeInt', description: 'Their units; all tokens of AI models.' }),
    lateUnits: t.expose('lateUnits', {
      type: 'SafeInt',
      description:
        'The units among them that came after their window was closed, and are billed in a later one.',
    }),
    credits: t.expose('credits', { type: 'SafeInt', description: 'Credits they took.' }),
  }),
});

export const UsageSeriesType = builder.objectRef<UsageSeries>('UsageSeries').implement({
  description: 'Usage of one feature, AI model, plan or customer, point by point.',
  fields: (t) => ({
    group: t.expose('group', {
      type: MetricGroup,
      description: 'The feature, by its code, or the AI model, plan or customer.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while more events wait to be added up than a read adds.',
    }),
    points: t.field({
      type: [UsagePointType],
      description: 'Its points, the earliest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'UsageSeries',
  'UsageSeries',
  'group { key name } isComplete points { start end isClosed events units lateUnits credits }',
);
