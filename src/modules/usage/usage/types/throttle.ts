import type { Throttle } from '../../../../domain/limits/throttle.ts';
import { builder } from '../../../../graphql/reading/builder.ts';

export const UsageThrottle = builder.objectRef<Throttle>('UsageThrottle').implement({
  description: 'Delay that slows usage down to an even pace through the window of a limit.',
  fields: (t) => ({
    limitId: t.member('limitId', 'ID').describe('ID of the limit.'),
    delayMs: t
      .member('delayMs', 'Int')
      .describe('Time to wait before the next usage, in milliseconds. From 0 to 60,000.'),
  }),
});
