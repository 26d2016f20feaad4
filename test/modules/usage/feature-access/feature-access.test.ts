import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import {
  advanceDays,
  attachFeature,
  createCustomer,
  createFeature,
  firstShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const track = (body: object) => shop.rest('POST', '/usage/events', body);
const access = async (customerId: string, code: string) =>
  (await shop.rest<Record<string, unknown>>('GET', `/feature-access/${code}?customerId=${customerId}`)).body;
type List = {
  readonly data: readonly { readonly code: string }[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
};
const list = async (query: string) => (await shop.rest<List>('GET', `/feature-access?${query}`)).body;

const canUse = 'canUse { allowed willBeCharged reason }';
/** Returns the result of the GraphQL access check for one more unit of a customer's only feature. */
async function ask(customerId: string, code: string): Promise<unknown> {
  const text = `query ($customerId: ID!, $code: String!) { featureAccess(customerId: $customerId, code: $code) {
    ... on BooleanFeatureAccess { ${canUse} } ... on UsageFeatureAccess { ${canUse} }
    ... on SeatsFeatureAccess { ${canUse} } ... on QuotaFeatureAccess { ${canUse} } } }`;
  return (await t.graphql<{ featureAccess: { canUse: unknown } }>(text, { customerId, code })).featureAccess
    .canUse;
}

describe('the access check for one feature', () => {
  test('counts metered units up to the limit, by customer ID or external ID', async () => {
    const { customerId, feature } = await createConsumer(shop, { terms: { includedAmount: 10 } });
    await track({ customerId, featureCode: feature.code, value: 9 });
    const body = await access(customerId, feature.code);
    expect(body).toEqual({
      code: feature.code,
      name: feature.name,
      unitName: null,
      allowed: true,
      type: 'usage',
      consumption: {
        model: 'metered',
        period: { start: expect.any(String), end: expect.any(String) },
        unitsUsed: 9,
        includedUnits: 10,
        remainingUnits: 1,
        unlimited: false,
        overage: { enabled: false, units: 0 },
      },
      object: 'feature_access',
      livemode: false,
    });
    const { body: customer } = await shop.rest<{ externalId: string }>('GET', `/customers/${customerId}`);
    expect(await access(customer.externalId, feature.code)).toEqual(body);
    expect(await ask(customerId, feature.code)).toEqual({
      allowed: true,
      willBeCharged: false,
      reason: null,
    });
    await track({ customerId, featureCode: feature.code });
    expect(await access(customerId, feature.code)).toMatchObject({
      allowed: false,
      consumption: { unitsUsed: 10, remainingUnits: 0 },
    });
    expect(await ask(customerId, feature.code)).toEqual({
      allowed: false,
      willBeCharged: false,
      reason: 'included_limit_reached',
    });
  });

  test('shows the credits that a feature uses, and the number of units that the remaining credits cover', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7);
    await track({ ...of(consumer), value: 91 });
    expect(await access(consumer.customerId, consumer.feature.code)).toMatchObject({
      allowed: false,
      consumption: {
        model: 'credits',
        unitsUsed: 91,
        creditsPerUnit: 7,
        creditsConsumed: 637,
        availableUnits: 0,
      },
    });
    expect(await ask(consumer.customerId, consumer.feature.code)).toMatchObject({
      allowed: false,
      reason: 'insufficient_credits',
    });
  });

  test('shows the balance that a feature uses, including a negative balance', async () => {
    const consumer = await createBalanceConsumer(shop, 1_000, false);
    await track({ ...of(consumer), value: 21 });
    // 21 × 0.005 = 0.105, rounded to 11 cents.
    const unitPrice = { amount: 50, currency: 'usd', scale: 10_000 };
    expect(await access(consumer.customerId, consumer.feature.code)).toMatchObject({
      allowed: true,
      consumption: {
        model: 'balance',
        unitsUsed: 21,
        spent: { amount: 11, currency: 'usd' },
        availableUnits: 0,
        unitPrice,
      },
    });
    expect(await ask(consumer.customerId, consumer.feature.code)).toEqual({
      allowed: true,
      willBeCharged: true,
      reason: null,
    });
  });

  test('describes seats, quota, and boolean features with the fields of their type', async () => {
    const seats = await createConsumer(shop, { type: 'seats', terms: { includedAmount: 3 } });
    expect(await access(seats.customerId, seats.feature.code)).toMatchObject({
      type: 'seats',
      allowed: true,
      usage: { remainingUnits: 3 },
    });
    const quota = await createConsumer(shop, { type: 'quota', terms: { unlimited: true } });
    const held = await access(quota.customerId, quota.feature.code);
    expect(held).toMatchObject({
      type: 'quota',
      allowed: true,
      usage: { unitsUsed: 0, billedUnits: 0, unlimited: true },
    });
    expect(held['usage']).not.toHaveProperty('remainingUnits');
    const off = await createConsumer(shop, { type: 'boolean', terms: { enabled: false } });
    expect(await access(off.customerId, off.feature.code)).toMatchObject({
      type: 'boolean',
      allowed: false,
      enabled: false,
    });
    expect(await ask(off.customerId, off.feature.code)).toEqual({
      allowed: false,
      willBeCharged: false,
      reason: 'feature_disabled',
    });
  });

  test('includes amounts that were added after the usage window started, even before the first deduction (CAT-49)', async () => {
    const { customerId, planId, feature, subscriptionId } = await createCreditsConsumer(shop, 640, 7);
    const { body } = await shop.rest<{ priceId: string }>('GET', `/subscriptions/${subscriptionId}`);
    await shop.rest('PATCH', `/plans/${planId}/prices/${body.priceId}`, { includedCredits: 700 });
    expect(await access(customerId, feature.code)).toMatchObject({ consumption: { availableUnits: 100 } });
    expect((await shop.rest('GET', `/subscriptions/${subscriptionId}`)).body).toMatchObject({
      credits: { remaining: 700, included: 700, purchased: 0 },
    });
  });
});

