import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  clockSettled,
  createActiveSubscription,
  createDispute,
  createSubscription,
  latestInvoice,
  latestTransaction,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Body, expectLedgerWhole, kindsSince, position, refund, shown } from './shop.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp({ env: { FEE_BASIS_POINTS: '290', FEE_FIXED_CENTS: '30' } });
  shop = await otherShop(t);
});
afterAll(() => t.close());

const part = `mutation ($input: TransactionRefundInput!) {
  transactionRefund(input: $input) { id amount status reason transaction { status refundedAmount refunds { id amount } } } }`;
const refundPart = (input: Record<string, unknown>) =>
  t.graphql<{ transactionRefund: Body }>(part, { input }, { key: shop.key });

/**
 * Sends a refund request that must fail with `validation_error` on `param`, and asserts that nothing changed.
 */
async function expectRejected(
  id: string,
  param: string,
  ask: () => Promise<{ status: number; body: Body }> = () => refund(shop, id),
) {
  await clockSettled(shop);
  const changes = await watchChanges(t.app.database.query);
  const { status, body } = await ask();
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param } },
  });
  expect(await changes()).toEqual([]);
}

describe('a full refund over REST', () => {
  test('returns the refund and cancels the refunded subscription (PAY-26, PAY-29)', async () => {
    const { id } = await createActiveSubscription(shop);
    const [transactionId, invoiceId] = [await latestTransaction(shop, id), await latestInvoice(shop, id)];
    const { total } = await shown(shop, `/invoices/${invoiceId}`);
    const before = await position(shop);
    const { status, body } = await refund(shop, transactionId);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^ref_[0-9A-Za-z]{22}$/),
      transactionId,
      amount: total,
      currency: 'usd',
      chargeId: null,
      status: 'succeeded',
      reason: null,
      object: 'refund',
      livemode: false,
    });
    expect(await kindsSince(shop, before)).toEqual([
      'payment.refunded',
      'credit_note.created',
      'subscription.canceled',
      'customer.state_changed',
    ]);
    expect(await shown(shop, `/transactions/${transactionId}`)).toMatchObject({
      status: 'refunded',
      grossAmount: total,
    });
    expect(await shown(shop, `/invoices/${invoiceId}`)).toMatchObject({ status: 'paid' });
    expect(await shown(shop, `/subscriptions/${id}`)).toMatchObject({
      status: 'canceled',
      endDate: expect.any(String),
    });
    await expectLedgerWhole(shop);
    await expectRejected(transactionId, 'id');
  });

  test('returns the same response for the same idempotency key, and refunds once (PAY-27)', async () => {
    const transactionId = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
    const headers = { 'idempotency-key': 'refund 🧾 once'.replace(/[^\x20-\x7e]/g, '') };
    const first = await refund(shop, transactionId, { headers });
    const before = await position(shop);
    const again = await refund(shop, transactionId, { headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await kindsSince(shop, before)).toEqual([]);
    await expectLedgerWhole(shop);
  });

  test('is rejected for failed and disputed payments, and nothing changes', async () => {
    const { id, token } = await createSubscription(shop);
    await expect(pay(shop, token, '4000000000000002')).rejects.toThrow('charge_failed');
    await expectRejected(await latestTransaction(shop, id), 'id');
    await expectRejected((await createDispute(shop)).id, 'id');
  });

  test("returns 404 for another organization's transaction, an unknown ID, and a malformed ID", async () => {
    const transactionId = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
    const rival = await otherShop(t);
    for (const id of [transactionId, 'txn_none', '٣🧾', 'x'.repeat(200)]) {
      const { status, body } = await refund(rival, encodeURIComponent(id));
      expect({ status, body }).toMatchObject({
        status: 404,
        body: { error: { code: 'transaction_not_found', param: 'id' } },
      });
    }
    expect((await shown(shop, `/transactions/${transactionId}`)).status).toBe('succeeded');
  });

  test('rejects the fields `amount` and `reason`', async () => {
    const transactionId = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
    for (const body of [{ amount: 100 }, { reason: 'duplicate' }]) {
      const [param] = Object.keys(body);
      await expectRejected(transactionId, String(param), () =>
        shop.rest<Body>('POST', `/transactions/${transactionId}/refund`, body),
      );
    }
  });

  test('requires the `finance` scope', async () => {
    const transactionId = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "writer", scopes: [read, write] }) { apiKey } }',
      {},
      { key: shop.key },
    );
    const { status, body } = await refund(shop, transactionId, { key: apiKeyCreate.apiKey });
    expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });
});

