import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  createActiveSubscription,
  createAddon,
  createSubscription,
  latestTransaction,
  type MadeSubscription,
  otherShop,
  pay,
  payment,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { createGrantable, grantBody } from '../support/plan-grants.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../support/processor.ts';

// Charges through a remote payment provider. Regardless of the order, delay, and number of responses, the customer is charged once and no
// invoice is lost.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
const later = (minutes: number): string => new Date(Date.parse(began) + minutes * 60_000).toISOString();

let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({
    wall,
    env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' },
    gateways: chargingSandboxes,
  });
});
beforeEach(async () => {
  wall.set(began);
  processor.plays('settles');
  shop = await otherShop(t);
});
afterEach(async () => {
  processor.answerLate();
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: unknown }>(
    '{ ledgerVerify { ok mismatches { account } } }',
    {},
    { key: shop.key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

type Row = Record<string, unknown>;

const list = async (path: string): Promise<Row[]> =>
  (await shop.rest<{ data: Row[] }>('GET', path)).body.data;
const subscriptionOf = async (id: string): Promise<Row> =>
  (await shop.rest('GET', `/subscriptions/${id}`)).body;
const attempts = async (): Promise<unknown[]> =>
  (await list('/transactions')).map(({ status }) => status).toReversed();
const invoices = async (): Promise<unknown[]> =>
  (await list('/invoices')).map(({ status }) => status).toReversed();
const events = async (): Promise<string[]> => {
  const rows = await t.app.database.query<{ kind: string }>(
    `SELECT kind FROM "Event" WHERE "environmentId" = $1 ORDER BY position`,
    [shop.environmentId],
  );
  return rows.map(({ kind }) => kind);
};
const attemptRows = (): Promise<
  { id: string; asks: number; inquireAt: Date | null; repeats: number; contradiction: unknown }[]
> =>
  t.app.database.query(
    `SELECT id, asks, "inquireAt", repeats, contradiction FROM "ChargeAttempt" WHERE "environmentId" = $1 ORDER BY "createdAt", id`,
    [shop.environmentId],
  );

/** Advances real time and wakes the worker. */
async function inquire(minutes: number): Promise<void> {
  const [before] = (await attemptRows()).filter(({ inquireAt }) => inquireAt !== null);
  wall.set(later(minutes));
  await eventually(async () => {
    const row = (await attemptRows()).find(({ id }) => id === before?.id);
    return row === undefined || row.inquireAt === null || row.asks > (before?.asks ?? 0);
  });
}

const tryToPay = (token: string | null) =>
  t.graphqlFailure(payMutation, { input: payment(token) }, { key: null });
const payMutation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const codeOf = (failure: { errors: readonly { extensions: Record<string, unknown> }[] }): unknown =>
  failure.errors[0]?.extensions['code'];

describe('a checkout', () => {
  test('is paid with one provider request', async () => {
    const before = processor.calls.length;
    const { id, token } = await createSubscription(shop);
    expect(await pay(shop, token)).toBe('paid');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(processor.calls.slice(before)).toEqual([expect.stringMatching(/^PUT txn_/)]);
    expect(await attemptRows()).toMatchObject([
      { asks: 1, inquireAt: null, repeats: 0, contradiction: null },
    ]);
  });

  test('stays open after a declined charge, and the next attempt has a new ID', async () => {
    processor.plays('declines', 'settles');
    const { id, token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_failed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'pending_payment' });
    expect(await pay(shop, token)).toBe('paid');
    expect(await attempts()).toEqual(['failed', 'succeeded']);
    expect(await invoices()).toEqual(['paid']);
  });

  test('stays pending without a response, rejects a second attempt, and is resolved by the provider inquiry (BIL-32)', async () => {
    processor.plays('settles silently');
    const before = processor.taken().length;
    const { id, token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
    expect([await attempts(), await invoices()]).toEqual([['pending'], ['outstanding']]);
    // Other operations that move money are rejected until the response arrives (SUB-5).
    expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
    expect((await shop.rest('POST', `/subscriptions/${id}/cancel`, {})).body).toMatchObject({
      error: { code: 'charge_in_progress' },
    });
    await inquire(1);
    expect([await attempts(), await invoices()]).toEqual([['succeeded'], ['paid']]);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(processor.taken()).toHaveLength(before + 1);
    expect(processor.calls.slice(-2)).toEqual([
      expect.stringMatching(/^PUT /),
      expect.stringMatching(/^GET /),
    ]);
  });

  test('is reopened if the provider inquiry reports a declined charge whose response was lost', async () => {
    processor.plays('declines silently', 'settles');
    const { id, token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
    await inquire(1);
    expect(await attempts()).toEqual(['failed']);
    expect(await pay(shop, token)).toBe('paid');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test.each(['loses', 'breaks'] as const)(
    "is requested again with the same ID if the provider doesn't know the charge after a fault (%s)",
    async (script) => {
      processor.plays(script, 'settles');
      const before = processor.taken().length;
      const { token } = await createSubscription(shop);
      expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
      await inquire(1);
      const [put, get, again] = processor.calls.slice(-3).map((call) => call.split(' '));
      expect([put?.[0], get?.[0], again?.[0]]).toEqual(['PUT', 'GET', 'PUT']);
      expect(new Set([put?.[1], get?.[1], again?.[1]]).size).toBe(1);
      expect([await attempts(), processor.taken().length]).toEqual([['succeeded'], before + 1]);
    },
  );

  test('triggers provider inquiries after 1, 5, 15, and 60 minutes, then hourly, until the result is known (BIL-2 rank 0)', async () => {
    processor.plays('works');
    const { token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
    const dueAfter: number[] = [];
    for (const minutes of [1, 5, 15, 60, 120, 180]) {
      const [row] = await attemptRows();
      dueAfter.push(((row?.inquireAt?.getTime() ?? 0) - Date.parse(began)) / 60_000);
      await inquire(minutes);
    }
    expect(dueAfter).toEqual([1, 5, 15, 60, 120, 180]);
    expect(await attempts()).toEqual(['pending']);
    processor.decides((await attemptRows())[0]?.id ?? '', { status: 'settled' });
    await inquire(240);
    // The attempt is counted before the response arrives.
    await eventually(async () => (await attempts()).join() !== 'pending');
    expect(await attempts()).toEqual(['succeeded']);
  });

  test.each([
    ['the same', undefined, null],
    ['a different', { status: 'declined', declineCode: 'card_declined' }, { status: 'declined' }],
  ] as const)(
    "isn't changed by %s response that arrives after the provider inquiry, but records it (BIL-32)",
    async (_which, late, contradiction) => {
      processor.plays('settles late');
      const { token } = await createSubscription(shop);
      // The first request is still waiting for a response when the worker requests the status.
      const paying = pay(shop, token).catch((error: unknown) => error);
      await eventually(async () => processor.made.has((await attemptRows())[0]?.id ?? ''));
      await inquire(1);
      const emitted = await events();
      processor.answerLate(late);
      await paying;
      const [row] = await attemptRows();
      expect(row).toMatchObject({ repeats: 1, contradiction });
      expect([await attempts(), await invoices(), await events()]).toEqual([
        ['succeeded'],
        ['paid'],
        emitted,
      ]);
    },
  );

  test('is charged once for simultaneous payment requests', async () => {
    const before = processor.taken().length;
    const { token } = await createSubscription(shop);
    const paying = () =>
      pay(shop, token).catch((error: unknown) =>
        /charge_in_progress|invalid_subscription_status/.test(String(error)) ? 'refused' : error,
      );
    expect((await Promise.all([paying(), paying(), paying()])).toSorted()).toEqual([
      'paid',
      'refused',
      'refused',
    ]);
    expect([await attempts(), processor.taken().length]).toEqual([['succeeded'], before + 1]);
  });

  test("awaits the payer's authentication, which is canceled first if the payer starts a new attempt", async () => {
    processor.plays('asks', 'settles');
    const { id, token } = await createSubscription(shop);
    expect(await pay(shop, token)).toBe('requires_action');
    expect(await pay(shop, token)).toBe('paid');
    expect(processor.calls.slice(-2)).toEqual([
      expect.stringMatching(/cancel$/),
      expect.stringMatching(/^PUT /),
    ]);
    expect(await attempts()).toEqual(['failed', 'succeeded']);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test('is paid after an authentication only when the provider confirms the payment, even if the page reports success earlier', async () => {
    processor.plays('asks');
    const authenticate = (token: string | null, succeed: boolean) =>
      t.graphql<{ checkoutAuthenticate: { status: string } }>(
        'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }',
        { input: { token, succeed } },
        { key: null },
      );
    const { id, token } = await createSubscription(shop);
    expect(await pay(shop, token)).toBe('requires_action');
    // The page reports success, but the provider hasn't confirmed it.
    expect((await authenticate(token, true)).checkoutAuthenticate.status).toBe('requires_action');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'pending_payment' });
    processor.decides((await attemptRows())[0]?.id ?? '', { status: 'settled' });
    expect((await authenticate(token, true)).checkoutAuthenticate.status).toBe('paid');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });
});

describe('a request with an idempotency key', () => {
  test("is rejected if it would create a plan grant while an add-on's charge has no response (SUB-53, SUB-70)", async () => {
    const { customerId, subscriptionId, planId } = await createGrantable(shop);
    const { id: addonId } = await createAddon(shop);
    processor.plays('settles silently');
    const bought = await shop.rest('POST', `/subscriptions/${subscriptionId}/addons`, { addonId });
    expect(bought.body).toMatchObject({ error: { code: 'charge_in_progress' } });
    const before = await events();
    const grant = () =>
      shop.rest('POST', `/customers/${customerId}/plan-grants`, grantBody({ subscriptionId, planId }));
    const requested = await grant();
    expect([requested.status, requested.body]).toMatchObject([
      409,
      { error: { code: 'charge_in_progress' } },
    ]);
    expect([
      await events(),
      (await shop.rest('GET', `/customers/${customerId}/plan-grants`)).body,
    ]).toMatchObject([before, { data: [] }]);
    await inquire(1);
    expect(await events()).toContain('addon.activated');
    expect((await grant()).body).toMatchObject({
      error: { code: 'validation_error', param: 'subscriptionId' },
    });
  });

  async function buyer(): Promise<{ subscription: MadeSubscription; addonId: string }> {
    const addon = await createAddon(shop);
    return { subscription: await createActiveSubscription(shop), addonId: addon.id };
  }

  test('is executed once, and repeating it returns the first response', async () => {
    const { subscription, addonId } = await buyer();
    const headers = { 'idempotency-key': 'buy-1' };
    const before = processor.taken().length;
    const activate = () =>
      shop.rest('POST', `/subscriptions/${subscription.id}/addons`, { addonId }, { headers });
    const [first, second] = [await activate(), await activate()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(processor.taken()).toHaveLength(before + 1);
  });

  test("is completed if it's repeated after an interruption (A4)", async () => {
    const { subscription, addonId } = await buyer();
    const headers = { 'idempotency-key': 'buy-2' };
    const before = processor.taken().length;
    processor.plays('settles silently');
    const activate = () =>
      shop.rest('POST', `/subscriptions/${subscription.id}/addons`, { addonId }, { headers });
    expect((await activate()).body).toMatchObject({ error: { code: 'charge_in_progress' } });
    // Resets an idempotency record as though the process had ended before responding.
    const until = (minutes: number) =>
      t.app.database.query(
        `UPDATE "IdempotencyKey" SET "leaseUntil" = $2 WHERE "environmentId" = $1 AND id = 'buy-2'`,
        [shop.environmentId, later(minutes)],
      );
    await until(1);
    expect((await activate()).body).toMatchObject({ error: { code: 'idempotency_in_progress' } });
    await until(0);
    const again = await activate();
    expect([again.status, again.body]).toMatchObject([200, { addonId, status: 'active' }]);
    expect(await activate()).toMatchObject({ status: 200, body: again.body });
    expect(processor.taken()).toHaveLength(before + 1);
    expect(await invoices()).toEqual(['paid', 'paid']);
  });

  test("returns a charge's outcome, such as a decline, if it's repeated after the charge's response was lost (A4)", async () => {
    const { subscription, addonId } = await buyer();
    processor.plays('declines silently');
    const headers = { 'idempotency-key': 'buy-3' };
    const activate = () =>
      shop.rest('POST', `/subscriptions/${subscription.id}/addons`, { addonId }, { headers });
    expect((await activate()).body).toMatchObject({ error: { code: 'charge_in_progress' } });
    const again = await activate();
    expect([again.status, again.body]).toMatchObject([402, { error: { code: 'charge_failed' } }]);
    expect((await activate()).body).toEqual(again.body);
    expect([await attempts(), await invoices()]).toEqual([
      ['succeeded', 'failed'],
      ['paid', 'void'],
    ]);
  });

  test("continues an interrupted refund if it's repeated (A4)", async () => {
    const { id } = await createActiveSubscription(shop);
    const path = `/transactions/${await latestTransaction(shop, id)}/refund`;
    const headers = { 'idempotency-key': 'refund-1' };
    processor.plays('settles silently');
    const first = await shop.rest('POST', path, {}, { headers });
    expect(first.body).toMatchObject({ status: 'pending' });
    await t.app.database.query(
      `UPDATE "IdempotencyKey" SET state = 'applied', "leaseUntil" = "createdAt" WHERE "environmentId" = $1 AND id = 'refund-1'`,
      [shop.environmentId],
    );
    expect((await shop.rest('POST', path, {}, { headers })).body).toEqual({
      ...first.body,
      status: 'succeeded',
    });
    expect(await attempts()).toEqual(['refunded']);
  });
});

/** Creates a subscription with a declined renewal. */
async function pastDue(): Promise<MadeSubscription> {
  const subscription = await createActiveSubscription(shop);
  processor.plays('declines', 'settles');
  expect(await advanceDays(shop, 28)).toBe('completed');
  return subscription;
}

describe('a clock run', () => {
  test('waits for the response to each renewal charge', async () => {
    const { id } = await createActiveSubscription(shop);
    const before = processor.taken().length;
    expect(await advanceDays(shop, 92)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(await invoices()).toEqual(['paid', 'paid', 'paid', 'paid']);
    expect(processor.taken()).toHaveLength(before + 3);
  });

  test('shows the outcomes of charges in its items', async () => {
    await createActiveSubscription(shop);
    processor.plays('declines', 'declines', 'settles');
    expect(await advanceDays(shop, 33)).toBe('completed');
    const { body } = await shop.rest<{ latestRun: { items: Row[] } }>('GET', '/test-clock');
    // The renewal and the retry on the next day were declined. The retry on the third day succeeded.
    expect(body.latestRun.items.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['billing_cycle', 'declined'],
      ['dunning_retry', 'declined'],
      ['dunning_retry', 'recovered'],
    ]);
  });

  test('sends a charge with its own ID for each of the four payment retries (BIL-33)', async () => {
    const { id } = await createActiveSubscription(shop);
    processor.plays('declines');
    expect(await advanceDays(shop, 40)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'canceled' });
    expect(await attempts()).toEqual(['succeeded', 'failed', 'failed', 'failed', 'failed', 'failed']);
    expect(await invoices()).toEqual(['paid', 'uncollectible']);
  });

  test('treats a required authentication as a declined charge, and cancels the charge at the provider (BIL-45)', async () => {
    const { id } = await createActiveSubscription(shop);
    processor.plays('asks');
    expect(await advanceDays(shop, 28)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'past_due' });
    expect(processor.calls.at(-1)).toMatch(/cancel$/);
    const rows = (await attemptRows()).toSorted((a, b) => a.repeats - b.repeats);
    expect(rows).toMatchObject([
      { inquireAt: null, repeats: 0 },
      { inquireAt: null, repeats: 1, contradiction: null },
    ]);
  });

  test("doesn't count an internal error as a payment retry, and repeats the attempt with the same ID (BIL-45)", async () => {
    const { id } = await pastDue();
    processor.plays('breaks', 'settles');
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await attempts()).toEqual(['succeeded', 'failed', 'pending']);
    await inquire(1);
    expect(await attempts()).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test('continues with other subscriptions while a charge has no response, and with the charged subscription after the provider inquiry', async () => {
    const [one, two] = [await createActiveSubscription(shop), await createActiveSubscription(shop)];
    const before = processor.taken().length;
    processor.plays('settles silently', 'settles');
    expect(await advanceDays(shop, 62)).toBe('completed');
    // The subscription with the pending charge isn't renewed again. The other subscription is renewed twice.
    expect((await invoices()).toSorted()).toEqual(['outstanding', 'paid', 'paid', 'paid', 'paid']);
    await inquire(1);
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await invoices()).toEqual(['paid', 'paid', 'paid', 'paid', 'paid', 'paid']);
    expect(processor.taken()).toHaveLength(before + 4);
    for (const { id } of [one, two]) expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test("first sends a charge that an earlier process committed but didn't send (BIL-5)", async () => {
    const { id } = await createActiveSubscription(shop);
    const before = processor.taken().length;
    processor.plays('loses', 'settles');
    expect(await advanceDays(shop, 28)).toBe('completed');
    // Restores the state left by a process that ends right after the commit.
    await t.app.database.query(
      `UPDATE "ChargeAttempt" SET asks = 0 WHERE "environmentId" = $1 AND "inquireAt" IS NOT NULL`,
      [shop.environmentId],
    );
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect([await attempts(), processor.taken().length]).toEqual([['succeeded', 'succeeded'], before + 1]);
  });
});

describe('a manual operation', () => {
  test('leaves a refund without a response pending until the provider inquiry, and refunds the amount once', async () => {
    const { id } = await createActiveSubscription(shop);
    const transactionId = await latestTransaction(shop, id);
    processor.plays('settles silently');
    const { body } = await shop.rest('POST', `/transactions/${transactionId}/refund`, {});
    expect(body).toMatchObject({ status: 'pending' });
    expect((await shop.rest('POST', `/transactions/${transactionId}/refund`, {})).body).toMatchObject({
      error: { code: 'validation_error' },
    });
    await inquire(1);
    expect(await attempts()).toEqual(['refunded']);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'canceled' });
    const refundId = (await attemptRows()).find((row) => row.id.startsWith('ref_'))?.id ?? '';
    expect(processor.made.get(refundId)).toMatchObject({ kind: 'refund', status: 'settled' });
    expect(processor.calls.filter((call) => call.endsWith(refundId))).toEqual([
      `PUT ${refundId}`,
      `GET ${refundId}`,
    ]);
  });

  test('leaves a payment retry without a response in processing, and ends dunning after the provider inquiry', async () => {
    const { id } = await pastDue();
    const transactionId = await latestTransaction(shop, id);
    processor.plays('settles silently');
    const { body } = await shop.rest('POST', `/transactions/${transactionId}/retry`);
    expect(body).toMatchObject({ status: 'processing' });
    expect((await shop.rest('POST', `/transactions/${transactionId}/retry`)).body).toMatchObject({
      error: { code: 'charge_in_progress' },
    });
    await inquire(1);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(await attempts()).toEqual(['succeeded', 'failed', 'succeeded']);
  });

  test('leaves a reactivation without a response in processing, and completes it after the provider inquiry', async () => {
    const { id } = await createActiveSubscription(shop);
    expect((await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true })).status).toBe(200);
    processor.plays('settles silently');
    expect((await shop.rest('POST', `/subscriptions/${id}/reactivate`, {})).body).toMatchObject({
      status: 'processing',
    });
    expect(await subscriptionOf(id)).toMatchObject({ status: 'canceled' });
    await inquire(1);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(await invoices()).toEqual(['paid', 'paid']);
  });
});
