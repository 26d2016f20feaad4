import { createBalanceConsumer, createCreditsConsumer, createUnratedConsumer } from '../consumers.ts';
import { cards, createCreditPack, type Shop } from '../factories.ts';
import { makeUntaxable } from '../taxes.ts';
import { canceled, freeOn, noId, noSlowGateway, untaxed } from './shared.ts';
import type { ModuleOperations, Request } from './types.ts';

/** Returns a request to purchase a new credit pack. */
const pack = async (shop: Shop, id: string): Promise<Request> => ({
  path: { id },
  body: { creditPackId: (await createCreditPack(shop)).id },
});

export const operations: ModuleOperations = {
  requests: {
    'POST /subscriptions/{id}/balance/topup': async (shop) => ({
      path: { id: (await createBalanceConsumer(shop)).subscriptionId },
      body: { amount: 2_500 },
    }),
    'POST /subscriptions/{id}/credits': async (shop) => ({
      path: { id: (await createCreditsConsumer(shop)).subscriptionId },
      body: { creditPackId: (await createCreditPack(shop)).id },
    }),
  },
  provocations: {
    'POST /subscriptions/{id}/balance/topup': {
      subscription_not_found: noId({ id: 'sub_none' }, { amount: 1 }),
      subscription_not_active: async (shop) => ({ ...(await canceled(shop)), body: { amount: 1 } }),
      no_payment_method: async (shop) => ({
        path: { id: await freeOn(shop, 'balance') },
        body: { amount: 100 },
      }),
      charge_in_progress: noSlowGateway,
      charge_failed: async (shop) => ({
        path: { id: (await createBalanceConsumer(shop, 0, true, cards.declinesLater)).subscriptionId },
        body: { amount: 100 },
      }),
      payment_failed: async (shop) => {
        const { subscriptionId: id, customerId } = await createBalanceConsumer(shop, 0);
        return { ...(await untaxed(shop, { id, customerId })), body: { amount: 100 } };
      },
    },
    'POST /subscriptions/{id}/credits': {
      subscription_not_found: noId({ id: 'sub_none' }, { creditPackId: 'cpk_none' }),
      subscription_not_active: async (shop) => ({
        ...(await canceled(shop)),
        body: { creditPackId: 'cpk_none' },
      }),
      credit_pack_not_found: async (shop) => ({
        path: { id: (await createCreditsConsumer(shop)).subscriptionId },
        body: { creditPackId: 'cpk_none' },
      }),
      missing_regional_price: async (shop) =>
        pack(
          shop,
          (await createUnratedConsumer(shop, { consumptionModel: 'credits' }, { creditsPerUnit: 7 }))
            .subscriptionId,
        ),
      no_payment_method: async (shop) => pack(shop, await freeOn(shop, 'credits')),
      charge_in_progress: noSlowGateway,
      charge_failed: async (shop) =>
        pack(shop, (await createCreditsConsumer(shop, 0, 7, cards.declinesLater)).subscriptionId),
      payment_failed: async (shop) => {
        const { subscriptionId: id, customerId } = await createCreditsConsumer(shop);
        await makeUntaxable(shop, customerId);
        return pack(shop, id);
      },
    },
  },
};
