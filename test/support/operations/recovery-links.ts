import { createActiveSubscription, createPastDueSubscription } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /subscriptions/{id}/recovery-links': async (shop) => ({
      path: { id: (await createPastDueSubscription(shop)).id },
    }),
  },
  provocations: {
    'POST /subscriptions/{id}/recovery-links': {
      subscription_not_found: noId({ id: 'sub_none' }),
      invalid_subscription_status: async (shop) => ({
        path: { id: (await createActiveSubscription(shop)).id },
      }),
      no_outstanding_invoice: {
        because: 'A past-due subscription always has the invoice it is past due over.',
      },
    },
  },
};
