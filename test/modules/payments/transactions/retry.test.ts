import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createActiveSubscription,
  latestInvoice,
  latestTransaction,
  type MadeSubscription,
  mendMethods,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectLedgerWhole, kindsSince, pastDueAfterTrial, position, retry, shown } from './shop.ts';

let t: TestApp;
let shop: Shop;
let owing: MadeSubscription;

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  owing = await pastDueAfterTrial(shop);
});
afterAll(() => t.close());

const attempts = async (where: Shop, invoiceId: string) =>
  (
    await where.t.app.database.query<{ status: string }>(
      'SELECT status FROM "Transaction" WHERE "environmentId" = $1 AND "invoiceId" = $2 ORDER BY seq',
      [where.environmentId, invoiceId],
    )
  ).map(({ status }) => status);

describe('a transaction retry', () => {
  test('uses up a dunning retry, and returns the decline code if the charge is declined (PAY-31, BIL-42)', async () => {
    const [transactionId, invoiceId] = [
      await latestTransaction(shop, owing.id),
      await latestInvoice(shop, owing.id),
    ];
    const before = await position(shop);
    const { status, body } = await retry(shop, transactionId);
    expect({ status, body }).toMatchObject({
      status: 402,
      body: { error: { code: 'charge_failed', details: { declineCode: 'card_declined' } } },
    });
    expect(await kindsSince(shop, before)).toEqual([]);
    expect(await attempts(shop, invoiceId)).toEqual(['failed', 'failed']);
    const [row] = await t.app.database.query(
      'SELECT "dunningAttempts" FROM "Subscription" WHERE "environmentId" = $1 AND id = $2',
      [shop.environmentId, owing.id],
    );
    expect(row).toEqual({ dunningAttempts: 1 });
  });

  test("pays the invoice with a new attempt, and doesn't change failed attempts (BIL-33, BIL-44)", async () => {
    const [transactionId, invoiceId] = [
      await latestTransaction(shop, owing.id),
      await latestInvoice(shop, owing.id),
    ];
    const failed = await shown(shop, `/transactions/${transactionId}`);
    await mendMethods(shop, owing.customerId);
    const before = await position(shop);
    const { status, body } = await retry(shop, transactionId);
    expect(status).toBe(200);
    expect(body).toEqual({
      originalTransactionId: transactionId,
      invoiceId,
      status: 'succeeded',
      object: 'transaction_retry',
      livemode: false,
    });
    expect(await kindsSince(shop, before)).toEqual([
      'payment.received',
      'payment.recovered',
      'subscription.activated',
      'customer.state_changed',
    ]);
    expect(await shown(shop, `/transactions/${transactionId}`)).toEqual(failed);
    expect(await attempts(shop, invoiceId)).toEqual(['failed', 'failed', 'succeeded']);
    expect(await shown(shop, `/subscriptions/${owing.id}`)).toMatchObject({ status: 'active' });
    await expectLedgerWhole(shop);
    expect((await retry(shop, transactionId)).body.error?.code).toBe('no_outstanding_invoice');
  });

  test('is rejected for a successful payment', async () => {
    const { status, body } = await retry(
      shop,
      await latestTransaction(shop, (await createActiveSubscription(shop)).id),
    );
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { error: { code: 'no_outstanding_invoice' } },
    });
  });

  test('cancels the subscription after the fourth declined charge (BIL-43)', async () => {
    const own = await otherShop(t);
    const { id } = await pastDueAfterTrial(own);
    const transactionId = await latestTransaction(own, id);
    const codes = [];
    for (let slot = 1; slot <= 5; slot++) codes.push((await retry(own, transactionId)).body.error?.code);
    expect(codes).toEqual([
      'charge_failed',
      'charge_failed',
      'charge_failed',
      'charge_failed',
      'no_outstanding_invoice',
    ]);
    expect(await shown(own, `/subscriptions/${id}`)).toMatchObject({ status: 'canceled' });
    expect(await shown(own, `/invoices/${await latestInvoice(own, id)}`)).toMatchObject({
      status: 'uncollectible',
    });
    await expectLedgerWhole(own);
  });

  test('charges once for simultaneous requests', async () => {
    const own = await otherShop(t);
    const { id, customerId } = await pastDueAfterTrial(own);
    const transactionId = await latestTransaction(own, id);
    await mendMethods(own, customerId);
    const answers = await Promise.all([1, 2, 3].map(() => retry(own, transactionId)));
    expect(answers.map(({ body }) => body.error?.code ?? body.status).toSorted()).toEqual([
      'no_outstanding_invoice',
      'no_outstanding_invoice',
      'succeeded',
    ]);
    expect(await attempts(own, await latestInvoice(own, id))).toEqual(['failed', 'succeeded']);
    await expectLedgerWhole(own);
  });
});
