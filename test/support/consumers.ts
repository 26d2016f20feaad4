import { saveModelPrices } from '../../src/modules/catalog/ai-models/store.ts';
import {
  attachFeature,
  cards,
  createCustomer,
  createFeature,
  createMarket,
  createPlan,
  createPrice,
  type MadeFeature,
  pay,
  type Shop,
  subscribeTo,
} from './factories.ts';

// A consumer is a customer with an active subscription to a plan with one feature.

type Body = Readonly<Record<string, unknown>>;

export type Consumer = {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly planId: string;
  readonly feature: MadeFeature;
};

/** Values that override the defaults. By default, the plan is a metered plan for 49.00 a month with 1,000 included units and no overage. */
export type ConsumerOptions = {
  readonly plan?: Body;
  readonly price?: Body;
  readonly terms?: Body;
  /** Rate of the feature, which replaces the unit price in `terms`. */
  readonly rate?: Body;
  /** Meter of the feature. */
  readonly meter?: Body;
  readonly type?: string;
  readonly country?: string | undefined;
  /** Number of the card with which the customer pays the checkout. */
  readonly card?: string;
};

/** Sets the rate of a plan's feature. */
export async function setRate(shop: Shop, planId: string, featureId: string, rate: Body): Promise<void> {
  const { status, body } = await shop.rest('PUT', `/plans/${planId}/features/${featureId}/rate`, { rate });
  if (status !== 200) throw new Error(`The rate was rejected: ${JSON.stringify(body)}`);
}

/** Sets the meter of a feature. */
export async function setMeter(shop: Shop, code: string, meter: Body): Promise<void> {
  const { status, body } = await shop.rest('PUT', `/features/${code}/meter`, meter);
  if (status !== 200) throw new Error(`The meter was rejected: ${JSON.stringify(body)}`);
}

export async function createConsumer(
  shop: Shop,
  {
    plan = {},
    price = {},
    terms = { includedAmount: 1_000 },
    rate,
    meter,
    type = 'usage',
    country,
    card,
  }: ConsumerOptions = {},
): Promise<Consumer> {
  const feature = await createFeature(shop, type);
  if (meter !== undefined) await setMeter(shop, feature.code, meter);
  const { id: planId } = await createPlan(shop, plan);
  await attachFeature(shop, planId, feature.id, terms);
  if (rate !== undefined) await setRate(shop, planId, feature.id, rate);
  if (plan['isFree'] !== true) await createPrice(shop, planId, price);
  const { id: customerId } = await createCustomer(shop, country);
  const subscription = await subscribeTo(shop, customerId, planId);
  if (subscription.token !== null) await pay(shop, subscription.token, card);
  return { customerId, subscriptionId: subscription.id, planId, feature };
}

/** Creates a consumer of a credits plan, by default with 640 credits a month and 7 credits per unit. */
export const createCreditsConsumer = (
  shop: Shop,
  includedCredits = 640,
  creditsPerUnit = 7,
  card: string = cards.pays,
): Promise<Consumer> =>
  createConsumer(shop, {
    plan: { consumptionModel: 'credits' },
    price: { includedCredits },
    terms: { creditsPerUnit },
    card,
  });

/** Creates a consumer of a balance plan, by default with 42.00 a month and 0.005 per unit. */
export const createBalanceConsumer = (
  shop: Shop,
  includedBalance = 420_000,
  blockOnExhaustion = true,
  card: string = cards.pays,
): Promise<Consumer> =>
  createConsumer(shop, {
    plan: { consumptionModel: 'balance', blockOnExhaustion },
    price: { includedBalance },
    terms: { pricingMode: 'fixed', overage: { unitPrice: 50 } },
    card,
  });

/**
 * Replaces the catalog of AI models with a single model. Prices per million tokens: 2.15 for input, 8.60 for output, 0.215 for cache reads,
 * 2.6875 for cache writes. Returns the model's ID.
 */