describe('a partial refund over GraphQL', () => {
  test('leaves the payment succeeded and the subscription active until the full amount is refunded', async () => {
    const { id } = await createActiveSubscription(shop, { price: 1_000 });
    const transactionId = await latestTransaction(shop, id);
    const { transactionRefund } = await refundPart({ id: transactionId, amount: 400, reason: 'duplicate' });
    expect(transactionRefund).toEqual({
      id: expect.stringMatching(/^ref_/),
      amount: 400,
      status: 'succeeded',
      reason: 'duplicate',
      transaction: {
        status: 'succeeded',
        refundedAmount: 400,
        refunds: [{ id: transactionRefund.id, amount: 400 }],
      },
    });
    expect((await shown(shop, `/subscriptions/${id}`)).status).toBe('active');
    await expectLedgerWhole(shop);
    const { errors } = await t.graphqlFailure(
      part,
      { input: { id: transactionId, amount: 601 } },
      { key: shop.key },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'amount' });
    expect((await refundPart({ id: transactionId, amount: 600 })).transactionRefund).toMatchObject({
      amount: 600,
      transaction: { status: 'refunded', refundedAmount: 1_000 },
    });
    expect(await shown(shop, `/subscriptions/${id}`)).toMatchObject({ status: 'canceled' });
    await expectLedgerWhole(shop);
  });

  test.each([0, -1, 0.5, 2 ** 53])('rejects the amount %d', async (amount) => {
    const transactionId = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
    const { errors } = await t.graphqlFailure(
      part,
      { input: { id: transactionId, amount } },
      { key: shop.key },
    );
    expect(errors).toHaveLength(1);
    expect((await shown(shop, `/transactions/${transactionId}`)).status).toBe('succeeded');
  });
});

describe('a dispute of a test card payment', () => {
  const resolution = `mutation ($input: TransactionDisputeResolveInput!) {
    transactionDisputeResolve(input: $input) { status disputedAt disputeReason disputeOutcome } }`;
  const resolve = (id: string, outcome: string) =>
    t.graphql<{ transactionDisputeResolve: Body }>(resolution, { input: { id, outcome } }, { key: shop.key });

  test('is opened right after the payment, and leaves the subscription active (PAY-32)', async () => {
    const { id, token } = await createSubscription(shop);
    const before = await position(shop);
    expect(await pay(shop, token, '4000000000000259')).toBe('paid');
    const kinds = await kindsSince(shop, before);
    expect(kinds.slice(0, 2)).toEqual(['payment_method.attached', 'payment.received']);
    expect(kinds.at(-1)).toBe('payment.disputed');
    expect(await shown(shop, `/transactions/${await latestTransaction(shop, id)}`)).toMatchObject({
      status: 'disputed',
    });
    expect(await shown(shop, `/subscriptions/${id}`)).toMatchObject({ status: 'active' });
    await expectLedgerWhole(shop);
  });

  test.each([
    ['won', 'succeeded'],
    ['lost', 'disputed'],
  ])(
    "is resolved as %s, sets the payment status to %s, and can't be resolved again",
    async (outcome, status) => {
      const { id } = await createDispute(shop);
      const before = await position(shop);
      expect((await resolve(id, outcome)).transactionDisputeResolve).toEqual({
        status,
        disputedAt: expect.any(String),
        disputeReason: 'fraudulent',
        disputeOutcome: outcome,
      });
      expect(await kindsSince(shop, before)).toEqual(['payment.dispute_resolved']);
      await expectLedgerWhole(shop);
      const { errors } = await t.graphqlFailure(
        resolution,
        { input: { id, outcome: 'won' } },
        { key: shop.key },
      );
      expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'id' });
      expect((await refund(shop, id)).status).toBe(outcome === 'won' ? 200 : 400);
      await expectLedgerWhole(shop);
    },
  );
});

describe('a payment with concurrent refunds and disputes', () => {
  test('is fully refunded by one of several refund requests, and the others are rejected', async () => {
    for (let round = 0; round < 3; round++) {
      const transactionId = await latestTransaction(shop, (await createActiveSubscription(shop)).id);
      const before = await position(shop);
      const answers = await Promise.all([1, 2, 3].map(() => refund(shop, transactionId)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
      expect(await kindsSince(shop, before)).toEqual([
        'payment.refunded',
        'credit_note.created',
        'subscription.canceled',
        'customer.state_changed',
      ]);
    }
    await expectLedgerWhole(shop);
  });

  test('can be partially refunded up to the paid amount', async () => {
    const transactionId = await latestTransaction(
      shop,
      (await createActiveSubscription(shop, { price: 1_000 })).id,
    );
    const parts = await Promise.allSettled(
      [1, 2, 3].map(() => refundPart({ id: transactionId, amount: 400 })),
    );
    expect(parts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expectLedgerWhole(shop);
  });

  test('has a consistent status after a refund and a dispute resolution', async () => {
    for (const outcome of ['won', 'lost']) {
      const { id } = await createDispute(shop);
      const [returned] = await Promise.all([
        refund(shop, id),
        t.graphql(
          `mutation ($id: ID!) { transactionDisputeResolve(input: { id: $id, outcome: ${outcome} }) { id } }`,
          { id },
          { key: shop.key },
        ),
      ]);
      const { status } = await shown(shop, `/transactions/${id}`);
      expect([status, returned.status]).toEqual(
        outcome === 'lost'
          ? ['disputed', 400]
          : returned.status === 200
            ? ['refunded', 200]
            : ['succeeded', 400],
      );
    }
    await expectLedgerWhole(shop);
  });

  test('cancels its subscription once if a refund and a cancellation are requested at the same time', async () => {
    const { id } = await createActiveSubscription(shop);
    const transactionId = await latestTransaction(shop, id);
    const before = await position(shop);
    await Promise.all([
      refund(shop, transactionId),
      shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }),
    ]);
    expect((await kindsSince(shop, before)).filter((kind) => kind === 'subscription.canceled')).toHaveLength(
      1,
    );
    expect((await shown(shop, `/transactions/${transactionId}`)).status).toBe('refunded');
    await expectLedgerWhole(shop);
  });
});
