import { builder } from '../../../graphql/builder.ts';
import type { UsageSample } from '../collect.ts';
import { UsageEvent } from './usage.ts';

export const UsageSampleType = builder.objectRef<UsageSample>('UsageSample').implement({
  description: 'Usage that was recorded in half a second.',
  fields: (t) => ({
    events: t.field({
      type: [UsageEvent],
      description: 'The first events, at most 10, in the order in which they were recorded.',
      resolve: ({ events }) => [...events],
    }),
    leftOut: t.expose('leftOut', {
      type: 'Int',
      description: 'How many more there were of what is followed.',
    }),
    toPosition: t.expose('toPosition', {
      type: 'SafeInt',
      description: 'Position of the last event it covers, to resume after.',
    }),
  }),
});
