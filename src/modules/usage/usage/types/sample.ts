import { builder } from '../../../../graphql/reading/builder.ts';
import type { UsageSample } from '../collect.ts';
import { UsageEvent } from './usage.ts';

export const UsageSampleType = builder.objectRef<UsageSample>('UsageSample').implement({
  description: 'Sample of the usage events recorded within half a second.',
  fields: (t) => ({
    events: t
      .member('events', [UsageEvent])
      .describe('First events of the sample, up to 10, in the order in which they were recorded.'),
    omitted: t
      .member('omitted', 'Int')
      .describe("Number of further events that match the filter and aren't in `events`."),
    toPosition: t
      .member('toPosition', 'SafeInt')
      .describe(
        'Position of the last event that the sample covers. To resume, pass this value as `afterPosition`.',
      ),
  }),
});
