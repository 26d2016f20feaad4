import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { createCreditsConsumer, of } from '../../../support/consumers.ts';
import {
  advanceDays,
  createCustomer,
  firstShop,
  latestTransaction,
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

type Lot = {
  readonly id: string;
  readonly source: string;
  readonly remaining: number;
  readonly expiresAt: string | null;
};

const lotsOf = async (customerId: string): Promise<readonly Lot[]> =>
  (await shop.rest<{ data: Lot[] }>('GET', `/customers/${customerId}/lots`)).body.data;

/** Creates a pack of 500 credits for 9.00, and returns its ID. */
const createPack = async (terms: object = {}): Promise<string> => {
  const pack = { name: `Pack ${Math.random()}`, credits: 500, price: 900, ...terms };
  const { status, body } = await shop.rest<{ id: string }>('POST', '/credit-packs', pack);
  expect({ status, body }).toMatchObject({ status: 201, body: terms });
  return body.id;
};

const ledgerVerify = async () =>
  (
    await t.graphql<{ ledgerVerify: { ok: boolean; mismatches: unknown[] } }>(
      '{ ledgerVerify { ok mismatches { account } } }',
    )
  ).ledgerVerify;

test('a granted lot is used after the plan and before purchases, and expires at its end (PRM-E6, PRM-21)', async () => {
  const consumer = await createCreditsConsumer(shop, 400, 1);
  const { customerId, subscriptionId } = consumer;
  const expiresAt = new Date((await now()).getTime() + 10 * 86_400_000).toISOString();
  const granted = await shop.rest<Lot>('POST', `/customers/${customerId}/lots`, {
    amount: 300,
    expiresAt,
    description: 'Welcome',
  });
  expect(granted).toMatchObject({
    status: 201,
    body: { asset: 'credits', source: 'promotion', amount: 300, remaining: 300, priority: 5, object: 'lot' },
  });
  const creditPackId = await createPack({ validDays: 5 });
  await shop.rest('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId });
  const use = async (value: number) =>
    (await shop.rest('POST', '/usage/events', { ...of(consumer), value })).status;
  expect(await use(1_201)).toBe(400);
  expect(await use(450)).toBe(200);
  const { accounts } = await t.graphql<{ accounts: unknown }>(
    'query ($id: ID!) { accounts(customerId: $id) { asset amount lots { source remaining } } }',
    { id: customerId },
  );
  expect(accounts).toEqual([
    {
      asset: 'credits',
      amount: 750,
      lots: [
        { source: 'plan', remaining: 0 },
        { source: 'promotion', remaining: 250 },
        { source: 'purchase', remaining: 500 },
      ],
    },
  ]);
  await advanceDays(shop, 11);
  expect((await lotsOf(customerId)).map(({ source, remaining }) => [source, remaining])).toEqual([
    ['purchase', 0],
    ['promotion', 0],
    ['plan', 0],
  ]);
  expect(await use(1)).toBe(400);
  expect(await ledgerVerify()).toEqual({ ok: true, mismatches: [] });
});

test("a customer's accounts contain the credits that invoices draw on, by currency (PRM-141)", async () => {
  const { customerId } = await createCreditsConsumer(shop, 400, 1);
  const ends = (days: number, at: Date): string => new Date(at.getTime() + days * 86_400_000).toISOString();
  const start = await now();
  const grant = async (body: object): Promise<string> => {
    const { status, body: credit } = await shop.rest('POST', `/customers/${customerId}/credits`, body);
    expect(status).toBe(201);
    return String(credit['id']);
  };
  const expiring = await grant({ amount: 250, currency: 'usd', reason: 'Late', expiresAt: ends(3, start) });
  const lasting = await grant({ amount: 1_000, currency: 'usd', reason: 'Sorry' });
  const euros = await grant({ amount: 70, currency: 'eur', reason: 'Sorry' });
  const accountsNow = async () =>
    (
      await t.graphql<{ accounts: unknown }>(
        'query ($id: ID!) { accounts(customerId: $id) { drawnBy asset amount lots { id } } }',
        { id: customerId },
      )
    ).accounts;
  const pool = { drawnBy: 'usage', asset: 'credits', amount: 400, lots: [expect.anything()] };
  const eur = { drawnBy: 'invoices', asset: 'eur', amount: 7_000, lots: [{ id: euros }] };
  const usd = { drawnBy: 'invoices', asset: 'usd' };
  expect(await accountsNow()).toEqual([
    pool,
    eur,
    { ...usd, amount: 125_000, lots: [{ id: expiring }, { id: lasting }] },
  ]);
  await advanceDays(shop, 4);
  expect(await accountsNow()).toEqual([pool, eur, { ...usd, amount: 100_000, lots: [{ id: lasting }] }]);
});

async function now(): Promise<Date> {
  const { testClock } = await t.graphql<{ testClock: { now: string } }>('{ testClock { now } }');
  return new Date(testClock.now);
}

test('the worth of a purchased lot is its share of the price, rounded down (PRM-23, PRM-E43)', async () => {
  const consumer = await createCreditsConsumer(shop, 0, 1);
  const creditPackId = await createPack();
  await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/credits`, { creditPackId });
  await shop.rest('POST', '/usage/events', { ...of(consumer), value: 200 });
  const lots = await lotsOf(consumer.customerId);
  const id = lots.find(({ source }) => source === 'purchase')?.id;
  const preview = async (of: string | undefined) =>
    t.graphql('query ($id: ID!) { lotRefundPreview(id: $id) { amount currency } }', { id: of });
  expect(await preview(id)).toEqual({ lotRefundPreview: { amount: 540, currency: 'usd' } });
  const { creditLedger } = await t.graphql<{
    creditLedger: { nodes: { type: string; value: number | null }[] };
  }>('query ($id: ID!) { creditLedger(subscriptionId: $id) { nodes { type value } } }', {
    id: consumer.subscriptionId,
  });
  expect(creditLedger.nodes).toEqual([
    { type: 'consumption', value: 360 },
    { type: 'purchase', value: null },
  ]);
  await expect(preview(lots.find(({ source }) => source === 'plan')?.id)).rejects.toThrow('validation_error');
});

/** Refunds a subscription's latest purchase. */
const refundLatest = async (subscriptionId: string) =>
  shop.rest('POST', `/transactions/${await latestTransaction(shop, subscriptionId)}/refund`);

test('a refund removes unused credits if the pack requires it, even after a cancellation (PRM-23, PRM-E43)', async () => {
  const consumer = await createCreditsConsumer(shop, 0, 1);
  const { customerId, subscriptionId } = consumer;
  const creditPackId = await createPack({ refundTakesBack: true });
  await shop.rest('PATCH', `/credit-packs/${creditPackId}`, { refundTakesBack: false });
  const { body: pack } = await shop.rest('GET', `/credit-packs/${creditPackId}`);
  expect(pack).not.toHaveProperty('refundTakesBack');
  const keeping = await createPack();
  const taking = await createPack({ refundTakesBack: true });
  await shop.rest('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId: keeping });
  await refundLatest(subscriptionId);
  await shop.rest('POST', `/subscriptions/${subscriptionId}/credits`, { creditPackId: taking });
  await shop.rest('POST', '/usage/events', { ...of(consumer), value: 700 });
  await shop.rest('POST', `/subscriptions/${subscriptionId}/cancel`, { immediate: true });
  expect(await refundLatest(subscriptionId)).toMatchObject({ status: 200 });
  expect(await entriesOf(customerId)).toEqual({ purchase: 1_000, consumption: -700, refund: -300 });
  expect(await ledgerVerify()).toEqual({ ok: true, mismatches: [] });
});

test('a refund and concurrent usage never share a credit (PRM-23)', async () => {
  const consumer = await createCreditsConsumer(shop, 0, 1);
  await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/credits`, {
    creditPackId: await createPack({ refundTakesBack: true }),
  });
  const use = async () => (await shop.rest('POST', '/usage/events', { ...of(consumer), value: 60 })).status;
  const [refunded, ...answers] = await Promise.all([
    refundLatest(consumer.subscriptionId),
    ...Array.from({ length: 12 }, use),
  ]);
  expect(refunded).toMatchObject({ status: 200 });
  const used = answers.filter((status) => status === 200).length;
  expect(used).toBeLessThanOrEqual(8);
  expect(await entriesOf(consumer.customerId)).toEqual({
    purchase: 500,
    consumption: -60 * used || undefined,
    refund: -(500 - 60 * used),
  });
  expect(await ledgerVerify()).toEqual({ ok: true, mismatches: [] });
});

/** Returns the sums of a customer's credit entries by type. */
async function entriesOf(customerId: string): Promise<Readonly<Record<string, number | undefined>>> {
  const rows = await t.app.database.query<{ type: string; amount: number }>(
    'SELECT type::text, sum(amount)::int AS amount FROM "ConsumptionEntry" WHERE "customerId" = $1 GROUP BY type',
    [customerId],
  );
  return Object.fromEntries(rows.map(({ type, amount }) => [type, amount]));
}

type Refused = readonly ['POST' | 'PUT', string, object, string];

test.each<readonly [string, () => Refused | Promise<Refused>]>([
  ['an unknown customer', () => ['POST', '/customers/cus_none/lots', { amount: 1 }, 'customer_not_found']],
  [
    'a customer without a subscription',
    async () => [
      'POST',
      `/customers/${(await createCustomer(shop)).id}/lots`,
      { amount: 1 },
      'no_active_subscription',
    ],
  ],
  [
    'an unknown subscription',
    async () => [
      'POST',
      `/customers/${(await createCustomer(shop)).id}/lots`,
      { amount: 1, subscriptionId: 'sub_none' },
      'subscription_not_found',
    ],
  ],
  [
    'an unknown feature',
    async () => [
      'POST',
      `/customers/${(await createCreditsConsumer(shop, 0, 1)).customerId}/lots`,
      { amount: 1, features: ['none'] },
      'feature_not_found',
    ],
  ],
  [
    'a priority above 100',
    async () => [
      'POST',
      `/customers/${(await createCreditsConsumer(shop, 0, 1)).customerId}/lots`,
      { amount: 1, priority: 101 },
      'validation_error',
    ],
  ],
  ['an unknown lot to revoke', () => ['POST', '/lots/lot_none/revoke', {}, 'not_found']],
  ['an unknown lot to extend', () => ['PUT', '/lots/lot_none/expiry', { expiresAt: null }, 'not_found']],
])('%s is rejected without changes', async (_what, request) => {
  const [method, path, body, code] = await request();
  const written = await watchChanges(t.app.database.query);
  expect(await shop.rest(method, path, body)).toMatchObject({ body: { error: { code } } });
  expect(await written()).toEqual([]);
});

test('a customer credit is a lot that can be listed, revoked, and given another end (PRM-142, PRM-146)', async () => {
  const { id: customerId } = await createCustomer(shop);
  const grant = async (amount: number, reason: string) =>
    (
      await shop.rest<{ id: string }>('POST', `/customers/${customerId}/credits`, {
        amount,
        currency: 'usd',
        reason,
      })
    ).body.id;
  const first = await grant(1_500, 'Outage');
  const second = await grant(700, 'Goodwill');
  expect(await lotsOf(customerId)).toMatchObject([
    { id: second, source: 'customer_credit', remaining: 70_000 },
    {
      id: first,
      asset: 'usd',
      source: 'customer_credit',
      drawnBy: 'invoices',
      description: 'Outage',
      priority: 50,
      amount: 150_000,
      remaining: 150_000,
      paid: null,
    },
  ]);
  const expiresAt = new Date((await now()).getTime() + 2 * 86_400_000).toISOString();
  expect(await shop.rest('PUT', `/lots/${second}/expiry`, { expiresAt })).toMatchObject({
    status: 200,
    body: { id: second, expiresAt },
  });
  expect(await shop.rest('POST', `/lots/${first}/revoke`)).toMatchObject({
    status: 200,
    body: { id: first, remaining: 0 },
  });
  const changes = await watchChanges(t.app.database.query);
  expect((await shop.rest('POST', `/lots/${first}/revoke`)).status).toBe(404);
  expect(await changes()).toEqual([]);
  await advanceDays(shop, 3);
  const { body } = await shop.rest<{ data: unknown[] }>('GET', `/customers/${customerId}/credits`);
  expect(body.data).toMatchObject([
    { id: second, amount: 700, revokedAmount: 0, remainingAmount: 0, reason: 'Goodwill', source: 'api' },
    { id: first, amount: 1_500, appliedAmount: 0, revokedAmount: 1_500, remainingAmount: 0 },
  ]);
  expect(await t.graphql('query ($id: ID!) { node(id: $id) { __typename id } }', { id: first })).toEqual({
    node: { __typename: 'CustomerCredit', id: first },
  });
  expect(await ledgerVerify()).toEqual({ ok: true, mismatches: [] });
});
