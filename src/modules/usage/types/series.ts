import { builder } from '../../../graphql/builder.ts';
import type { UsageSpan } from '../store.ts';

export const UsageGranularity = builder.enumType('UsageGranularity', {
  description: 'How finely usage is summed up.',
  values: {
    hour: { description: 'By hours.' },
    day: { description: 'By UTC days.' },
    month: { description: 'By calendar months.' },
  },
});

export const UsageSpanType = builder.objectRef<UsageSpan>('UsageSpan').implement({
  description: 'What was consumed in a span of time, by the times of the events themselves.',
  fields: (t) => ({
    start: t.expose('start', {
      type: 'DateTime',
      description: 'Its start, inclusive; it lasts as long as the granularity says.',
    }),
    value: t.expose('value', { type: 'SafeInt', description: 'Units, or tokens of AI models.' }),
    events: t.expose('events', { type: 'SafeInt', description: 'How many events.' }),
  }),
});
