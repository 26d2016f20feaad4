import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createActiveSubscription,
  createCustomer,
  createPricedPlan,
  createSubscription,
  latestInvoice,
  latestTransaction,
  otherShop,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp({
    env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50', FUNDS_AVAILABLE_AFTER_DAYS: '2' },
  });
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Listed = {
  readonly id: string;
  readonly status: string;
  readonly invoiceId: string;
  readonly customerEmail: string;
};

const list = async (query: string, where = shop) =>
  (
    await where.rest<{ data: readonly Listed[]; hasMore: boolean; nextCursor?: string }>(
      'GET',
      `/transactions?${query}`,
    )
  ).body;
const emailOf = async (customerId: string) =>
  (await shop.rest<{ email: string }>('GET', `/customers/${customerId}`)).body.email;

type Kept = { readonly fee: number | null; readonly netAmount: number | null };
const kept = async (id: string): Promise<Kept> =>
  (
    await t.graphql<{ transaction: Kept }>(
      'query ($id: ID!) { transaction(id: $id) { fee netAmount } }',
      { id },
      { key: shop.key },
    )
  ).transaction;

const charged = async (id: string) =>
  (
    await t.graphql<{ transaction: { amount: number; currency: string } }>(
      'query ($id: ID!) { transaction(id: $id) { amount currency } }',
      { id },
      { key: shop.key },
    )
  ).transaction;

