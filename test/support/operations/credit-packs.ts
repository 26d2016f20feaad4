import { createCreditPack } from '../factories.ts';
import { noId } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /credit-packs': async (shop) => {
      await createCreditPack(shop);
      return {};
    },
    'POST /credit-packs': async (shop) => ({
      body: {
        name: shop.next('pack'),
        credits: 1_000,
        price: 2_500,
        description: 'For a busy week.',
        isActive: true,
      },
    }),
    'PATCH /credit-packs/{id}': async (shop) => ({
      path: { id: (await createCreditPack(shop)).id },
      body: { price: 2_900 },
    }),
    'DELETE /credit-packs/{id}': async (shop) => ({ path: { id: (await createCreditPack(shop)).id } }),
  },
  provocations: {
    'POST /credit-packs': {
      duplicate: async (shop) => ({
        body: { name: (await createCreditPack(shop)).name, credits: 5, price: 100 },
      }),
    },
    'PATCH /credit-packs/{id}': {
      credit_pack_not_found: noId({ id: 'cpk_none' }, { isActive: false }),
      duplicate: async (shop) => {
        const [pack, other] = [await createCreditPack(shop), await createCreditPack(shop)];
        return { path: { id: pack.id }, body: { name: other.name } };
      },
    },
    'DELETE /credit-packs/{id}': { credit_pack_not_found: noId({ id: 'cpk_none' }) },
  },
};
