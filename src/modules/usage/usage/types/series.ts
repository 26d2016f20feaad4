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
  description: 'Usage in one interval, by the time of the events.',
  fields: (t) => ({
    start: t.expose('start', {
      type: 'DateTime',
      description: 'Start of the interval, inclusive.',
    }),
    value: t.expose('value', { type: 'SafeInt', description: 'Units used. For AI models, tokens.' }),
    events: t.expose('events', { type: 'SafeInt', description: 'Number of events.' }),
  }),
});
