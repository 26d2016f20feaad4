import { createCustomer } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    events: {
      because: reasons.more,
      text: '{ events(first: 5) { edges { node { id event data } } } }',
      variables: async (shop) => {
        await createCustomer(shop);
        return {};
      },
    },
    eventStream: {
      because: reasons.live,
      text: 'subscription { eventStream(afterPosition: 0) { id event } }',
      variables: none,
    },
    eventDigest: {
      because: reasons.live,
      text: 'subscription { eventDigest(everyMs: 100, afterPosition: 0) { toPosition counts { event count } customerIds } }',
      variables: none,
    },
  },
};
