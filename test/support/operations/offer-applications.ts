import { createActiveSubscription, createOffer, createSubscription, off } from '../factories.ts';
import { canceled, noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'PUT /subscriptions/{id}/offer': async (shop) => ({
      path: { id: (await createSubscription(shop)).id },
      body: { offerId: (await createOffer(shop)).id, expiresAt: '2200-01-01T00:00:00.000Z' },
    }),
    'DELETE /subscriptions/{id}/offer': async (shop) => {
      const { id } = await createSubscription(shop);
      await shop.rest('PUT', `/subscriptions/${id}/offer`, { offerId: (await createOffer(shop)).id });
      return { path: { id } };
    },
  },
  provocations: {
    'PUT /subscriptions/{id}/offer': {
      subscription_not_found: noId({ id: 'sub_none' }, { offerId: 'ofr_none' }),
      offer_not_found: async (shop) => ({
        path: { id: (await createActiveSubscription(shop)).id },
        body: { offerId: 'ofr_none' },
      }),
      offer_not_applicable: async (shop) => ({
        path: { id: (await createActiveSubscription(shop)).id },
        body: { offerId: (await createOffer(shop, [off.trial(5)])).id },
      }),
      invalid_subscription_status: async (shop) => ({
        ...(await canceled(shop)),
        body: { offerId: (await createOffer(shop)).id },
      }),
    },
    'DELETE /subscriptions/{id}/offer': {
      subscription_not_found: noId({ id: 'sub_none' }),
      offer_not_found: async (shop) => ({ path: { id: (await createSubscription(shop)).id } }),
      invalid_subscription_status: canceled,
    },
  },
};
