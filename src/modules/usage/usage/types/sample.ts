import { builder } from '../../../../graphql/reading/builder.ts';
import type { UsageSample } from '../collect.ts';
import { UsageEvent } from './usage.ts';

export const UsageSampleType = builder.objectRef<UsageSample>('UsageSample').implement({
  description: 'Usage events that were recorded within half a second.',
  fields: (t) => ({
    events: t.field({
      type: [UsageEvent],
      description: 'First events of the sample, up to 10, in the order in which they were recorded.',
      resolve: ({ events }) => [...events],
    }),
    omitted: t.expose('omitted', {
      type: 'Int',
      description: "Number of further events that match the filter and aren't in `events`.",
    }),
    toPosition: t.expose('toPosition', {
      type: 'SafeInt',
      description: 'Position of the last event that the sample covers. Pass it as `afterPosition` to resume.',
    }),
  }),
});
