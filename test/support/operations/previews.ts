import { createActiveSubscription } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    subscriptionPreview: {
      because: reasons.rule,
      text: 'query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) { rejection { code } invoices { total lineItems { amount } } events subscription { status } } }',
      variables: async (shop) => ({ command: { cancel: { id: (await createActiveSubscription(shop)).id } } }),
    },
    subscriptionForecast: {
      because: reasons.rule,
      text: 'query ($id: ID!) { subscriptionForecast(id: $id, months: 2) { until invoices { total status } totals { currency invoiced } } }',
      variables: async (shop) => ({ id: (await createActiveSubscription(shop)).id }),
    },
  },
};
