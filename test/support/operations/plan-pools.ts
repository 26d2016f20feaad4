import { createPlan, type Shop } from '../factories.ts';
import type { ModuleOperations } from './types.ts';

/** Creates a custom unit. Returns its code. */
export async function createAsset(shop: Shop): Promise<string> {
  const code = shop.next('unit');
  await shop.rest('POST', '/assets', { code, name: `Name of ${code}` });
  return code;
}

/** Creates a plan with a pool of a new custom unit. */
async function pooled(shop: Shop): Promise<{ readonly id: string; readonly asset: string }> {
  const [{ id }, asset] = [await createPlan(shop, {}), await createAsset(shop)];
  await shop.rest('PUT', `/plans/${id}/pools/${asset}`, {});
  return { id, asset };
}

export const operations: ModuleOperations = {
  requests: {
    'GET /assets': async () => ({}),
    'POST /assets': async (shop) => {
      const code = shop.next('unit');
      return { body: { code, name: `Name of ${code}`, symbol: 'u', decimals: 3 } };
    },
    'GET /assets/{code}': async (shop) => ({ path: { code: await createAsset(shop) } }),
    'PATCH /assets/{code}': async (shop) => ({
      path: { code: await createAsset(shop) },
      body: { name: 'GPU time' },
    }),
    'DELETE /assets/{code}': async (shop) => ({ path: { code: await createAsset(shop) } }),
    'DELETE /plans/{id}/pools/{asset}': async (shop) => ({ path: await pooled(shop) }),
    'PUT /plans/{id}/pools/{asset}': async (shop) => {
      const { id } = await createPlan(shop, { consumptionModel: 'balance' });
      const price = { billingInterval: 'monthly', price: 2_900, includedBalance: 100_000 };
      await shop.rest('POST', `/plans/${id}/prices`, price);
      return {
        path: { id, asset: 'usd' },
        body: { onEmpty: 'reject', rollover: { windows: 2, cap: 15_000_000 } },
      };
    },
  },
  provocations: {},
};
