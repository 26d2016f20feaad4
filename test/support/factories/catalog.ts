import { nextCountry } from './countries.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';

export type MadeFeature = Made & { readonly code: string; readonly name: string };

export type MadeAddon = Made & { readonly slug: string; readonly name: string; readonly featureCode: string };

export type MadeMarket = Made & { readonly countryCodes: readonly string[] };

export type MadeCreditPack = Made & { readonly name: string };

export type MadePlan = Made & { readonly code: string };

export function createFeature(shop: Shop, type = 'seats'): Promise<MadeFeature> {
  const code = shop.next('feature');
  return made(shop.rest<MadeFeature>('POST', '/features', { name: `Name of ${code}`, code, type }));
}

/** Creates a boolean add-on, by default for 9.00 USD and with a new boolean feature. */
export async function createAddon(shop: Shop, body: Body = {}): Promise<MadeAddon> {
  const featureId = body['featureId'] ?? (await createFeature(shop, 'boolean')).id;
  const terms = { name: shop.next('addon'), basePrice: 900, featureId, consumptionModel: 'boolean' };
  return made(shop.rest<MadeAddon>('POST', '/addons', { ...terms, ...body }));
}

/** Creates a rate card for the dimension `model`. */
export const createRateCard = (shop: Shop): Promise<Made & { readonly code: string }> =>
  made(
    shop.rest<Made & { code: string }>('POST', '/rate-cards', {
      code: shop.next('card'),
      name: 'AI models',
      cells: [{ when: { model: ['large'] }, rate: { amount: '0.0120' } }],
    }),
  );

/** Creates an active credit pack of 1,000 credits for 25.00 USD. */
export const createCreditPack = (shop: Shop): Promise<MadeCreditPack> =>
  made(
    shop.rest<MadeCreditPack>('POST', '/credit-packs', {
      name: shop.next('pack'),
      credits: 1_000,
      price: 2_500,
    }),
  );

/** Creates a market, by default with one country that isn't used elsewhere in the organization. */
export function createMarket(shop: Shop, countryCodes?: readonly string[]): Promise<MadeMarket> {
  const name = shop.next('market');
  return made(
    shop.rest<MadeMarket>('POST', '/markets', { name, countryCodes: countryCodes ?? [nextCountry(shop)] }),
  );
}

/** Adds a currency with an exchange rate to a plan. */
export const setCurrency = (
  shop: Shop,
  planId: string,
  currency: string,
  exchangeRate: number,
  body: Body = {},
): Promise<Body> => made(shop.rest('PUT', `/plans/${planId}/regional`, { currency, exchangeRate, ...body }));

export function createPlan(shop: Shop, body: Body = {}): Promise<MadePlan> {
  const code = shop.next('plan');
  return made(shop.rest<MadePlan>('POST', '/plans', { name: `Name of ${code}`, code, ...body }));
}

/** Creates a group of `size` new plans, in ascending rank. */
export async function createPlanGroup(
  shop: Shop,
  size = 0,
): Promise<Made & { readonly planIds: readonly string[] }> {
  const { id } = await made(shop.rest<Made>('POST', '/plan-groups', { name: shop.next('group') }));
  const planIds: string[] = [];
  for (let count = 0; count < size; count++) planIds.push((await createPlan(shop, { planGroupId: id })).id);
  return { id, planIds };
}

/** Creates a price, by default for 49.00 a month. */
export const createPrice = (shop: Shop, planId: string, body: Body = {}): Promise<Made> =>
  made(
    shop.rest<Made>('POST', `/plans/${planId}/prices`, { billingInterval: 'monthly', price: 4900, ...body }),
  );

export async function createPricedPlan(
  shop: Shop,
  price: Body = {},
): Promise<MadePlan & { readonly priceId: string }> {
  const plan = await createPlan(shop);
  const { id } = await createPrice(shop, plan.id, price);
  return { ...plan, priceId: id };
}

/**
 * Plans in one group: `lowId` costs 34.00 a month or 336.00 a year, `highId` costs 118.00 a month or 1,180.00 a year, and `freeId` is free.
 */
export type MadeLadder = { readonly lowId: string; readonly highId: string; readonly freeId: string };

export async function createLadder(shop: Shop): Promise<MadeLadder> {
  const { id: planGroupId } = await createPlanGroup(shop);
  const sell = async (monthly: number, yearly: number): Promise<string> => {
    const { id } = await createPlan(shop, { planGroupId });
    await createPrice(shop, id, { price: monthly });
    await createPrice(shop, id, { billingInterval: 'yearly', price: yearly });
    return id;
  };
  const [lowId, highId] = [await sell(3_400, 33_600), await sell(11_800, 118_000)];
  return { lowId, highId, freeId: (await createPlan(shop, { planGroupId, isFree: true })).id };
}

export const attachFeature = (
  shop: Shop,
  planId: string,
  featureId: string,
  body: Body = {},
): Promise<Body> =>
  made(shop.rest('POST', `/plans/${planId}/features`, { featureId, enabled: true, ...body }));
