import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createAdjustment,
  createCustomer,
  createSubscription,
  latestInvoice,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Body = {
  readonly id: string;
  readonly status: string;
  readonly error?: { readonly code: string; readonly param?: string };
};

const adjust = (body: Record<string, unknown>, options = {}) =>
  shop.rest<Record<string, unknown> & Body>('POST', '/invoices', body, options);
const mark = (id: string, status: string) => shop.rest<Body>('PATCH', `/invoices/${id}/status`, { status });
const kindsSince = async (position: number): Promise<string[]> => {
  const rows = await t.app.database.query<{ kind: string }>(
    'SELECT kind FROM "Event" WHERE "environmentId" = $1 AND position > $2 ORDER BY position',
    [shop.environmentId, position],
  );
  return rows.map(({ kind }) => kind);
};
const position = async (): Promise<number> => {
  const [row] = await t.app.database.query<{ last: number }>(
    'SELECT coalesce(max(position), 0)::int AS last FROM "Event" WHERE "environmentId" = $1',
    [shop.environmentId],
  );
  return row?.last ?? 0;
};
const ledgerIsWhole = async (): Promise<void> => {
  const { ledgerVerify } = await t.graphql(
    '{ ledgerVerify { ok mismatches { account } } }',
    {},
    { key: shop.key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
};

describe('an adjustment invoice', () => {
  test('contains a single line item, and is due in 7 days (BIL-23, BIL-28)', async () => {
    const customer = await createCustomer(shop);
    const before = await position();
    const { status, body } = await adjust({
      customerId: customer.externalId,
      amount: 1_250,
      description: 'Ayuda 🧑‍💻 مساعدة',
      metadata: { a: [1] },
    });
    expect(status).toBe(201);
    const issued = new Date(String(body['issueDate']));
    expect(body).toMatchObject({
      customerId: customer.id,
      subscriptionId: null,
      invoiceNumber: expect.stringMatching(/^INV-\d{4}$/),
      status: 'outstanding',
      invoiceType: 'adjustment',
      currency: 'usd',
      subtotal: 1_250,
      discountAmount: 0,
      creditApplied: 0,
      taxAmount: 0,
      total: 1_250,
      dueDate: new Date(issued.getTime() + 7 * 86_400_000).toISOString(),
      periodStart: body['issueDate'],
      periodEnd: body['issueDate'],
      planName: null,
      metadata: { a: [1] },
      lineItems: [
        {
          lineType: 'one_time',
          description: 'Ayuda 🧑‍💻 مساعدة',
          quantity: 1,
          unitAmount: 1_250,
          amount: 1_250,
          chargeType: 'standard',
        },
      ],
    });
    expect(await kindsSince(before)).toEqual(['invoice.created']);
    await ledgerIsWhole();
  });

  test('is paid immediately without a charge if its amount is negative', async () => {
    const { body } = await adjust({
      customerId: (await createCustomer(shop)).id,
      amount: -700,
      description: 'Sorry',
    });
    expect(body).toMatchObject({ status: 'paid', subtotal: 0, creditApplied: 0, total: -700 });
    expect(body['lineItems']).toMatchObject([{ lineType: 'credit', unitAmount: -700, amount: -700 }]);
    await ledgerIsWhole();
  });

  test("becomes overdue once, even if the customer has no subscription, and isn't an item in the test clock run (BIL-4)", async () => {
    const own = await otherShop(t);
    const alone = await createAdjustment(own);
    const { customerId } = await createActiveSubscription(own, { billingInterval: 'yearly' });
    const beside = await createAdjustment(own, { customerId });
    const settled = await createAdjustment(own);
    await own.rest('PATCH', `/invoices/${settled.id}/status`, { status: 'paid' });
    await advanceDays(own, 30);
    const overdue = await t.app.database.query<{ id: string }>(
      `SELECT data->>'invoiceId' AS id FROM "Event" WHERE "environmentId" = $1 AND kind = 'invoice.overdue' ORDER BY position`,
      [own.environmentId],
    );
    expect(overdue.map(({ id }) => id)).toEqual([alone.id, beside.id]);
    const { body } = await own.rest<{
      latestRun: { status: string; completedDeadlineCount: number; items: unknown[] };
    }>('GET', '/test-clock');
    expect(body.latestRun).toMatchObject({ status: 'completed', failedDeadlineCount: 0 });
    expect(body.latestRun.items).toHaveLength(body.latestRun.completedDeadlineCount);
  });

  test('is issued once for two requests with the same idempotency key', async () => {
    const body = { customerId: (await createCustomer(shop)).id, amount: 300, description: 'Once' };
    const headers = { 'idempotency-key': 'adjust-once' };
    const [first, again] = [await adjust(body, { headers }), await adjust(body, { headers })];
    expect(again.body).toEqual(first.body);
    const { body: list } = await shop.rest<{ data: unknown[] }>(
      'GET',
      `/invoices?customerId=${body.customerId}`,
    );
    expect(list.data).toHaveLength(1);
  });

  test('accepts the minimum and maximum amount', async () => {
    const customerId = (await createCustomer(shop)).id;
    for (const amount of [900_000_000_000_000, -900_000_000_000_000])
      expect((await adjust({ customerId, amount, description: 'Much' })).body).toMatchObject({
        total: amount,
      });
    await ledgerIsWhole();
  });

  const rejected: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['an amount of 0', 'amount', { amount: 0 }],
    ['a fractional amount', 'amount', { amount: 1.5 }],
    ['an amount as text', 'amount', { amount: '5' }],
    ['an amount of 2^53', 'amount', { amount: 2 ** 53 }],
    ['an amount above the maximum', 'amount', { amount: 900_000_000_000_001 }],
    ['an amount below the minimum', 'amount', { amount: -900_000_000_000_001 }],
    ['an empty description', 'description', { description: '' }],
    ['a too long description', 'description', { description: 'd'.repeat(1_001) }],
    ['a list as metadata', 'metadata', { metadata: [1] }],
    ['an empty customer ID', 'customerId', { customerId: '' }],
    ['a too long customer ID', 'customerId', { customerId: 'c'.repeat(201) }],
  ];
  test.each(rejected)('is rejected with %s, and nothing changes', async (_what, param, wrong) => {
    const customerId = (await createCustomer(shop)).id;
    const changes = await watchChanges(t.app.database.query);
    const { status, body } = await adjust({ customerId, amount: 100, description: 'Fine', ...wrong });
    expect({ status, error: body.error }).toMatchObject({
      status: 400,
      error: { code: 'validation_error', param },
    });
    expect(await changes()).toEqual([]);
  });
});

describe('a manual invoice status change', () => {
  test('marks an adjustment as paid without a transaction (BIL-25)', async () => {
    const { id } = await createAdjustment(shop);
    expect(await mark(id, 'paid')).toMatchObject({
      status: 200,
      body: { id, status: 'paid', object: 'invoice' },
    });
    const attempts = await t.app.database.query(
      'SELECT 1 FROM "Transaction" WHERE "environmentId" = $1 AND "invoiceId" = $2',
      [shop.environmentId, id],
    );
    expect(attempts).toEqual([]);
    await ledgerIsWhole();
  });

  test.each(['paid', 'void'])(
    'is rejected for an invoice that is already %s, and nothing changes',
    async (first) => {
      const { id } = await createAdjustment(shop);
      await mark(id, first);
      const changes = await watchChanges(t.app.database.query);
      for (const status of ['paid', 'void']) {
        const { status: code, body } = await mark(id, status);
        expect({ code, error: body.error }).toMatchObject({
          code: 400,
          error: { code: 'validation_error', param: 'status' },
        });
      }
      expect(await changes()).toEqual([]);
    },
  );

  test.each(['outstanding', 'uncollectible', 'draft', 'PAID', ''])(
    'rejects the status %j',
    async (status) => {
      const { id } = await createAdjustment(shop);
      expect((await mark(id, status)).body.error).toMatchObject({
        code: 'validation_error',
        param: 'status',
      });
    },
  );

  test('activates the subscription and closes its open checkout when the first invoice is marked as paid (BIL-26)', async () => {
    const { id, token } = await createSubscription(shop);
    const before = await position();
    await mark(await latestInvoice(shop, id), 'paid');
    expect((await shop.rest<Body>('GET', `/subscriptions/${id}`)).body.status).toBe('active');
    expect(await kindsSince(before)).toEqual(['subscription.activated', 'customer.state_changed']);
    await expect(pay(shop, token)).rejects.toThrow('invalid_subscription_status');
  });

  test.each([
    ['paid', ['payment.recovered', 'customer.state_changed']],
    ['void', ['invoice.voided', 'credit_note.created', 'customer.state_changed']],
  ])(
    'sets the status %s during dunning, reactivates the subscription, and cancels payment retries (BIL-26)',
    async (status, kinds) => {
      const own = await otherShop(t);
      const { id, token } = await createSubscription(own);
      await pay(own, token, '4000000000000341');
      await advanceDays(own, 32);
      expect((await own.rest<Body>('GET', `/subscriptions/${id}`)).body.status).toBe('past_due');
      const [row] = await t.app.database.query<{ last: number }>(
        'SELECT max(position)::int AS last FROM "Event" WHERE "environmentId" = $1',
        [own.environmentId],
      );
      await own.rest('PATCH', `/invoices/${await latestInvoice(own, id)}/status`, { status });
      expect((await own.rest<Body>('GET', `/subscriptions/${id}`)).body.status).toBe('active');
      const events = await t.app.database.query<{ kind: string }>(
        'SELECT kind FROM "Event" WHERE "environmentId" = $1 AND position > $2 ORDER BY position',
        [own.environmentId, row?.last],
      );
      expect(events.map(({ kind }) => kind)).toEqual(kinds);
      await advanceDays(own, 10);
      expect((await own.rest<Body>('GET', `/subscriptions/${id}`)).body.status).toBe('active');
      expect(await clockSettled(own)).toBe('completed');
    },
  );
});
