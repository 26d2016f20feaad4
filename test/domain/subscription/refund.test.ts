import { describe, expect, test } from 'vitest';
import { replay } from '../../../src/domain/ledger/verify.ts';
import type { Outcome, TransactionRow } from '../../../src/domain/subscription/state/aggregate.ts';
import { simplePlan } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

/** Creates a subscription for 34.00 a month that was paid on May 18. */
function paid(first = 'pays', later = first): World {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat(first, later));
  expect(world.sent).toContain('payment.received');
  return world;
}

const transaction = (world: World, index = 0): TransactionRow => {
  const row = world.aggregate.transactions[index];
  if (row === undefined) throw new Error('no transaction');
  return row;
};
const refund = (world: World, now: string, amountMinor: bigint | null = null, index = 0): Outcome =>
  world.do(now, {
    kind: 'transaction.refund',
    transactionId: transaction(world, index).id,
    refundId: `ref_${now}_${amountMinor}`,
    amountMinor,
    reason: null,
  });
const dispute = (world: World, now: string): Outcome =>
  world.do(now, { kind: 'dispute.open', transactionId: transaction(world).id, reason: 'fraudulent' });
const resolve = (world: World, now: string, outcome: 'won' | 'lost'): Outcome =>
  world.do(now, { kind: 'dispute.resolve', transactionId: transaction(world).id, outcome });
const balance = (world: World, account: string): bigint => replay(world.ledger).get(`${account} usd`) ?? 0n;
const outcomeOf = (outcome: Outcome) =>
  outcome.kind === 'rejection' ? [outcome.code, outcome.param, outcome.message] : outcome.kind;

describe('a full refund', () => {
  test('ends the subscription immediately and keeps the invoice paid (PAY-28, PAY-29)', () => {
    const world = paid();
    expect(refund(world, '2027-05-20T10:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'payment.refunded',
      'credit_note.created',
      'subscription.canceled',
      'state subscription_canceled',
    ]);
    expect(world.event('payment.refunded').data).toEqual({
      paymentTransactionId: transaction(world).id,
      provider: 'platform',
      paymentLinkId: null,
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0001',
      customerId: 'acme-7',
      subscriptionId: world.subscription.id,
      refundAmount: 3_400,
      currency: 'usd',
    });
    expect(transaction(world)).toMatchObject({
      status: 'refunded',
      refundedMinor: 3_400n,
      updatedAt: at('2027-05-20T10:00:00Z'),
    });
    expect(world.invoice).toMatchObject({ status: 'paid', total: 3_400n });
    expect(world.subscription).toMatchObject({
      status: 'canceled',
      cancelReason: 'refund',
      endDate: at('2027-05-20T10:00:00Z'),
      canceledAt: at('2027-05-20T10:00:00Z'),
    });
    expect(world.deadlines).toEqual([]);
    expect([balance(world, 'processor_clearing'), balance(world, 'revenue')]).toEqual([0n, 0n]);
  });

  test('replaces a scheduled cancellation with an immediate cancellation', () => {
    const world = paid();
    world.do('2027-05-19', {
      kind: 'subscription.cancel',
      subscriptionId: world.subscription.id,
      reason: null,
      immediate: false,
    });
    refund(world, '2027-05-20');
    expect(world.subscription).toMatchObject({
      status: 'canceled',
      cancelAtPeriodEnd: false,
      cancelEffectiveAt: null,
      cancelReason: 'refund',
    });
  });

  test('cancels the subscription even if the charge was for an earlier period, and voids later outstanding invoices (PAY-30)', () => {
    const world = paid('pays', 'declines');
    world.advance('2027-06-18');
    expect(world.subscription.status).toBe('past_due');
    world.mood = 'pays';
    expect(world.sent).toContain('subscription.past_due');
    refund(world, '2027-06-18T12:00:00Z');
    expect(world.sent).toEqual([
      'payment.refunded',
      'credit_note.created',
      'invoice.voided',
      'credit_note.created',
      'subscription.canceled',
      'state subscription_canceled',
    ]);
    expect(world.invoice.status).toBe('void');
  });

  test('ends a one-time purchase (SUB-26)', () => {
    const world = new World('2027-05-18', simplePlan('one_time', 3_400n));
    world.create(null, { planId: 'cove' });
    world.pay(null);
    refund(world, '2027-05-19');
    expect(world.subscription).toMatchObject({ status: 'canceled', cancelReason: 'refund' });
  });

  test('returns the money without other effects if the subscription has already ended', () => {
    const world = paid();
    world.do('2027-05-19', {
      kind: 'subscription.cancel',
      subscriptionId: world.subscription.id,
      reason: null,
      immediate: true,
    });
    const ended = world.subscription;
    expect(world.sent).toContain('subscription.canceled');
    refund(world, '2027-05-20');
    expect(world.sent).toEqual(['payment.refunded', 'credit_note.created']);
    expect(world.subscription).toEqual(ended);
  });
});

