import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAdjustment,
  createSubscription,
  firstShop,
  latestInvoice,
  otherShop,
  pay,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent updates to an invoice: a manual status change at the same time as another change, a checkout payment, or a retry in a clock
// run.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = { readonly status: string; readonly error?: { readonly code: string } };

const mark = async (where: Shop, id: string, status: string): Promise<string> => {
  const { body } = await where.rest<Body>('PATCH', `/invoices/${id}/status`, { status });
  return body.error?.code ?? body.status;
};

async function expectLedgerWhole(where: Shop): Promise<void> {
  const { ledgerVerify } = await t.graphql(
    '{ ledgerVerify { ok mismatches { account } } }',
    {},
    { key: where.key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
}

const statusOf = async (where: Shop, path: string): Promise<string> =>
  (await where.rest<Body>('GET', path)).body.status;

test('concurrent status changes to an invoice are rejected, except for the first', async () => {
  for (let round = 0; round < 3; round++) {
    const { id } = await createAdjustment(shop);
    const emitted = await Promise.all([
      mark(shop, id, 'paid'),
      mark(shop, id, 'void'),
      mark(shop, id, 'paid'),
    ]);
    expect(emitted.filter((word) => word === 'validation_error')).toHaveLength(2);
    expect(emitted).toContain(await statusOf(shop, `/invoices/${id}`));
  }
  await expectLedgerWhole(shop);
});

test('a status change and a concurrent checkout payment settle the invoice once, and the later request is rejected', async () => {
  for (const status of ['paid', 'void', 'paid', 'void']) {
    const { id, token } = await createSubscription(shop);
    const invoiceId = await latestInvoice(shop, id);
    const [marked, paid] = await Promise.all([
      mark(shop, invoiceId, status),
      pay(shop, token).catch((error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1] ?? error.message),
    ]);
    expect([
      [status, 'invalid_subscription_status'],
      ['validation_error', 'paid'],
    ]).toContainEqual([marked, paid]);
    expect(await statusOf(shop, `/invoices/${invoiceId}`)).toBe(marked === 'void' ? 'void' : 'paid');
    expect(await statusOf(shop, `/subscriptions/${id}`)).toBe(marked === 'void' ? 'canceled' : 'active');
    const charged = await t.app.database.query(
      `SELECT 1 FROM "Transaction" WHERE "environmentId" = $1 AND "invoiceId" = $2 AND status = 'succeeded'`,
      [shop.environmentId, invoiceId],
    );
    expect(charged).toHaveLength(paid === 'paid' ? 1 : 0);
  }
  await expectLedgerWhole(shop);
});

test('a status change during payment retries in a clock run recovers or cancels the subscription once', async () => {
  for (const status of ['paid', 'void']) {
    const own = await otherShop(t);
    const { id, token } = await createSubscription(own);
    await pay(own, token, '4000000000000341');
    await own.rest('POST', '/test-clock', { advanceDays: 31.5 });
    await expect.poll(() => statusOf(own, `/subscriptions/${id}`), { timeout: 10_000 }).toBe('past_due');
    await expect
      .poll(async () => (await own.rest<{ latestRun: Body }>('GET', '/test-clock')).body.latestRun.status, {
        timeout: 10_000,
      })
      .toBe('completed');
    const invoiceId = await latestInvoice(own, id);
    const [, emitted] = await Promise.all([
      own.rest('POST', '/test-clock', { advanceDays: 9 }),
      mark(own, invoiceId, status),
    ]);
    await expect
      .poll(async () => (await own.rest<{ latestRun: Body }>('GET', '/test-clock')).body.latestRun.status, {
        timeout: 10_000,
      })
      .toBe('completed');
    const isMarked = emitted === status;
    expect(['validation_error', status]).toContain(emitted);
    expect(await statusOf(own, `/invoices/${invoiceId}`)).toBe(isMarked ? status : 'uncollectible');
    expect(await statusOf(own, `/subscriptions/${id}`)).toBe(isMarked ? 'active' : 'canceled');
    await expectLedgerWhole(own);
  }
});
