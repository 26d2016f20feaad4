import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { MetricGroup } from '../ranges/types.ts';
import type { UsagePoint, UsageSeries } from './compute-usage.ts';

const UsagePointType = builder.objectRef<UsagePoint>('UsagePoint').implement({
  description: 'Usage in one interval.',
  fields: (t) => ({
    start: t.member('start', 'Date').describe('First day of the interval.'),
    end: t.member('end', 'Date').describe('Last day of the interval.'),
    isClosed: t
      .member('isClosed', 'Boolean')
      .describe('Whether the last day of the interval has ended. Late events are still added.'),
    events: t.member('events', 'SafeInt').describe('Number of usage events in the interval.'),
    units: t
      .member('units', 'SafeInt')
      .describe('Number of units used. For AI models, the number of tokens.'),
    lateUnits: t
      .member('lateUnits', 'SafeInt')
      .describe(
        'Number of units from events that arrived after their usage window closed. Billed in a later usage window.',
      ),
    credits: t.member('credits', 'SafeInt').describe('Number of credits deducted for the usage.'),
  }),
});

export const UsageSeriesType = builder.objectRef<UsageSeries>('UsageSeries').implement({
  description: 'Usage of one feature, AI model, plan, or customer over time.',
  fields: (t) => ({
    group: t.member('group', MetricGroup).describe('Group of the series. Features are identified by code.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        'Whether the series includes all events. `false` if too many events are waiting to be summed.',
      ),
    points: t.member('points', [UsagePointType]).describe('Points of the series, earliest first.'),
  }),
});

restView(
  'UsageSeries',
  'UsageSeries',
  'group { key name } isComplete points { start end isClosed events units lateUnits credits }',
);
