import { describe, expect, test } from 'vitest';
import type { Outcome, TransactionRow } from '../../../src/domain/subscription/state/aggregate.ts';
import { catalog, simplePlan } from './catalog.ts';
import { change, ladder, running } from './ladder.ts';
import { at, customer, expectUnchanged, World } from './world.ts';

const first = (world: World): TransactionRow => {
  const [row] = world.aggregate.transactions;
  if (row === undefined) throw new Error('no transaction');
  return row;
};
let ids = 0;
const refund = (world: World, amountMinor: bigint | null, extra: object = {}): Outcome =>
  world.do(null, {
    kind: 'transaction.refund',
    transactionId: first(world).id,
    refundId: `ref_${++ids}`,
    amountMinor,
    reason: null,
    ...extra,
  });

/**
 * SUB-E4: A year at 1,180.00 from February 1, with a plan change on April 12. At the change, 953.70 of the price was unused: 700.00 paid
 * for the next plan, and 253.70 became a customer credit.
 */
function changed(): World {
  const world = running('2027-02-01', { planId: 'ridge', billingInterval: 'yearly' });
  expect(change(world, '2027-04-12', { newPlanId: 'atlas', newBillingInterval: 'yearly' })).toMatchObject({
    kind: 'ok',
  });
  expect(world.credits).toMatchObject([{ amountMinor: 25_370n, remainingMinor: 25_370n }]);
  expect(world.sent.length).toBeGreaterThan(0);
  return world;
}

describe('the refund of a charge that a plan change partly credited (PAY-28a)', () => {
  test("is limited to the remaining amount, revokes the remaining credit, and doesn't end the subscription", () => {
    const world = changed();
    expect(refund(world, null)).toMatchObject({ kind: 'ok' });
    // 1,180.00 minus the 700.00 used for the next plan.
    expect(first(world)).toMatchObject({ refundedMinor: 48_000n, status: 'succeeded' });
    expect(world.credits).toMatchObject([{ revokedMinor: 25_370n, remainingMinor: 0n }]);
    expect(world.subscription.status).toBe('active');
    expect(world.notes).toMatchObject([{ reason: 'refund', total: -48_000n }]);
    expect(refund(world, null)).toMatchObject({
      kind: 'rejection',
      param: 'id',
      message:
        "The payment can't be refunded. A plan change converted the remaining amount into customer credit that was already used.",
    });
    expectUnchanged(world);
  });

  test('is rejected without changes if it exceeds the remaining amount', () => {
    const world = changed();
    expect(refund(world, 48_001n)).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'amount',
      message:
        "The refund can't exceed 48000 (in minor units of the currency). A plan change converted 70000 of the payment into customer credit that was already used.",
    });
    expectUnchanged(world);
  });

  test('revokes the credit only as far as the refund exceeds the uncredited amount', () => {
    const world = changed();
    // 1,180.00 − 953.70 = 226.30 wasn't credited.
    refund(world, 22_630n);
    expect(world.credits).toMatchObject([{ revokedMinor: 0n, remainingMinor: 25_370n }]);
    refund(world, 5_000n);
    expect(world.credits).toMatchObject([{ revokedMinor: 5_000n, remainingMinor: 20_370n }]);
  });

  test('restores the credit if the provider declines the refund', () => {
    const world = changed();
    world.mood = 'declines';
    expect(refund(world, null)).toMatchObject({ kind: 'rejection', code: 'payment_failed' });
    expect(world.credits).toMatchObject([{ revokedMinor: 0n, remainingMinor: 25_370n }]);
    expect(first(world)).toMatchObject({ refundedMinor: 0n });
  });

  test('is reduced by the used credit and by the tax on that credit', () => {
    const world = new World('2027-02-01', catalog(...ladder), {
      customer: { ...customer, country: 'DE' },
      taxRegistrations: [{ country: 'DE', region: null, rateBps: 1_900 }],
    });
    world.create(null, { planId: 'ridge', billingInterval: 'yearly' });
    world.pay(null);
    change(world, '2027-04-12', { newPlanId: 'atlas', newBillingInterval: 'yearly' });
    // 1,404.20 minus 833.00, which is 700.00 plus 19% tax.
    refund(world, null);
    expect(first(world)).toMatchObject({ amountMinor: 140_420n, refundedMinor: 57_120n });
    expect(world.credits).toMatchObject([{ remainingMinor: 0n }]);
  });
});

