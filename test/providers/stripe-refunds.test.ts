import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openStripe, type StripeServer } from '../support/stripe.ts';
import { type StripeCharge, StripeShop } from '../support/stripe-shop.ts';

// Refunds made at Stripe and reported by webhooks (PAY-26 to PAY-30). Quittance ignores the webhook's content and fetches the refunds.

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let stripe: StripeServer;
let t: TestApp;
let shop: StripeShop;
let paid: StripeCharge;
let before: number;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  shop = await StripeShop.open({ t, stripe, wall });
  paid = await shop.active();
  before = (await shop.events()).length;
});
afterEach(async () => {
  stripe.fails('/v1/refunds');
  expect(await shop.ledger()).toEqual({ ok: true, mismatches: [] });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Row = Record<string, unknown>;

const emitted = (type: string, id: string, changes: object = {}): Promise<number> =>
  shop.emit(type, { ...stripe.rows.get(id), ...changes });
/** Returns the charge in a `charge.refunded` webhook. */
const charge = (): Row => ({
  id: 'ch_1',
  object: 'charge',
  payment_intent: paid.intent,
  metadata: stripe.rows.get(paid.intent)?.metadata,
});
/** Returns the attempts, the subscription status, the refunds, and the events since the checkout. */
const state = async () => [
  await shop.attempts(),
  await shop.statusOf(paid.id),
  await shop.refunds(),
  await shop.events(before),
];
const untouched = [['succeeded'], 'active', [], []];
const ended = [
  ['refunded'],
  'canceled',
  ['succeeded 4900'],
  ['payment.refunded', 'credit_note.created', 'subscription.canceled', 'customer.state_changed'],
] as const;

const refund = () => shop.shop.rest('POST', `/transactions/${paid.transactionId}/refund`, {});

describe('a refund made at Stripe', () => {
  test('cancels the subscription only if the full amount is refunded, and otherwise changes only the refunded amount (PAY-26, PAY-29)', async () => {
    const part = stripe.returns(paid.intent, 900);
    expect(await emitted('refund.created', part)).toBe(200);
    expect(await state()).toEqual([
      ['succeeded'],
      'active',
      ['succeeded 900'],
      ['payment.refunded', 'credit_note.created'],
    ]);
    stripe.returns(paid.intent, 4_000);
    expect(await shop.emit('charge.refunded', charge())).toBe(200);
    expect(await state()).toEqual([
      ['refunded'],
      'canceled',
      ['succeeded 900', 'succeeded 4000'],
      [
        'payment.refunded',
        'credit_note.created',
        'payment.refunded',
        'credit_note.created',
        'subscription.canceled',
        'customer.state_changed',
      ],
    ]);
  });

  test('is recorded once, even if webhooks are repeated, reordered, or concurrent (PAY-30)', async () => {
    const all = stripe.returns(paid.intent, 4_900);
    const types = [
      'refund.updated',
      'charge.refunded',
      'refund.created',
      'charge.refund.updated',
      'refund.updated',
    ];
    const answers = await Promise.all(
      types.map((type) => (type === 'charge.refunded' ? shop.emit(type, charge()) : emitted(type, all))),
    );
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    expect(await state()).toEqual(ended);
    expect(await emitted('refund.created', all, { status: 'pending' })).toBe(200);
    expect(await state()).toEqual(ended);
    // All of the refunds were made at Stripe.
    expect(stripe.calls).not.toContain('POST /v1/refunds');
  });

  test('is recorded only after Stripe has sent the money', async () => {
    const all = stripe.returns(paid.intent, 4_900, 'pending');
    expect(await emitted('refund.created', all, { status: 'succeeded' })).toBe(200);
    expect(await state()).toEqual(untouched);
    stripe.changes(all, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    expect(await emitted('refund.failed', all)).toBe(200);
    expect(await state()).toEqual(untouched);
    stripe.changes(all, { status: 'succeeded' });
    expect(await emitted('refund.updated', all)).toBe(200);
    expect(await state()).toEqual(ended);
  });

  test.each([429, 500, 503] as const)(
    "is fetched from Stripe again after status %d, and the Retry-After header doesn't delay the webhook response",
    async (fault) => {
      const all = stripe.returns(paid.intent, 4_900);
      // Stripe's library repeats the request immediately.
      stripe.fails(`GET /v1/payment_intents/${paid.intent}`, fault, fault);
      const began = performance.now();
      expect(await emitted('refund.created', all)).toBe(503);
      // The test server asks for a retry after one minute.
      expect(performance.now() - began).toBeLessThan(30_000);
      expect(await state()).toEqual(untouched);
      stripe.fails(`GET /v1/payment_intents/${paid.intent}`);
      expect(await emitted('refund.created', all)).toBe(200);
      expect(await state()).toEqual(ended);
    },
  );

  test('is rejected if it exceeds the refundable amount, and nothing changes (PAY-27)', async () => {
    const more = stripe.returns(paid.intent, 4_901);
    expect(await emitted('refund.created', more)).toBe(200);
    expect(await state()).toEqual(untouched);
  });

  test('triggers a request for the charge if the charge has no response yet', async () => {
    stripe.fails('/v1/payment_intents', 'goes silent');
    const other = await StripeShop.open({ t, stripe, wall });
    await expect(other.active()).rejects.toThrow('charge_in_progress');
    const [intent] = other.own('pi');
    const all = stripe.returns(String(intent?.['id']), 4_900);
    expect(await other.attempts()).toEqual(['pending']);
    expect(await other.emit('refund.created', stripe.rows.get(all))).toBe(200);
    expect([await other.attempts(), await other.ledger()]).toEqual([
      ['refunded'],
      { ok: true, mismatches: [] },
    ]);
    expect((await other.list('/subscriptions')).map(({ status }) => status)).toEqual(['canceled']);
  });

  test("is ignored if the payment wasn't made by Quittance", async () => {
    const [own] = shop.own('pi');
    const strange = {
      ...own,
      id: 'pi_strange',
      metadata: { environment: 'env_other', attempt: paid.transactionId },
    };
    stripe.changes(paid.intent, { metadata: strange.metadata });
    const all = stripe.returns(paid.intent, 4_900);
    expect(await emitted('refund.created', all)).toBe(200);
    expect(await emitted('refund.created', all, { payment_intent: null })).toBe(200);
    expect(await state()).toEqual(untouched);
  });
});

describe('a refund made in Quittance', () => {
  test("isn't recorded twice if the webhook arrives before or after the response (PAY-28)", async () => {
    expect((await refund()).body).toMatchObject({ status: 'succeeded' });
    const [made] = shop.own('re');
    for (const type of ['refund.created', 'refund.updated', 'charge.refunded']) {
      expect(await shop.emit(type, type === 'charge.refunded' ? charge() : made)).toBe(200);
    }
    expect(await state()).toEqual(ended);
  });

  test.each(['refund.created', 'charge.refunded'])(
    'is resolved by the webhook %s if its response is missing',
    async (type) => {
      stripe.fails('/v1/refunds', 'goes silent');
      expect((await refund()).body).toMatchObject({ status: 'pending' });
      expect(await shop.refunds()).toEqual(['pending 4900']);
      const [made] = shop.own('re');
      expect(await shop.emit(type, type === 'charge.refunded' ? charge() : made)).toBe(200);
      expect(await state()).toEqual(ended);
    },
  );

  test('postpones a refund made at Stripe until its own response arrives', async () => {
    stripe.fails('/v1/refunds', 503, 503, 503, 503);
    expect(
      await shop.run<Row>(
        `mutation { transactionRefund(input: { id: "${paid.transactionId}", amount: 900 }) { status } }`,
      ),
    ).toEqual({
      transactionRefund: { status: 'pending' },
    });
    const manual = stripe.returns(paid.intent, 4_000);
    // Stripe doesn't know this refund yet, so it stays pending. The refund made at Stripe must be reported again.
    expect(await emitted('refund.created', manual)).toBe(503);
    expect(await shop.refunds()).toEqual(['pending 900']);
    stripe.fails('/v1/refunds');
    expect(await emitted('refund.created', manual)).toBe(200);
    expect((await state()).slice(0, 3)).toEqual([
      ['refunded'],
      'canceled',
      ['succeeded 900', 'succeeded 4000'],
    ]);
  });

  test('stays recorded if the bank returns it later, and the contradiction is recorded too', async () => {
    await refund();
    const [made] = shop.own('re');
    stripe.changes(String(made?.['id']), { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    expect(await shop.emit('refund.failed', stripe.rows.get(String(made?.['id'])))).toBe(200);
    expect(await shop.emit('refund.failed', stripe.rows.get(String(made?.['id'])))).toBe(200);
    expect(await state()).toEqual(ended);
    const kept = await t.app.database.query(
      `SELECT repeats, contradiction FROM "ChargeAttempt" WHERE "environmentId" = $1 AND contradiction IS NOT NULL`,
      [shop.shop.environmentId],
    );
    expect(kept).toEqual([
      {
        repeats: 1,
        contradiction: {
          status: 'declined',
          declineCode: 'lost_or_stolen_card',
          message: 'The refund failed.',
        },
      },
    ]);
  });
});

describe('a dispute during a refund', () => {
  test("waits for the refund's result, and puts the remaining amount on hold (PAY-32)", async () => {
    stripe.fails('/v1/refunds', 503, 503, 503, 503);
    await shop.run(
      `mutation { transactionRefund(input: { id: "${paid.transactionId}", amount: 900 }) { status } }`,
    );
    const dispute = stripe.opens(paid.intent, 'needs_response');
    expect(await emitted('charge.dispute.created', dispute)).toBe(503);
    expect((await state()).slice(0, 3)).toEqual([['succeeded'], 'active', ['pending 900']]);
    stripe.fails('/v1/refunds');
    expect(await emitted('charge.dispute.created', dispute)).toBe(200);
    expect(await state()).toEqual([
      ['disputed'],
      'active',
      ['succeeded 900'],
      ['payment.refunded', 'credit_note.created', 'payment.disputed'],
    ]);
  });
});