describe('the list of feature access', () => {
  test('contains all features of the plan, newest first, and continues after a cursor', async () => {
    const { customerId, planId, feature } = await createConsumer(shop);
    const others = [await createFeature(shop, 'boolean'), await createFeature(shop, 'quota')];
    for (const { id } of others) await attachFeature(shop, planId, id, {});
    const codes = [...others.map(({ code }) => code).toReversed(), feature.code];
    expect((await list(`customerId=${customerId}`)).data.map(({ code }) => code)).toEqual(codes);
    const first = await list(`customerId=${customerId}&limit=2`);
    expect([first.data.map(({ code }) => code), first.hasMore]).toEqual([codes.slice(0, 2), true]);
    const rest = await list(`customerId=${customerId}&limit=2&cursor=${first.nextCursor}`);
    expect([rest.data.map(({ code }) => code), rest.hasMore]).toEqual([codes.slice(2), false]);
  });

  test('is empty if the customer has no access', async () => {
    const { id } = await createCustomer(shop);
    const text = '{ customer(id: $id) { featureAccess { edges { cursor } } } }';
    expect(await t.graphql(`query ($id: ID!) ${text}`, { id })).toEqual({
      customer: { featureAccess: { edges: [] } },
    });
  });
});

describe('a subscription to a balance plan', () => {
  test('shows used, remaining, and included amounts, and no available amounts after the subscription ends', async () => {
    const consumer = await createBalanceConsumer(shop, 420_000);
    await track({ ...of(consumer), value: 100 });
    const read = async () =>
      (await shop.rest<object>('GET', `/subscriptions/${consumer.subscriptionId}`)).body;
    expect(await read()).toMatchObject({
      balance: { remaining: 415_000, included: 420_000, currency: 'usd' },
      credits: null,
      features: [{ code: consumer.feature.code, usage: { current: 100 } }],
    });
    await advanceDays(shop, 32);
    expect(await read()).toMatchObject({
      status: 'active',
      balance: { remaining: 420_000 },
      features: [{ usage: { current: 0 } }],
    });
    await track({ ...of(consumer), value: 100 });
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    expect(await read()).toMatchObject({
      status: 'canceled',
      balance: { remaining: 0 },
      features: [{ usage: { current: 0 } }],
    });
    expect(await access(consumer.customerId, consumer.feature.code)).toMatchObject({
      error: { code: 'no_active_subscription' },
    });
  });
});