describe('a transaction', () => {
  test('shows the fee from the ledger and the net amount, neither of which a refund changes (PAY-25)', async () => {
    const { id } = await createActiveSubscription(shop);
    const transaction = await latestTransaction(shop, id);
    // The fee is 5% of 49.00, plus 0.50.
    expect(await kept(transaction)).toEqual({ fee: 295, netAmount: 4_605 });
    expect(await charged(transaction)).toEqual({ amount: 4_900, currency: 'usd' });
    const posted = await t.app.database.query(
      `SELECT fact, "amountMinor"::int AS amount FROM "LedgerTransfer"
       WHERE "environmentId" = $1 AND "transactionId" = $2 AND fact IN ('payment.fee_kept', 'funds.captured') ORDER BY fact`,
      [shop.environmentId, transaction],
    );
    expect(posted).toEqual([
      { fact: 'funds.captured', amount: 4_605 },
      { fact: 'payment.fee_kept', amount: 295 },
    ]);
    expect((await shop.rest('POST', `/transactions/${transaction}/refund`)).status).toBe(200);
    expect(await kept(transaction)).toEqual({ fee: 295, netAmount: 4_605 });
  });

  test('shows the charged amount, the customer, and when the funds become available (PAY-23, PAY-24)', async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    const invoice = await shop.rest<{ total: number }>('GET', `/invoices/${await latestInvoice(shop, id)}`);
    const { status, body } = await shop.rest<Record<string, unknown>>(
      'GET',
      `/transactions/${await latestTransaction(shop, id)}`,
    );
    expect(status).toBe(200);
    const paidAt = new Date(String(body['paidAt']));
    expect(body).toEqual({
      id: expect.stringMatching(/^txn_/),
      invoiceId: await latestInvoice(shop, id),
      grossAmount: invoice.body.total,
      subtotal: invoice.body.total,
      taxAmount: 0,
      presentmentAmount: null,
      currency: 'usd',
      provider: 'platform',
      status: 'succeeded',
      customerEmail: await emailOf(customerId),
      customerName: expect.any(String),
      paidAt: body['paidAt'],
      createdAt: body['createdAt'],
      updatedAt: body['updatedAt'],
      availableAt: new Date(paidAt.getTime() + 2 * 86_400_000).toISOString(),
      object: 'transaction',
      livemode: false,
    });
  });

  test('shows the value in US cents of an amount in another currency, on which the fee is based (PAY-24, PAY-25)', async () => {
    const { id: planId } = await createPricedPlan(shop);
    await setCurrency(shop, planId, 'brl', 5.43);
    const { id, token } = await subscribeTo(shop, (await createCustomer(shop, 'BR')).id, planId);
    await pay(shop, token);
    const invoice = await shop.rest<{ total: number }>('GET', `/invoices/${await latestInvoice(shop, id)}`);
    const gross = Math.round(invoice.body.total / 5.43);
    const { body } = await shop.rest('GET', `/transactions/${await latestTransaction(shop, id)}`);
    expect(body).toMatchObject({
      currency: 'brl',
      presentmentAmount: invoice.body.total,
      grossAmount: gross,
      subtotal: gross,
      taxAmount: 0,
    });
    const [event] = await t.app.database.query<{ data: Record<string, unknown> }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = 'payment.received' AND "subscriptionId" = $2`,
      [shop.environmentId, id],
    );
    expect(event?.data).toMatchObject({
      currency: 'brl',
      grossAmount: gross,
      orgNetAmount: gross - Math.round(gross * 0.05) - 50,
    });
    const fee = Math.round(gross * 0.05) + 50;
    expect(await kept(String(body['id']))).toEqual({ fee, netAmount: gross - fee });
    expect(await charged(String(body['id']))).toEqual({ amount: invoice.body.total, currency: 'brl' });
  });

  test('shows no availability date for a declined charge', async () => {
    const { id, token } = await createSubscription(shop);
    await expect(pay(shop, token, '4000000000000002')).rejects.toThrow('charge_failed');
    const { body } = await shop.rest('GET', `/transactions/${await latestTransaction(shop, id)}`);
    expect(body).toMatchObject({
      status: 'failed',
      paidAt: null,
      availableAt: null,
      presentmentAmount: null,
    });
    expect(await kept(String(body['id']))).toEqual({ fee: null, netAmount: null });
  });

  test("isn't found by another organization", async () => {
    const transaction = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
    const { status, body } = await (await otherShop(t)).rest('GET', `/transactions/${transaction}`);
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { error: { code: 'transaction_not_found', param: 'id' } },
    });
  });
});

describe('the list of transactions', () => {
  test('can be filtered by status and email address, and is paginated (PAY-22)', async () => {
    const own = await otherShop(t);
    const [first, second] = [await createActiveSubscription(own), await createSubscription(own)];
    await expect(pay(own, second.token, '4000000000009995')).rejects.toThrow('charge_failed');
    await pay(own, second.token);
    const email = (await own.rest<{ email: string }>('GET', `/customers/${second.customerId}`)).body.email;
    expect((await list('', own)).data.map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
      'succeeded',
    ]);
    expect((await list('status=failed', own)).data).toHaveLength(1);
    expect((await list('status=disputed', own)).data).toEqual([]);
    const mine = await list(`customerEmail=${encodeURIComponent(email)}&limit=1`, own);
    expect(mine).toMatchObject({ hasMore: true, data: [{ status: 'succeeded', customerEmail: email }] });
    const rest = await list(
      `customerEmail=${encodeURIComponent(email)}&limit=1&cursor=${mine.nextCursor}`,
      own,
    );
    expect(rest).toMatchObject({ hasMore: false, data: [{ status: 'failed', customerEmail: email }] });
    expect((await list('customerEmail=nobody%40shop.test', own)).data).toEqual([]);
    const { body: customers } = await own.rest<{ data: { id: string; externalId: string }[] }>(
      'GET',
      `/customers?search=${encodeURIComponent(email)}`,
    );
    const { id = '', externalId = '' } = customers.data[0] ?? {};
    for (const named of [id, externalId])
      expect((await list(`customerId=${named}`, own)).data.map(({ customerEmail }) => customerEmail)).toEqual(
        [email, email],
      );
    expect((await list('customerId=nobody', own)).data).toEqual([]);
    expect((await list(`customerId=${id}&customerEmail=nobody%40shop.test`, own)).data).toEqual([]);
    expect((await list('', own)).data[2]?.invoiceId).toBe(await latestInvoice(own, first.id));
  });

  test.each(['status=lost', 'customerEmail=nobody', 'limit=0', 'cursor=%21'])(
    'rejects the query %s',
    async (query) => {
      const { status, body } = await shop.rest('GET', `/transactions?${query}`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', param: query.split('=')[0] } },
      });
    },
  );
});
