import { createConsumer, createCounter } from '../consumers.ts';
import {
  createActiveSubscription,
  createCustomer,
  createFeature,
  createMarket,
  createPrice,
  createPricedPlan,
  type Shop,
} from '../factories.ts';
import { makeUntaxable } from '../taxes.ts';
import type { MakeRequest, MakeVariables, Request } from './types.ts';

/** Common reasons why root fields have no REST route. */
export const reasons = {
  live: 'A live field; REST has nothing that streams.',
  checkoutPage: 'What the checkout page calls; the contract knows the page by its address only.',
  cardPage: 'What the pages call that ask for a card; the contract knows them by their addresses only.',
  paymentLinkPage: 'What the page of a payment link calls; the contract knows it by its address only.',
  pricingPage: 'What the page of a pricing table calls; the contract has no such page.',
  rule: 'Beyond the contract, needed by a rule.',
  portalPage: 'What the portal page calls; the contract knows the page by its address only.',
  claimPage: 'What the claim page calls.',
  commandLine: 'Called by the command line.',
  members: 'People are managed by people, on dashboards.',
  more: 'Beyond the contract, wanted by dashboards.',
} as const;

/**
 * Returns a function that creates objects once per organization. Several rejected requests can use the same objects, because they change
 * nothing.
 */
export function perShop<T>(make: (shop: Shop) => Promise<T>): (shop: Shop) => Promise<T> {
  const made = new WeakMap<Shop, Promise<T>>();
  return (shop) => made.getOrInsertComputed(shop, () => make(shop));
}

export const withPrice = async (shop: Shop) => {
  const plan = await createPricedPlan(shop);
  return { id: plan.id, priceId: plan.priceId };
};

export const noId =
  (path: Readonly<Record<string, string>>, body?: Request['body']): MakeRequest =>
  async () => ({ path, ...(body === undefined ? {} : { body }) });

export const noSlowGateway = {
  because: 'The sandbox gateway answers immediately; a charge stays open with a remote processor only.',
};

export const noPortal = { because: 'Only the portal hides plans; provoked in the tests of the portal.' };

/** Creates a customer whose tax can't be calculated. */
export const createUntaxable = async (shop: Shop): Promise<string> =>
  makeUntaxable(shop, (await createCustomer(shop)).id);

/** Changes a subscription's customer so that tax can't be calculated. Returns a request for that subscription. */
export async function untaxed(
  shop: Shop,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<Request> {
  await makeUntaxable(shop, customerId);
  return { path: { id } };
}

/** Returns a request for a canceled subscription. */
export const canceled = perShop(async (shop): Promise<Request> => {
  const { id } = await createActiveSubscription(shop);
  await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  return { path: { id } };
});

/** Returns a request for a subscription with a scheduled cancellation. */
export const scheduled = perShop(async (shop): Promise<Request> => {
  const { id } = await createActiveSubscription(shop);
  await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
  return { path: { id } };
});

/** Returns a customer without a subscription. */
export const unsubscribed = perShop(createCustomer);

/** Returns a customer with a feature of which no unit is in use. */
export const unused = {
  seats: perShop((shop) => createCounter(shop, 'seats')),
  quota: perShop((shop) => createCounter(shop, 'quota')),
} as const;

/** Returns a customer whose plan contains the feature, but doesn't enable it. */
const disabled = {
  seats: perShop((shop) => createCounter(shop, 'seats', { enabled: false })),
  quota: perShop((shop) => createCounter(shop, 'quota', { enabled: false })),
} as const;

/** Returns a customer with a feature without included or purchasable units. */
const unavailable = {
  seats: perShop((shop) => createCounter(shop, 'seats', { includedAmount: 0, overage: { enabled: false } })),
  quota: perShop((shop) => createCounter(shop, 'quota', { includedAmount: 0, overage: { enabled: false } })),
} as const;

/**
 * Creates a plan with a market price. If `overridden` is true, adds a price variant that overrides the market
 * price.
 */
export async function marketPriced(shop: Shop, overridden: boolean) {
  const market = await createMarket(shop);
  const plan = await createPricedPlan(shop, {
    marketPrices: [{ marketGroupId: market.id, currency: 'eur', price: 100 }],
  });
  const body = { price: undefined, inheritsFromPriceId: plan.priceId };
  const marketPrices = [{ marketGroupId: market.id, currency: 'eur', price: 90 }];
  if (overridden) await createPrice(shop, plan.id, { ...body, marketPrices });
  return { marketId: market.id, id: plan.id, priceId: plan.priceId };
}

/** Subscribes a customer who has never paid to a free plan. Returns the subscription's ID. */
export const freeOn = async (shop: Shop, consumptionModel: string): Promise<string> =>
  (await createConsumer(shop, { plan: { isFree: true, consumptionModel }, terms: {}, type: 'seats' }))
    .subscriptionId;

/** Function that builds a request for a customer and a feature. */
export type Naming = (customerId: string, featureCode: string) => Request;

export const inQuery: Naming = (customerId, featureCode) => ({ query: { customerId, featureCode } });

export const inBody: Naming = (customerId, featureCode) => ({ body: { customerId, featureCode, count: 1 } });

/** Returns the rejections shared by all operations on a customer's seats or quota units. */
export const counterRejections = (type: 'seats' | 'quota', naming: Naming) => ({
  customer_not_found: async () => naming('cus_none', 'none'),
  no_active_subscription: async (shop: Shop) => naming((await unsubscribed(shop)).id, 'none'),
  feature_not_found: async (shop: Shop) => naming((await unused[type](shop)).customerId, 'none'),
});

/** Returns the rejections shared by all operations that change a customer's number of seats or quota units. */
export const countRejections = (type: 'seats' | 'quota', naming: Naming) => ({
  ...counterRejections(type, naming),
  feature_not_in_plan: async (shop: Shop) =>
    naming((await unused[type](shop)).customerId, (await createFeature(shop, type)).code),
  feature_disabled: async (shop: Shop) => {
    const { customerId, feature } = await disabled[type](shop);
    return naming(customerId, feature.code);
  },
});

/** Returns a request that sets the number of units to 1 for a feature without included or purchasable units. */
export const overLimit =
  (type: 'seats' | 'quota', naming: Naming): MakeRequest =>
  async (shop) => {
    const { customerId, feature } = await unavailable[type](shop);
    return naming(customerId, feature.code);
  };

export const none: MakeVariables = async () => ({});
