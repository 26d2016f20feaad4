import { builder } from '../../../../graphql/reading/builder.ts';
import type { UsageSpan } from '../store.ts';

export const UsageGranularity = builder.enumType('UsageGranularity', {
  description: 'Length of the intervals for which usage is summed.',
  values: {
    hour: { description: 'Hourly intervals.' },
    day: { description: 'Daily intervals, in UTC.' },
    month: { description: 'Monthly intervals, by calendar month in UTC.' },
  },
});

export const UsageSpanType = builder.objectRef<UsageSpan>('UsageSpan').implement({
  description: 'Usage in one interval. The time of an event determines its interval.',
  fields: (t) => ({
    start: t.member('start', 'DateTime').describe('Start of the interval, inclusive.'),
    value: t
      .member('value', 'SafeInt')
      .describe('Units used in the interval. For AI models, the number of tokens.'),
    events: t.member('events', 'SafeInt').describe('Number of usage events in the interval.'),
  }),
});
