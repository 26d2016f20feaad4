import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openStripe, type StripeServer } from '../support/stripe.ts';
import { type StripeCharge, StripeShop } from '../support/stripe-shop.ts';

// Refunds made at Stripe manually, told by its webhooks (PAY-26 to PAY-30). What a message says is ignored: the refunds are asked for.

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let stripe: StripeServer;
let t: TestApp;
let shop: StripeShop;
let paid: StripeCharge;
let before: number;
beforeAll(async () => {
  stripe = await openStripe();
  t = await startApp({ wall, env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '20' } });
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
/** A charge as `charge.refunded` shows it. */
const charge = (): Row => ({
  id: 'ch_1',
  object: 'charge',
  payment_intent: paid.intent,
  metadata: stripe.rows.get(paid.intent)?.metadata,
});
/** Attempts, the subscription, refunds and what was sent since the checkout. */
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
  ['payment.refunded', 'subscription.canceled', 'customer.state_changed'],
] as const;

const refund = () => shop.shop.rest('POST', `/transactions/${paid.transactionId}/refund`, {});

describe('made manually', () => {
  test('PAY-26, PAY-29: a part changes nothing else, and with the rest the plan ends', async () => {
    const part = stripe.returns(paid.intent, 900);
    expect(await emitted('refund.created', part)).toBe(200);
    expect(await state()).toEqual([['succeeded'], 'active', ['succeeded 900'], ['payment.refunded']]);
    stripe.returns(paid.intent, 4_000);
    expect(await shop.emit('charge.refunded', charge())).toBe(200);
    expect(await state()).toEqual([
      ['refunded'],
      'canceled',
      ['succeeded 900', 'succeeded 4000'],
      ['payment.refunded', 'payment.refunded', 'subscription.canceled', 'customer.state_changed'],
    ]);
  });

  test('PAY-30: counts once, however often, in what order and by how many messages immediately it is told', async () => {
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
    // None of it was asked for from here.
    expect(stripe.calls).not.toContain('POST /v1/refunds');
  });

  test('counts when its money is on its way, not before', async () => {
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
    'is told again while Stripe answers %d, whose Retry-After keeps no one waiting',
    async (fault) => {
      const all = stripe.returns(paid.intent, 4_900);
      // The library asks once more at once.
      stripe.fails(`GET /v1/payment_intents/${paid.intent}`, fault, fault);
      const began = performance.now();
      expect(await emitted('refund.created', all)).toBe(503);
      // The stand-in asks to come again in a minute.
      expect(performance.now() - began).toBeLessThan(30_000);
      expect(await state()).toEqual(untouched);
      stripe.fails(`GET /v1/payment_intents/${paid.intent}`);
      expect(await emitted('refund.created', all)).toBe(200);
      expect(await state()).toEqual(ended);
    },
  );

  test('PAY-27: more than is left is rejected, and nothing changes', async () => {
    const more = stripe.returns(paid.intent, 4_901);
    expect(await emitted('refund.created', more)).toBe(200);
    expect(await state()).toEqual(untouched);
  });

  test('told before the charge has its answer: the charge is asked for first', async () => {
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

  test('of a payment that is not ours is ignored', async () => {
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

describe('made from here', () => {
  test('PAY-28: is not counted twice, told before or after our own answer', async () => {
    expect((await refund()).body).toMatchObject({ status: 'succeeded' });
    const [made] = shop.own('re');
    for (const type of ['refund.created', 'refund.updated', 'charge.refunded']) {
      expect(await shop.emit(type, type === 'charge.refunded' ? charge() : made)).toBe(200);
    }
    expect(await state()).toEqual(ended);
  });

  test.each(['refund.created', 'charge.refunded'])('without an answer yet gets it with %s', async (type) => {
    stripe.fails('/v1/refunds', 'goes silent');
    expect((await refund()).body).toMatchObject({ status: 'pending' });
    expect(await shop.refunds()).toEqual(['pending 4900']);
    const [made] = shop.own('re');
    expect(await shop.emit(type, type === 'charge.refunded' ? charge() : made)).toBe(200);
    expect(await state()).toEqual(ended);
  });

  test('lets one made manually wait until it has its answer', async () => {
    stripe.fails('/v1/refunds', 503, 503, 503, 503);
    expect(
      await shop.run<Row>(
        `mutation { transactionRefund(input: { id: "${paid.transactionId}", amount: 900 }) { status } }`,
      ),
    ).toEqual({
      transactionRefund: { status: 'pending' },
    });
    const manual = stripe.returns(paid.intent, 4_000);
    // Stripe has not heard of ours yet, so that it stays open and the other has to be told again.
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

  test('that the bank sends back later is kept as a contradiction, and the refund stays', async () => {
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
          message: 'The refund was not made.',
        },
      },
    ]);
  });
});

describe('a dispute beside a refund', () => {
  test('PAY-32: waits for the answer to the refund, and freezes what that leaves', async () => {
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
      ['payment.refunded', 'payment.disputed'],
    ]);
  });
});
