import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcile } from '../../../../src/modules/payments/reconciliation/reconcile.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { MovableClock, recording } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { createSubscription } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { openStripe, type StripeServer, stripeMethods } from '../../../support/stripe.ts';
import { type StripeCharge, StripeShop } from '../../../support/stripe-shop.ts';

// Payment attempts with an unknown outcome are automatically reconciled with Stripe's records, even if several callers report the outcome
// at the same time.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
const later = (minutes: number): Date => new Date(Date.parse(began) + minutes * 60_000);

let stripe: StripeServer;
let t: TestApp;
let shop: StripeShop;
let paid: StripeCharge;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  // This attempt is one second older than the others, so it comes first.
  wall.set(later(-1 / 60).toISOString());
  shop = await StripeShop.open({ t, stripe, wall });
  paid = await shop.active();
  wall.set(began);
});
afterEach(async () => {
  stripe.fails('/v1/payment_intents');
  stripe.fails('/v1/refunds');
  expect(await shop.ledger()).toEqual({ ok: true, mismatches: [] });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Attempt = {
  readonly inquireAt: Date | null;
  readonly compareAt: Date | null;
  readonly contradiction: unknown;
};

const attempts = (): Promise<Attempt[]> =>
  t.app.database.query<Attempt>(
    'SELECT "inquireAt", "compareAt", contradiction FROM "ChargeAttempt" WHERE "environmentId" = $1 ORDER BY "createdAt", id',
    [shop.shop.environmentId],
  );
/** Waits until the worker has completed all provider tasks due at a given time. */
async function worked(at: Date): Promise<void> {
  wall.set(at.toISOString());
  const isDue = ({ inquireAt, compareAt }: Attempt): boolean =>
    [inquireAt, compareAt].some((time) => time !== null && time <= at);
  await eventually(attempts, (rows) => !rows.some(isDue));
}

const reconcileText =
  'mutation { gatewayReconcile(input: {}) { checked open isComplete differences { kind isRepaired } } }';

describe('automatic reconciliation', () => {
  test('starts one hour after an attempt without a response, and records all changes missed since then', async () => {
    stripe.fails('/v1/payment_intents', ...Array.from({ length: 20 }, () => 503 as const));
    const { id, token } = await createSubscription(shop.shop);
    expect(await shop.payRejected(token, stripeMethods.pays)).toMatchObject({ code: 'charge_in_progress' });
    // The first payment is refunded at Stripe, and the webhook is lost.
    stripe.returns(paid.intent, 4_900);
    for (const minutes of [1, 5, 15]) await worked(later(minutes));
    expect([await shop.refunds(), await shop.statusOf(paid.id)]).toEqual([[], 'active']);
    await worked(later(60));
    expect([await shop.refunds(), await shop.statusOf(paid.id)]).toEqual([['succeeded 4900'], 'canceled']);
    expect(await attempts()).toMatchObject([
      { compareAt: null },
      { inquireAt: later(120), compareAt: later(25 * 60) },
    ]);
    expect(await shop.attempts()).toEqual(['refunded', 'pending']);
    // The next status request returns the outcome.
    stripe.fails('/v1/payment_intents');
    await worked(later(120));
    expect([await shop.attempts(), await shop.statusOf(id)]).toEqual([['refunded', 'succeeded'], 'active']);
    expect(await attempts()).toMatchObject([{ compareAt: null }, { inquireAt: null, compareAt: null }]);
    expect(await shop.run(reconcileText)).toEqual({
      gatewayReconcile: { checked: 2, open: 0, isComplete: true, differences: [] },
    });
  });

  test('starts immediately after contradictory results', async () => {
    const other = await shop.active();
    await shop.shop.rest('POST', `/transactions/${other.transactionId}/refund`);
    stripe.returns(paid.intent, 900);
    const [made] = shop.own('re');
    stripe.changes(String(made?.['id']), { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    expect(await shop.emit('refund.failed', stripe.rows.get(String(made?.['id'])))).toBe(200);
    await worked(wall.now());
    expect(await shop.refunds()).toEqual(['succeeded 4900', 'succeeded 900']);
    const contradicted = (await attempts()).filter(({ contradiction }) => contradiction !== null);
    expect(contradicted).toMatchObject([{ contradiction: { status: 'declined' }, compareAt: null }]);
    // Differences that can't be repaired are reported again by the next comparison.
    expect(await shop.run(reconcileText)).toEqual({
      gatewayReconcile: {
        checked: 3,
        open: 0,
        isComplete: true,
        differences: [{ kind: 'status', isRepaired: false }],
      },
    });
  });

  test("continues with other accounts if one account's key was revoked", async () => {
    const keys = { name: 'Old', secretKey: 'sk_test_2', publishableKey: 'pk_test_2' };
    const make =
      'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }';
    const { connectedAccountCreate: old } = await shop.run<{ connectedAccountCreate: { id: string } }>(make, {
      input: keys,
    });
    await t.app.database.query(
      'UPDATE "PaymentConnection" SET "secretKey" = $3 WHERE "environmentId" = $1 AND id = $2',
      [shop.shop.environmentId, old.id, t.app.secrets.encrypt('sk_test_refused')],
    );
    stripe.returns(paid.intent, 900);
    expect(await shop.run(reconcileText)).toEqual({
      gatewayReconcile: {
        checked: 1,
        open: 0,
        isComplete: false,
        differences: [{ kind: 'missing_here', isRepaired: true }],
      },
    });
    expect(await shop.refunds()).toEqual(['succeeded 900']);
  });
});

describe('reconciliation alongside webhooks and API requests', () => {
  const refund = () => shop.shop.rest('POST', `/transactions/${paid.transactionId}/refund`, {});
  const ended = [
    'payment.refunded',
    'credit_note.created',
    'subscription.canceled',
    'customer.state_changed',
  ];

  test('records a refund made at Stripe once, even if webhooks, reconciliation, and an API refund run at the same time', async () => {
    const before = (await shop.events()).length;
    const manual = stripe.returns(paid.intent, 4_900);
    const emit = () => shop.emit('refund.created', stripe.rows.get(manual));
    const [api] = await Promise.all([
      refund(),
      emit(),
      shop.run(reconcileText),
      emit(),
      shop.run(reconcileText),
      emit(),
    ]);
    expect(api.status).toBeGreaterThanOrEqual(400);
    while ((await emit()) !== 200) await worked(wall.now());
    expect([
      (await shop.refunds()).filter((one) => one.startsWith('succeeded')),
      await shop.attempts(),
    ]).toEqual([['succeeded 4900'], ['refunded']]);
    expect([await shop.statusOf(paid.id), await shop.events(before)]).toEqual(['canceled', ended]);
    expect(shop.own('re')).toEqual([]);
  });

  test('records a refund made through the API once if the response is lost', async () => {
    const before = (await shop.events()).length;
    stripe.fails('/v1/refunds', 'goes silent');
    expect((await refund()).body).toMatchObject({ status: 'pending' });
    const [made] = shop.own('re');
    wall.set(later(1).toISOString());
    await Promise.all([
      shop.emit('refund.created', made),
      shop.run(reconcileText),
      worked(later(1)),
      shop.emit('charge.refunded', {
        id: 'ch_1',
        object: 'charge',
        payment_intent: paid.intent,
        metadata: {},
      }),
      shop.run(reconcileText),
    ]);
    expect([await shop.refunds(), await shop.attempts(), await shop.statusOf(paid.id)]).toEqual([
      ['succeeded 4900'],
      ['refunded'],
      'canceled',
    ]);
    expect([shop.own('re').length, await shop.events(before)]).toEqual([1, ended]);
  });

  test('records a charge once if the response is lost', async () => {
    stripe.fails('/v1/payment_intents', 'goes silent');
    const { id, token } = await createSubscription(shop.shop);
    const before = (await shop.events()).length;
    expect(await shop.payRejected(token, stripeMethods.pays)).toMatchObject({ code: 'charge_in_progress' });
    const intent = shop.own('pi').at(-1);
    wall.set(later(1).toISOString());
    await Promise.all([
      shop.emit('payment_intent.succeeded', intent),
      shop.run(reconcileText),
      worked(later(1)),
      shop.emit('payment_intent.succeeded', intent),
      shop.run(reconcileText),
    ]);
    expect([await shop.statusOf(id), await shop.attempts(), shop.own('pi').length]).toEqual([
      'active',
      ['succeeded', 'succeeded'],
      2,
    ]);
    expect(await shop.events(before)).toEqual([
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'customer.state_changed',
    ]);
  });
});

test("a refund that Stripe rejects is marked as failed with Stripe's error code, and the existing refund at Stripe is recorded", async () => {
  const manual = stripe.returns(paid.intent, 900);
  const { status, body } = await shop.shop.rest('POST', `/transactions/${paid.transactionId}/refund`, {});
  expect([status, body]).toMatchObject([
    402,
    { error: { code: 'payment_failed', details: { declineCode: 'charge_already_refunded' } } },
  ]);
  expect([await shop.refunds(), await shop.attempts()]).toEqual([['failed 4900'], ['succeeded']]);
  expect(await shop.emit('refund.created', stripe.rows.get(manual))).toBe(200);
  expect([await shop.refunds(), await shop.statusOf(paid.id)]).toEqual([
    ['failed 4900', 'succeeded 900'],
    'active',
  ]);
});

test('reconciliation uses the same number of SQL statements for 5 and for 500 attempts', async () => {
  const { environmentId } = shop.shop;
  const counts: number[] = [];
  for (const size of [5, 500]) {
    // Copies of the payment in Quittance and at Stripe.
    const have = (await attempts()).length;
    await t.app.database.query(
      `INSERT INTO "ChargeAttempt" SELECT (r).* FROM (
         SELECT jsonb_populate_record(a, jsonb_build_object('id', 'txn_copy' || n, 'createdAt', a."createdAt" + n * interval '1 second',
           'request', a.request || jsonb_build_object('transactionId', 'txn_copy' || n))) AS r
         FROM "ChargeAttempt" a, generate_series($3::int, $4::int - 1) n WHERE a."environmentId" = $1 AND a.id = $2) made`,
      [environmentId, paid.transactionId, have, size],
    );
    const intent = stripe.rows.get(paid.intent);
    for (let n = have; n < size; n++)
      stripe.copies(paid.intent, { metadata: { ...intent?.metadata, attempt: `txn_copy${n}` } });
    const { app, statements } = recording(t.app);
    const ctx = await systemContext(app, environmentId);
    statements.length = 0;
    expect(await reconcile(ctx, {})).toEqual({
      checked: size,
      open: 0,
      isComplete: true,
      differences: [],
      next: null,
    });
    counts.push(statements.length);
  }
  expect(counts[1]).toBe(counts[0]);
  expect(counts[0]).toBeLessThan(6);
});