export async function listModel(shop: Shop): Promise<string> {
  const model = { id: 'acme/large', provider: 'acme', name: 'large' };
  const prices = { input: 2_150_000n, output: 8_600_000n, cache_read: 215_000n, cache_write: 2_687_500n };
  const models = [{ ...model, prices: [{ upTo: null, prices }] }];
  await saveModelPrices(
    shop.t.app.database,
    { models, invalidIds: [], unknownPrices: 0 },
    shop.t.app.wall.now(),
  );
  return model.id;
}

/**
 * Creates a consumer of a balance plan with 42.00 a month. The feature is priced by AI model with a margin of
 * 17.5%.
 */
export const createAiConsumer = (shop: Shop, includedBalance = 420_000): Promise<Consumer> =>
  createConsumer(shop, {
    plan: { consumptionModel: 'balance', blockOnExhaustion: true },
    price: { includedBalance },
    terms: { pricingMode: 'ai_model', margin: 1_750 },
  });

/**
 * Creates a consumer whose plan includes 4 seats or quota units and charges 11.50 for each additional unit, unless `terms` override these
 * values. Sets the count to `count`.
 */
export async function createCounter(
  shop: Shop,
  type: 'seats' | 'quota',
  terms: Body = {},
  count = 0,
): Promise<Consumer> {
  const sold = { includedAmount: 4, overage: { enabled: true, unitPrice: 115_000 }, ...terms };
  const consumer = await createConsumer(shop, { type, terms: sold });
  if (count > 0)
    await shop.rest('POST', type === 'seats' ? '/seats' : '/usage/quota', { ...of(consumer), count });
  return consumer;
}

/** Returns the fields that identify a consumer in a request body. */
export const of = ({ customerId, feature }: Consumer) => ({ customerId, featureCode: feature.code });

/** Creates a customer who pays in euros, and a plan without an exchange rate or unit prices in euros. */
export async function createUnratedConsumer(shop: Shop, plan: Body, terms: Body = {}): Promise<Consumer> {
  const { id: marketGroupId, countryCodes } = await createMarket(shop);
  const price = { marketPrices: [{ marketGroupId, currency: 'eur', price: 4_900 }] };
  return createConsumer(shop, { plan, price, terms, country: countryCodes[0] });
}

/** Returns a subscription's remaining, used, and stored amounts. */
export async function consumptionOf({ t, environmentId }: Shop, { subscriptionId }: Consumer) {
  const rows = <T>(text: string): Promise<T[]> =>
    t.app.database.query<T>(text, [environmentId, subscriptionId]);
  const [account] = await rows<{ credits: bigint; balance: bigint }>(
    `SELECT coalesce((pools->'credits'->>'amount')::bigint, 0) AS credits, coalesce((pools->'balance'->>'amount')::bigint, 0) AS balance
     FROM "ConsumptionAccount" WHERE "environmentId" = $1 AND id = $2`,
  );
  const [counter] = await rows<{ total: bigint }>(
    'SELECT total FROM "UsageCounter" WHERE "environmentId" = $1 AND "subscriptionId" = $2',
  );
  const [events] = await rows<{ count: bigint; value: bigint }>(
    'SELECT count(*) AS count, coalesce(sum(value), 0)::bigint AS value FROM "UsageEvent" WHERE "environmentId" = $1 AND "subscriptionId" = $2',
  );
  const [entries] = await rows<{ credits: bigint; balance: bigint }>(
    `SELECT coalesce(sum(amount) FILTER (WHERE asset = 'credits'), 0)::bigint AS credits,
       coalesce(sum(amount) FILTER (WHERE asset <> 'credits'), 0)::bigint AS balance
     FROM "ConsumptionEntry" WHERE "environmentId" = $1 AND "subscriptionId" = $2`,
  );
  return { ...account, total: counter?.total ?? 0n, events: events?.count, value: events?.value, entries };
}