describe('a partial refund', () => {
  test('returns the money without other effects until the charge is fully refunded', () => {
    const world = paid();
    refund(world, '2027-05-19', 1_000n);
    expect(world.sent).toEqual(['payment.refunded', 'credit_note.created']);
    expect(transaction(world)).toMatchObject({ status: 'succeeded', refundedMinor: 1_000n });
    expect(world.subscription.status).toBe('active');
    expect(outcomeOf(refund(world, '2027-05-20', 2_401n))).toEqual([
      'validation_error',
      'amount',
      'The amount exceeds the refundable amount of the transaction. Refund a smaller amount.',
    ]);
    expectUnchanged(world);
    refund(world, '2027-05-21');
    expect(world.event('payment.refunded').data['refundAmount']).toBe(2_400);
    expect(transaction(world).status).toBe('refunded');
    expect(world.subscription).toMatchObject({ status: 'canceled', cancelReason: 'refund' });
    expect(balance(world, 'processor_clearing')).toBe(0n);
  });
});

test('a refund reported twice with the same ID is recorded once (PAY-26)', () => {
  const world = paid();
  const command = {
    kind: 'transaction.refund',
    transactionId: transaction(world).id,
    refundId: 'ref_1',
    amountMinor: 900n,
  } as const;
  world.do('2027-05-19', { ...command, reason: null });
  expect(world.do('2027-05-20', { ...command, reason: null })).toMatchObject({
    kind: 'ok',
    status: 'unchanged',
  });
  expectUnchanged(world);
  expect(transaction(world)).toMatchObject({ status: 'succeeded', refundedMinor: 900n });
});

describe("a refund that can't be made (PAY-27)", () => {
  test('is rejected after an earlier full refund', () => {
    const world = paid();
    refund(world, '2027-05-19');
    expect(outcomeOf(refund(world, '2027-05-20'))).toEqual([
      'validation_error',
      'id',
      'The transaction was already refunded in full.',
    ]);
    expectUnchanged(world);
  });

  test('is rejected for a failed attempt', () => {
    const world = paid('pays', 'declines');
    world.advance('2027-06-18');
    expect(outcomeOf(refund(world, '2027-06-19', null, 1))).toEqual([
      'validation_error',
      'id',
      'Only a successful transaction can be refunded.',
    ]);
    expectUnchanged(world);
  });

  test('is rejected during a dispute, and permanently after a lost dispute', () => {
    const world = paid();
    dispute(world, '2027-05-19');
    const rejected = ['validation_error', 'id', "A disputed transaction can't be refunded."];
    expect(outcomeOf(refund(world, '2027-05-20'))).toEqual(rejected);
    expectUnchanged(world);
    resolve(world, '2027-05-21', 'lost');
    expect(outcomeOf(refund(world, '2027-05-22'))).toEqual(rejected);
  });

  test('is rejected while another refund is pending, whose result is recorded once', () => {
    const world = paid();
    world.mood = 'silent';
    expect(refund(world, '2027-05-19', 100n)).toMatchObject({ kind: 'ok', status: 'unanswered' });
    const [pending] = world.aggregate.refunds;
    expect(pending).toMatchObject({ status: 'pending', amountMinor: 100n });
    expect(transaction(world).refundedMinor).toBe(0n);
    expect(outcomeOf(refund(world, '2027-05-20'))).toEqual([
      'validation_error',
      'id',
      'A refund of the transaction is still processing. Try again in a moment.',
    ]);
    expectUnchanged(world);
    expect(outcomeOf(dispute(world, '2027-05-20'))).toEqual([
      'validation_error',
      'id',
      'A refund of the transaction is still processing. Try again in a moment.',
    ]);
    expectUnchanged(world);
    const answer = {
      kind: 'charge.result',
      transactionId: pending?.id ?? '',
      result: { status: 'settled' },
    } as const;
    world.do('2027-05-21', answer);
    expect(transaction(world).refundedMinor).toBe(100n);
    expect(world.do('2027-05-22', answer)).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
  });

  test('is rejected if the refund would end a subscription with a pending charge', () => {
    const world = paid('pays', 'silent');
    world.advance('2027-06-18');
    expect(outcomeOf(refund(world, '2027-06-19'))).toEqual([
      'validation_error',
      'id',
      'A charge of the subscription is still processing. Try again in a moment.',
    ]);
    expectUnchanged(world);
  });

  test('is rejected and recorded if the provider declines the refund, and can be retried', () => {
    const world = paid();
    world.mood = 'declines';
    expect(outcomeOf(refund(world, '2027-05-19'))).toEqual([
      'payment_failed',
      undefined,
      'The card was declined.',
    ]);
    expect(world.aggregate.refunds).toMatchObject([{ status: 'failed' }]);
    expect(transaction(world)).toMatchObject({ status: 'succeeded', refundedMinor: 0n });
    expect(world.subscription.status).toBe('active');
    world.mood = 'pays';
    expect(refund(world, '2027-05-20')).toMatchObject({ kind: 'ok', status: 'done' });
  });
});

