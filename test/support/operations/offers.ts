import { createOffer, createPricedPlan, off } from '../factories.ts';
import { noId, none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /offers': async (shop) => {
      await createOffer(shop, [off.trial(5), off.percent(4_000, 2), off.amount(500, null)]);
      return { query: { active: 'true' } };
    },
    'POST /offers': async (shop) => {
      const prices = [{ currency: 'usd', amount: 900 }];
      const phases = [
        off.trial(5),
        off.amount(500, 2),
        { type: 'fixed_price', durationCycles: 3, durationInterval: 'monthly', prices },
      ];
      return {
        body: {
          name: shop.next('offer'),
          phases,
          metadata: { a: 1 },
          startsAt: '2026-01-01T00:00:00Z',
          endsAt: null,
          active: false,
        },
      };
    },
    'GET /offers/{id}': async (shop) => ({ path: { id: (await createOffer(shop)).id } }),
    'PATCH /offers/{id}': async (shop) => ({
      path: { id: (await createOffer(shop)).id },
      body: { name: 'Renamed', phases: [off.percent(1_000, null)], active: false },
    }),
    'DELETE /offers/{id}': async (shop) => ({ path: { id: (await createOffer(shop)).id } }),
  },
  provocations: {
    'GET /offers/{id}': { offer_not_found: noId({ id: 'ofr_none' }) },
    'PATCH /offers/{id}': {
      offer_not_found: noId({ id: 'ofr_none' }, { name: 'None', phases: [off.percent(1)] }),
    },
    'DELETE /offers/{id}': { offer_not_found: noId({ id: 'ofr_none' }) },
  },
  unrouted: {
    retentionOffer: {
      because: reasons.rule,
      text: '{ retentionOffer { id name } }',
      variables: none,
    },
    retentionOfferSet: {
      because: reasons.rule,
      text: 'mutation ($input: RetentionOfferSetInput!) { retentionOfferSet(input: $input) { id name } }',
      variables: async (shop) => ({ input: { offerId: (await createOffer(shop)).id } }),
    },
    planPriceIntroductoryOfferSet: {
      because: reasons.rule,
      text: 'mutation ($input: PlanPriceIntroductoryOfferSetInput!) { planPriceIntroductoryOfferSet(input: $input) { id offerId } }',
      variables: async (shop) => {
        const [{ id, priceId }, offer] = [await createPricedPlan(shop), await createOffer(shop)];
        return { input: { planId: id, priceId, offerId: offer.id } };
      },
    },
  },
};
