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

// Charges through a processor at the other end of a network: whatever it says, however late and however often, money
// moves once and no invoice is lost.

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
    env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '20' },
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

/** Moves operational time and wakes the worker, which looks by it. */
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
  test('that settles is paid by one call', async () => {
    const before = processor.calls.length;
    const { id, token } = await createSubscription(shop);
    expect(await pay(shop, token)).toBe('paid');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(processor.calls.slice(before)).toEqual([expect.stringMatching(/^PUT txn_/)]);
    expect(await attemptRows()).toMatchObject([
      { asks: 1, inquireAt: null, repeats: 0, contradiction: null },
    ]);
  });

  test('that is declined stays open, and the next attempt has a name of its own', async () => {
    processor.plays('declines', 'settles');
    const { id, token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_failed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'pending_payment' });
    expect(await pay(shop, token)).toBe('paid');
    expect(await attempts()).toEqual(['failed', 'succeeded']);
    expect(await invoices()).toEqual(['paid']);
  });

  test('BIL-32: charged without an answer it stays pending, rejects a second attempt, and is settled by the inquiry', async () => {
    processor.plays('settles silently');
    const before = processor.taken().length;
    const { id, token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
    expect([await attempts(), await invoices()]).toEqual([['pending'], ['outstanding']]);
    // SUB-5: nothing else that moves money meanwhile.
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

  test('rejected without an answer is open again once the inquiry tells', async () => {
    processor.plays('declines silently', 'settles');
    const { id, token } = await createSubscription(shop);
    expect(codeOf(await tryToPay(token))).toBe('charge_in_progress');
    await inquire(1);
    expect(await attempts()).toEqual(['failed']);
    expect(await pay(shop, token)).toBe('paid');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test.each(['loses', 'breaks'] as const)(
    'that the processor %s is made under the same name when it says it has never heard of it',
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

  test('BIL-2 rank 0: is inquired about after 1, 5, 15 and 60 minutes, then hourly, until there is an answer', async () => {
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
    // It was counted before it was answered.
    await eventually(async () => (await attempts()).join() !== 'pending');
    expect(await attempts()).toEqual(['succeeded']);
  });

  test.each([
    ['the same', undefined, null],
    ['another', { status: 'declined', declineCode: 'card_declined' }, { status: 'declined' }],
  ] as const)(
    'BIL-32: %s answer that comes after the inquiry is kept and changes nothing',
    async (_which, late, contradiction) => {
      processor.plays('settles late');
      const { token } = await createSubscription(shop);
      // The first to ask is still waiting while the worker asks what has become of it.
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

  test('paid by two immediately is charged once', async () => {
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

  test('that wants authentication waits for the payer, and a new attempt takes it back first', async () => {
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

  test('whose payer has authenticated is paid when the processor says so, whatever the page says', async () => {
    processor.plays('asks');
    const authenticate = (token: string | null, succeed: boolean) =>
      t.graphql<{ checkoutAuthenticate: { status: string } }>(
        'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }',
        { input: { token, succeed } },
        { key: null },
      );
    const { id, token } = await createSubscription(shop);
    expect(await pay(shop, token)).toBe('requires_action');
    // The page claims success, the processor knows of none.
    expect((await authenticate(token, true)).checkoutAuthenticate.status).toBe('requires_action');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'pending_payment' });
    processor.decides((await attemptRows())[0]?.id ?? '', { status: 'settled' });
    expect((await authenticate(token, true)).checkoutAuthenticate.status).toBe('paid');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });
});

describe('a request under an idempotency key', () => {
  test('of an add-on without an answer leaves no room for a plan grant, which would exclude it (SUB-53, SUB-70)', async () => {
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

  test('is answered once, and its repetition replays the answer', async () => {
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

  test('A4: that was abandoned after its first write is brought to its end when it is made again', async () => {
    const { subscription, addonId } = await buyer();
    const headers = { 'idempotency-key': 'buy-2' };
    const before = processor.taken().length;
    processor.plays('settles silently');
    const activate = () =>
      shop.rest('POST', `/subscriptions/${subscription.id}/addons`, { addonId }, { headers });
    expect((await activate()).body).toMatchObject({ error: { code: 'charge_in_progress' } });
    // As if the process had ended before it could answer.
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

  test('A4: whose charge has no answer yet gets that of the charge when it is made again, were it a decline', async () => {
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

  test('A4: of a refund continues with the refund it asked for', async () => {
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

/** A subscription whose renewal was declined. */
async function pastDue(): Promise<MadeSubscription> {
  const subscription = await createActiveSubscription(shop);
  processor.plays('declines', 'settles');
  expect(await advanceDays(shop, 28)).toBe('completed');
  return subscription;
}

describe('a clock run', () => {
  test('renews, and continues only when every charge of an instant is answered', async () => {
    const { id } = await createActiveSubscription(shop);
    const before = processor.taken().length;
    expect(await advanceDays(shop, 92)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect(await invoices()).toEqual(['paid', 'paid', 'paid', 'paid']);
    expect(processor.taken()).toHaveLength(before + 3);
  });

  test('shows in its items what became of the charges', async () => {
    await createActiveSubscription(shop);
    processor.plays('declines', 'declines', 'settles');
    expect(await advanceDays(shop, 33)).toBe('completed');
    const { body } = await shop.rest<{ latestRun: { items: Row[] } }>('GET', '/test-clock');
    // The renewal was declined, the slot of the day after as well, and that of the third day paid.
    expect(body.latestRun.items.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['billing_cycle', 'declined'],
      ['dunning_retry', 'declined'],
      ['dunning_retry', 'recovered'],
    ]);
  });

  test('BIL-33: four slots are four attempts more, each with a name of its own', async () => {
    const { id } = await createActiveSubscription(shop);
    processor.plays('declines');
    expect(await advanceDays(shop, 40)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'canceled' });
    expect(await attempts()).toEqual(['succeeded', 'failed', 'failed', 'failed', 'failed', 'failed']);
    expect(await invoices()).toEqual(['paid', 'uncollectible']);
  });

  test('BIL-45: a wish for authentication is a decline, and is taken back at the processor', async () => {
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

  test('BIL-45: an error on our side uses up no slot: the retry is made again under its own name', async () => {
    const { id } = await pastDue();
    processor.plays('breaks', 'settles');
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await attempts()).toEqual(['succeeded', 'failed', 'pending']);
    await inquire(1);
    expect(await attempts()).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test('that meets silence continues with the others, and the subject continues after the inquiry', async () => {
    const [one, two] = [await createActiveSubscription(shop), await createActiveSubscription(shop)];
    const before = processor.taken().length;
    processor.plays('settles silently', 'settles');
    expect(await advanceDays(shop, 62)).toBe('completed');
    // The one whose charge is open is not renewed again; the other has been twice.
    expect((await invoices()).toSorted()).toEqual(['outstanding', 'paid', 'paid', 'paid', 'paid']);
    await inquire(1);
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await invoices()).toEqual(['paid', 'paid', 'paid', 'paid', 'paid', 'paid']);
    expect(processor.taken()).toHaveLength(before + 4);
    for (const { id } of [one, two]) expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
  });

  test('BIL-5: what a process left behind between its commit and its call is asked for first, once', async () => {
    const { id } = await createActiveSubscription(shop);
    const before = processor.taken().length;
    processor.plays('loses', 'settles');
    expect(await advanceDays(shop, 28)).toBe('completed');
    // As if it had ended right after the commit.
    await t.app.database.query(
      `UPDATE "ChargeAttempt" SET asks = 0 WHERE "environmentId" = $1 AND "inquireAt" IS NOT NULL`,
      [shop.environmentId],
    );
    expect(await advanceDays(shop, 1)).toBe('completed');
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active' });
    expect([await attempts(), processor.taken().length]).toEqual([['succeeded', 'succeeded'], before + 1]);
  });
});

describe('manually', () => {
  test('a refund without an answer is pending until the inquiry, and returns the money once', async () => {
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

  test('a retry without an answer is processing, and ends dunning with the inquiry', async () => {
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

  test('a new start without an answer is processing, and happens with the inquiry', async () => {
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
