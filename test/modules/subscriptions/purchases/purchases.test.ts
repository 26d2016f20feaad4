import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import { cards, createCreditPack, firstShop, type Shop, setCurrency } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(async () => {
  const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok mismatches { account } } }');
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  await t.close();
});

type Failure = {
  readonly error: { readonly code: string; readonly param?: string; readonly details?: unknown };
};
const post = <T = Failure>(id: string, what: string, body: object) =>
  shop.rest<T>('POST', `/subscriptions/${id}/${what}`, body);
const code = async (id: string, what: string, body: object) => (await post(id, what, body)).body.error.code;
const left = async (consumer: object) =>
  (await shop.rest<Record<string, unknown>>('POST', '/usage/check', consumer)).body;

/** Returns the type, status, and total of each invoice for a subscription, oldest first. */
const invoices = async (id: string) => {
  type Listed = { readonly invoiceType: string; readonly status: string; readonly total: number };
  const { subscription } = await t.graphql<{ subscription: { invoices: { edges: { node: Listed }[] } } }>(
    'query ($id: ID!) { subscription(id: $id) { invoices(first: 20) { edges { node { invoiceType status total } } } } }',
    { id },
  );
  return subscription.invoices.edges
    .map(({ node: { invoiceType, status, total } }) => [invoiceType, status, total])
    .toReversed();
};

const entries = (id: string) =>
  t.app.database.query<{ asset: string; type: string; amount: bigint }>(
    `SELECT asset, type, amount FROM "ConsumptionEntry" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq`,
    [t.sandboxId, id],
  );

/** Asserts that the balances equal the sums of their entries (CON-58). */
async function expectReplayed(id: string): Promise<void> {
  const [row] = await t.app.database.query<{ isEqual: boolean }>(
    `SELECT (SELECT sum((p.value->>'amount')::bigint) FROM jsonb_each(a.pools) p) = (SELECT sum(e.amount) FROM "ConsumptionEntry" e
       WHERE e."environmentId" = $1 AND e."subscriptionId" = a.id) AS "isEqual" FROM "ConsumptionAccount" a WHERE a."environmentId" = $1 AND a.id = $2`,
    [t.sandboxId, id],
  );
  expect(row?.isEqual).toBe(true);
}

describe('a credit pack purchase', () => {
  test('adds the credits at the current price and size after payment (CAT-46)', async () => {
    const consumer = await createCreditsConsumer(shop);
    const pack = await createCreditPack(shop);
    const id = consumer.subscriptionId;
    expect(await post(id, 'credits', { creditPackId: pack.id })).toMatchObject({
      status: 200,
      body: { credits: 1_000, object: 'credit_grant', livemode: false },
    });
    await shop.rest('PATCH', `/credit-packs/${pack.id}`, { price: 2_900, credits: 7 });
    expect((await post<{ credits: number }>(id, 'credits', { creditPackId: pack.id })).body.credits).toBe(7);
    expect(await invoices(id)).toEqual([
      ['recurring', 'paid', 4_900],
      ['credit_purchase', 'paid', 2_500],
      ['credit_purchase', 'paid', 2_900],
    ]);
    expect(await left(of(consumer))).toMatchObject({ planCredits: 640, purchasedCredits: 1_007 });
    await expectReplayed(id);
  });

  test("is charged in the subscription's currency at the plan's exchange rate (CAT-47)", async () => {
    const market = await shop.rest<{ id: string }>('POST', '/markets', {
      name: shop.next('market'),
      countryCodes: ['BR'],
    });
    const price = {
      includedCredits: 10,
      marketPrices: [{ marketGroupId: market.body.id, currency: 'brl', price: 26_000 }],
    };
    const plan = { consumptionModel: 'credits' };
    const consumer = await createConsumer(shop, { plan, price, terms: { creditsPerUnit: 1 }, country: 'BR' });
    await setCurrency(shop, consumer.planId, 'brl', 5.43);
    expect(
      (await post(consumer.subscriptionId, 'credits', { creditPackId: (await createCreditPack(shop)).id }))
        .status,
    ).toBe(200);
    expect((await invoices(consumer.subscriptionId)).at(-1)).toEqual(['credit_purchase', 'paid', 13_575]);
  });

  test('voids the invoice and adds no credits if the charge is declined (BIL-22)', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7, cards.declinesLater);
    const id = consumer.subscriptionId;
    const answer = await post(id, 'credits', { creditPackId: (await createCreditPack(shop)).id });
    expect(answer).toMatchObject({
      status: 402,
      body: { error: { code: 'charge_failed', details: { declineCode: 'card_declined' } } },
    });
    expect(await invoices(id)).toEqual([
      ['recurring', 'paid', 4_900],
      ['credit_purchase', 'void', 2_500],
    ]);
    expect(await left(of(consumer))).toMatchObject({ totalCredits: 640 });
    expect((await shop.rest<{ status: string }>('GET', `/subscriptions/${id}`)).body.status).toBe('active');
  });

  test('is executed once for repeated requests with the same idempotency key', async () => {
    const { subscriptionId: id } = await createCreditsConsumer(shop);
    const { id: creditPackId } = await createCreditPack(shop);
    const headers = { 'idempotency-key': 'one pack' };
    const ask = () => shop.rest('POST', `/subscriptions/${id}/credits`, { creditPackId }, { headers });
    expect(await ask()).toMatchObject({ status: 200 });
    expect(await ask()).toMatchObject({ status: 200, body: { credits: 1_000 } });
    expect(await invoices(id)).toHaveLength(2);
  });
});