describe('a refund with or without a cancellation (PAY-29)', () => {
  const paid = () => running('2027-02-01', { planId: 'cove', billingInterval: 'monthly' });

  test.each([
    ['a full refund cancels by default', null, {}, 'canceled'],
    ['a full refund can keep the subscription', null, { cancelSubscription: false }, 'active'],
    ['a partial refund cancels nothing by default', 1_000n, {}, 'active'],
    ['a partial refund can cancel the subscription', 1_000n, { cancelSubscription: true }, 'canceled'],
  ] as const)('has the requested effect on the subscription: %s', (_, amount, extra, status) => {
    const world = paid();
    expect(refund(world, amount, extra)).toMatchObject({ kind: 'ok' });
    expect(world.subscription.status).toBe(status);
  });

  test("can't cancel a subscription that has already ended", () => {
    const world = paid();
    world.cancel(null, true);
    expect(refund(world, null, { cancelSubscription: true })).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'cancelSubscription',
    });
    expectUnchanged(world);
  });

  test('cancels a subscription at the end of the period after a full refund', () => {
    const world = paid();
    expect(refund(world, null, { cancelAtPeriodEnd: true })).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'payment.refunded',
      'credit_note.created',
      'subscription.cancellation_scheduled',
      'subscription.updated',
      'state cancellation_scheduled',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      cancelReason: 'refund',
      cancelEffectiveAt: at('2027-03-01'),
      endDate: at('2027-03-01'),
    });
    expect(first(world)).toMatchObject({ status: 'refunded' });
  });

  test('cancels a subscription at the end of the period after a partial refund', () => {
    const world = paid();
    const effect = { cancelSubscription: true, cancelAtPeriodEnd: true };
    expect(refund(world, 1_000n, effect)).toMatchObject({ kind: 'ok' });
    expect(first(world)).toMatchObject({ status: 'succeeded', refundedMinor: 1_000n });
    expect(world.subscription).toMatchObject({ status: 'active', cancelEffectiveAt: at('2027-03-01') });
  });

  test('keeps the reason and the time of a cancellation that is already scheduled', () => {
    const world = paid();
    world.cancel('2027-02-03T08:00:00Z', false, 'moving on');
    const { subscription: scheduled } = world;
    expect(refund(world, null, { cancelAtPeriodEnd: true })).toMatchObject({ kind: 'ok' });
    expect(world.sent.slice(-2)).toEqual(['payment.refunded', 'credit_note.created']);
    expect(world.subscription).toEqual(scheduled);
  });

  test.each([
    [
      'a partial refund without a cancellation',
      1_000n,
      {},
      "The refund doesn't cancel a subscription. Omit `cancelAtPeriodEnd`, or set `cancelSubscription` to `true`.",
    ],
    [
      'a refund that keeps the subscription',
      null,
      { cancelSubscription: false },
      "The refund doesn't cancel a subscription. Omit `cancelAtPeriodEnd`, or set `cancelSubscription` to `true`.",
    ],
  ] as const)('rejects the end of the period for %s', (_, amount, extra, message) => {
    const world = paid();
    expect(refund(world, amount, { ...extra, cancelAtPeriodEnd: true })).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'cancelAtPeriodEnd',
      message,
    });
    expectUnchanged(world);
  });

  test('rejects the end of the period for a one-time purchase', () => {
    const world = new World('2027-02-01', simplePlan('one_time', 3_400n));
    world.create(null, { planId: 'cove' });
    world.pay(null);
    expect(refund(world, null, { cancelAtPeriodEnd: true })).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'cancelAtPeriodEnd',
      message: 'The subscription can only be canceled immediately. Omit `cancelAtPeriodEnd`.',
    });
    expectUnchanged(world);
  });
});