describe('a dispute', () => {
  test("prevents refunds and doesn't change the subscription, which renews (PAY-32, SUB-22)", () => {
    const world = paid();
    refund(world, '2027-05-19', 400n);
    expect(world.sent).toEqual(['payment.refunded', 'credit_note.created']);
    dispute(world, '2027-05-20');
    expect(world.sent).toEqual(['payment.disputed']);
    expect(world.event('payment.disputed').data).toEqual({
      paymentTransactionId: transaction(world).id,
      provider: 'platform',
      paymentLinkId: null,
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0001',
      customerId: 'acme-7',
      subscriptionId: world.subscription.id,
      disputeAmount: 3_000,
      currency: 'usd',
      disputeReason: 'fraudulent',
    });
    expect([balance(world, 'disputes_held'), balance(world, 'processor_clearing')]).toEqual([3_000n, 0n]);
    expect(dispute(world, '2027-05-21')).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
    world.advance('2027-06-18');
    expect(world.subscription.status).toBe('active');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 3_400n });
  });

  test('prevents a reactivation until the dispute ends (SUB-22)', () => {
    const world = paid();
    const subscriptionId = world.subscription.id;
    dispute(world, '2027-05-20');
    world.do('2027-05-21', { kind: 'subscription.cancel', subscriptionId, reason: null, immediate: true });
    const reactivate = (now: string) =>
      world.do(now, { kind: 'subscription.reactivate', subscriptionId, offerId: null });
    expect(reactivate('2027-05-22')).toMatchObject({
      kind: 'rejection',
      code: 'subscription_has_open_dispute',
    });
    expectUnchanged(world);
    resolve(world, '2027-05-23', 'lost');
    expect(reactivate('2027-05-24')).toMatchObject({ kind: 'ok' });
  });

  test("returns the funds if it's won, after which the charge is refundable", () => {
    const world = paid();
    dispute(world, '2027-05-20');
    expect(world.sent).toEqual(['payment.disputed']);
    resolve(world, '2027-05-25', 'won');
    expect(world.sent).toEqual(['payment.dispute_resolved']);
    expect(world.event('payment.dispute_resolved').data).toMatchObject({
      outcome: 'won',
      disputeAmount: 3_400,
      disputeReason: 'fraudulent',
    });
    expect(transaction(world)).toMatchObject({
      status: 'succeeded',
      disputeOutcome: 'won',
      disputedAt: at('2027-05-20'),
    });
    expect([balance(world, 'disputes_held'), balance(world, 'processor_clearing')]).toEqual([0n, 3_400n]);
    expect(refund(world, '2027-05-26')).toMatchObject({ kind: 'ok' });
  });

  test("withholds the funds if it's lost, and can end only once", () => {
    const world = paid();
    dispute(world, '2027-05-20');
    resolve(world, '2027-05-25', 'lost');
    expect(transaction(world)).toMatchObject({ status: 'disputed', disputeOutcome: 'lost' });
    expect([
      balance(world, 'disputes_held'),
      balance(world, 'write_off'),
      balance(world, 'processor_clearing'),
    ]).toEqual([0n, 3_400n, 0n]);
    for (const outcome of ['won', 'lost'] as const) {
      expect(outcomeOf(resolve(world, '2027-05-26', outcome))).toEqual([
        'validation_error',
        'id',
        'The transaction has no open dispute.',
      ]);
      expectUnchanged(world);
    }
  });

  test("is rejected if the charge isn't settled", () => {
    const world = paid();
    refund(world, '2027-05-19');
    expect(dispute(world, '2027-05-20')).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
  });
});