describe('a balance top-up', () => {
  test('adds the paid amount to the balance (CON-25)', async () => {
    const consumer = await createBalanceConsumer(shop, 1_000);
    const id = consumer.subscriptionId;
    expect(await post(id, 'balance/topup', { amount: 1_234 })).toMatchObject({
      status: 200,
      body: { amount: 1_234, object: 'balance_topup', livemode: false },
    });
    expect(await left(of(consumer))).toMatchObject({ currentBalance: 124_400 });
    expect((await invoices(id)).at(-1)).toEqual(['balance_topup', 'paid', 1_234]);
    await expectReplayed(id);
  });

  test.each([0, -1, 1.5, 2 ** 53, '100', null])(
    'rejects the amount %j, and charges nothing',
    async (amount) => {
      const { subscriptionId: id } = await createBalanceConsumer(shop, 1_000);
      expect(await code(id, 'balance/topup', { amount })).toBe('validation_error');
      expect(await invoices(id)).toHaveLength(1);
    },
  );

  test('requires a balance plan', async () => {
    const { subscriptionId: id } = await createCreditsConsumer(shop);
    expect(await code(id, 'balance/topup', { amount: 100 })).toBe('validation_error');
  });
});

describe('a balance adjustment', () => {
  test('returns the change and the resulting balance', async () => {
    const credits = await createCreditsConsumer(shop, 640, 7);
    expect(
      await post(credits.subscriptionId, 'balance/adjust', { amount: 60, reason: 'שלום 🌍' }),
    ).toMatchObject({
      status: 200,
      body: {
        amount: 60,
        newBalance: 700,
        reason: 'שלום 🌍',
        object: 'balance_transaction',
        livemode: false,
      },
    });
    const balance = await createBalanceConsumer(shop, 1_000, false);
    expect((await post(balance.subscriptionId, 'balance/adjust', { amount: -1_500 })).body).toMatchObject({
      amount: -1_500,
      newBalance: -500,
      reason: null,
    });
    expect(await invoices(balance.subscriptionId)).toHaveLength(1);
    await expectReplayed(balance.subscriptionId);
  });

  test('rejects invalid input and a deduction above the balance, and changes nothing', async () => {
    const { subscriptionId: id } = await createCreditsConsumer(shop, 640);
    const before = await entries(id);
    expect(await code(id, 'balance/adjust', { amount: 0 })).toBe('validation_error');
    expect(await code(id, 'balance/adjust', { amount: 1.5 })).toBe('validation_error');
    expect(await code(id, 'balance/adjust', { amount: 1, type: 'balance' })).toBe('validation_error');
    expect(await code(id, 'balance/adjust', { amount: -641 })).toBe('insufficient_credits');
    expect(await code(id, 'balance/adjust', { amount: 1, reason: 'x'.repeat(1_001) })).toBe(
      'validation_error',
    );
    expect(await entries(id)).toEqual(before);
  });
});
