import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { MetricGroup } from '../ranges/types.ts';
import type { UsagePoint, UsageSeries } from './compute-usage.ts';

const UsagePointType = builder.objectRef<UsagePoint>('UsagePoint').implement({
  description: 'Usage in one interval.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'First day of the interval.' }),
    end: t.expose('end', { type: 'Date', description: 'Last day of the interval.' }),
    isClosed: t.exposeBoolean('isClosed', {
      description: 'Whether the last day of the interval has ended. Late events are still added.',
    }),
    events: t.expose('events', { type: 'SafeInt', description: 'Number of usage events in the interval.' }),
    units: t.expose('units', {
      type: 'SafeInt',
      description: 'Units of the events. For AI models, all tokens.',
    }),
    lateUnits: t.expose('lateUnits', {
      type: 'SafeInt',
      description: 'Units of events that arrived after their usage window closed. Billed in a later window.',
    }),
    credits: t.expose('credits', { type: 'SafeInt', description: 'Credits deducted for the events.' }),
  }),
});

export const UsageSeriesType = builder.objectRef<UsageSeries>('UsageSeries').implement({
  description: 'Usage of one feature, AI model, plan, or customer over time.',
  fields: (t) => ({
    group: t.expose('group', {
      type: MetricGroup,
      description: 'Group of the series. Features are identified by code.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        'Whether the series includes all events. `false` if too many events are waiting to be summed.',
    }),
    points: t.field({
      type: [UsagePointType],
      description: 'Points of the series, earliest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'UsageSeries',
  'UsageSeries',
  'group { key name } isComplete points { start end isClosed events units lateUnits credits }',
);
