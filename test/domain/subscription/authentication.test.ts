import { describe, expect, test } from 'vitest';
import { newAttempt, withAnswer } from '../../../src/domain/subscription/payments/charge-attempt.ts';
import { simplePlan } from './catalog.ts';
import { card, cardThat, expectUnchanged, World } from './world.ts';

// Tests a card that is entered outside a checkout and requires authentication. While the authentication is pending, no second charge is
// made (BIL-32, BIL-45).

const running = (method = card): World => {
  const world = new World('2027-03-09', simplePlan('monthly', 3_400n, { trialDays: 0 }));
  world.create(null, { planId: 'cove' });
  world.pay(null, method);
  return world;
};
/** A subscription with a declined renewal on April 9. Its retries are on April 10, 12, 14 and 16. */
const pastDue = (): World => {
  const world = running(cardThat('pays', 'declines'));
  world.advance('2027-04-09');
  expect([world.subscription.status, world.sent.length > 0]).toEqual(['past_due', true]);
  return world;
};
const asks = { ...cardThat('asks', 'asks'), last4: '3220' };
const ofAnAccount = { ...asks, provider: 'stripe' } as const;

const recover = (world: World, now: string | null, method = asks, abandoned: string | null = null) =>
  world.do(now, {
    kind: 'recovery.pay',
    subscriptionId: world.subscription.id,
    invoiceId: world.invoice.id,
    method,
    abandoned,
  });
const update = (world: World, method = asks, abandoned: string | null = null) =>
  world.do(null, { kind: 'method.update', subscriptionId: world.subscription.id, method, abandoned });
const end = (world: World, succeed: boolean, now: string | null = null) =>
  world.do(now, { kind: 'method.authenticate', subscriptionId: world.subscription.id, succeed });
const retry = (world: World) =>
  world.do(null, { kind: 'subscription.retry', subscriptionId: world.subscription.id });
const attempts = (world: World): string[] =>
  world.aggregate.transactions.map(({ status, declineCode, amountMinor }) =>
    [status, declineCode, amountMinor].filter(Boolean).join(' '),
  );
const waits = { kind: 'ok', status: 'requires_action' };
const inProgress = { kind: 'rejection', code: 'charge_in_progress' };
const unknown = { kind: 'rejection', code: 'payment_not_found' };
/** Applies a provider's result to the current attempt. */
const applyResult = (
  world: World,
  result: Parameters<typeof withAnswer>[1],
  attemptId = world.subscription.pendingCheckout?.attemptId ?? '',
) => world.do(null, { kind: 'charge.result', transactionId: attemptId, result });

describe('the authentication of a card to be stored', () => {
  test('replaces the previous card only after completion', () => {
    const world = running();
    const { paymentMethodId } = world.subscription;
    world.sent;
    expect(update(world)).toMatchObject(waits);
    expect(world.subscription).toMatchObject({
      paymentMethodId,
      pendingCheckout: { state: 'requires_action', cardFor: 'storing' },
    });
    expect(world.sent).toEqual([]);
    expect(end(world, true)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual(['payment_method.updated']);
    expect(world.subscription.pendingCheckout).toBeNull();
    expect(
      world.aggregate.paymentMethods.find(({ id }) => id === world.subscription.paymentMethodId)?.last4,
    ).toBe('3220');
    expect(end(world, true)).toMatchObject(unknown);
    expectUnchanged(world);
  });

  test('leaves the subscription unchanged if it fails, and is canceled if another card is used', () => {
    const world = running();
    const before = world.subscription.paymentMethodId;
    update(world);
    expect(end(world, false)).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
      details: { declineCode: 'authentication_failed' },
    });
    expect(world.subscription).toMatchObject({ paymentMethodId: before, pendingCheckout: null });
    update(world);
    expect(update(world, card)).toMatchObject(inProgress);
    expectUnchanged(world);
    expect(update(world, card, world.subscription.pendingCheckout?.attemptId ?? null)).toMatchObject({
      kind: 'ok',
      status: 'done',
    });
    expect(world.subscription.pendingCheckout).toBeNull();
    expect(world.aggregate.transactions).toHaveLength(1);
  });

  test("doesn't block a renewal or the end of a trial", () => {
    const world = running();
    update(world);
    world.advance('2027-04-09');
    expect(world.invoice).toMatchObject({ type: 'recurring', status: 'paid' });
    expect(world.subscription.pendingCheckout).toMatchObject({ state: 'requires_action' });
    const trial = new World('2027-03-09', simplePlan('monthly', 3_400n, { trialDays: 5 }));
    trial.create(null, { planId: 'cove' });
    trial.pay(null, cardThat('pays', 'asks'));
    update(trial);
    trial.advance('2027-03-15');
    // The card used for the trial also requires authentication. A card that isn't stored yet must not be charged.
    expect(trial.subscription).toMatchObject({ status: 'pending_payment', pendingCheckout: null });
    expect(end(trial, true)).toMatchObject(unknown);
    expect(
      trial.do(null, { kind: 'checkout.authenticate', subscriptionId: trial.subscription.id, succeed: true }),
    ).toMatchObject(unknown);
    expect(trial.invoice.status).toBe('outstanding');
  });

  test("doesn't count as a payment in the checkout for a plan change", () => {
    const world = running();
    update(world);
    const checkout = {
      kind: 'checkout.authenticate',
      subscriptionId: world.subscription.id,
      succeed: true,
    } as const;
    expect(world.do(null, checkout)).toMatchObject({ kind: 'rejection' });
    expectUnchanged(world);
  });

  test("isn't a contradiction if it's completed after the cancellation, unlike a charge", () => {
    const request = {
      customerId: 'c',
      subscriptionId: 's',
      invoiceId: null,
      provider: 'stripe',
      methodReference: 'm',
    } as const;
    const charge = { ...request, transactionId: 't', amountMinor: 0n, currency: 'usd', isFirst: true };
    const idle = { kind: 'rejection', code: 'transaction_not_found', message: '' } as const;
    const now = new Date('2027-03-09');
    const answered = (kind: 'setup' | 'charge') =>
      withAnswer(newAttempt({ ...charge, kind }, false, now), { status: 'settled' }, idle, now);
    expect([answered('setup').contradiction, answered('charge').contradiction]).toEqual([
      null,
      { status: 'settled' },
    ]);
  });
});

describe('the authentication of a payment', () => {
  test('stays open, charges once when completed, and stores the card', () => {
    const world = pastDue();
    expect(recover(world, '2027-04-09T12:00:00Z')).toMatchObject(waits);
    expect(attempts(world)).toEqual(['succeeded 3400', 'failed card_declined 3400', 'pending 3400']);
    expect(world.sent).toEqual([]);
    expect(end(world, true)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'payment_method.updated',
      'payment.received',
      'payment.recovered',
      'state subscription_activated',
    ]);
    expect(attempts(world)).toEqual(['succeeded 3400', 'failed card_declined 3400', 'succeeded 3400']);
    expect(end(world, true)).toMatchObject(unknown);
    expectUnchanged(world);
  });

  test("doesn't use up a dunning retry if it fails", () => {
    const world = pastDue();
    recover(world, '2027-04-09T12:00:00Z');
    expect(end(world, false)).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
      details: { declineCode: 'authentication_failed' },
    });
    expect(world.subscription).toMatchObject({
      status: 'past_due',
      dunningAttempts: 0,
      pendingCheckout: null,
    });
    expect(attempts(world).at(-1)).toBe('failed authentication_failed 3400');
  });

  test('is canceled by the next retry, by another card, and by marking the invoice as paid or void', () => {
    const slot = pastDue();
    recover(slot, '2027-04-09T12:00:00Z');
    slot.mood = 'pays';
    slot.advance('2027-04-10');
    expect(attempts(slot).slice(2)).toEqual(['failed authentication_abandoned 3400', 'succeeded 3400']);
    expect(slot.subscription).toMatchObject({ status: 'active', pendingCheckout: null });
    expect(end(slot, true)).toMatchObject(unknown);

    const other = pastDue();
    recover(other, '2027-04-09T12:00:00Z');
    expect(recover(other, null, cardThat('pays'))).toMatchObject(inProgress);
    expectUnchanged(other);
    recover(other, null, cardThat('pays'), other.subscription.pendingCheckout?.attemptId ?? null);
    expect(attempts(other).slice(2)).toEqual(['failed authentication_abandoned 3400', 'succeeded 3400']);

    for (const [status, ends] of [
      ['paid', 'active'],
      ['void', 'active'],
    ] as const) {
      const world = pastDue();
      recover(world, '2027-04-09T12:00:00Z');
      world.do(null, { kind: 'invoice.mark', invoiceId: world.invoice.id, status });
      expect(world.subscription).toMatchObject({ status: ends, pendingCheckout: null });
      expect(attempts(world).at(-1)).toBe('failed authentication_abandoned 3400');
    }
  });

  test("blocks other charges while it's pending at a remote provider", () => {
    const world = pastDue();
    recover(world, '2027-04-09T12:00:00Z', ofAnAccount);
    expect(retry(world)).toMatchObject(inProgress);
    expectUnchanged(world);
    world.advance('2027-04-11');
    expect([world.parked.length, world.subscription.dunningAttempts]).toEqual([1, 0]);
    // The remote provider still reports a pending authentication at the next inquiry. The authentication is canceled, and the retry
    // continues.
    expect(applyResult(world, { status: 'requires_action' })).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
    });
    expect(world.subscription).toMatchObject({ dunningAttempts: 0, pendingCheckout: null });
    world.advance('2027-04-11T01:00:00Z');
    expect(world.subscription.dunningAttempts).toBe(1);
    expect(attempts(world).slice(2)).toEqual([
      'failed authentication_required 3400',
      'failed card_declined 3400',
    ]);
  });

  test("charges only once if it's completed at a remote provider during a retry", () => {
    const world = pastDue();
    recover(world, '2027-04-09T12:00:00Z', ofAnAccount);
    world.advance('2027-04-11');
    expect(applyResult(world, { status: 'settled' })).toMatchObject({ kind: 'ok', status: 'done' });
    world.advance('2027-04-17');
    expect(attempts(world).slice(2)).toEqual(['succeeded 3400']);
    expect(world.subscription).toMatchObject({ status: 'active', dunningAttempts: 0 });
  });

  test('can reactivate a canceled subscription, but only once', () => {
    const world = running(cardThat('pays', 'declines'));
    world.cancel('2027-03-20', true);
    const reactivate = () =>
      world.do(null, {
        kind: 'subscription.reactivate',
        subscriptionId: world.subscription.id,
        offerId: null,
      });
    expect(reactivate()).toMatchObject({ kind: 'rejection', code: 'charge_failed' });
    expect(recover(world, null)).toMatchObject(waits);
    // Another attempt with the stored card cancels the authentication and voids its invoice.
    expect(reactivate()).toMatchObject({ kind: 'rejection', code: 'charge_failed' });
    expect(end(world, true)).toMatchObject(unknown);
    expect(recover(world, null)).toMatchObject(waits);
    expect(end(world, true)).toMatchObject({ kind: 'ok' });
    expect(world.subscription).toMatchObject({ status: 'active', pendingCheckout: null });
    expect(attempts(world)).toEqual([
      'succeeded 3400',
      'failed card_declined 3400',
      'failed authentication_abandoned 3400',
      'failed card_declined 3400',
      'succeeded 3400',
    ]);
    const other = running(cardThat('pays', 'declines'));
    other.cancel('2027-03-20', true);
    other.do(null, { kind: 'subscription.reactivate', subscriptionId: other.subscription.id, offerId: null });
    recover(other, null, ofAnAccount);
    expect(
      other.do(null, {
        kind: 'subscription.reactivate',
        subscriptionId: other.subscription.id,
        offerId: null,
      }),
    ).toMatchObject(inProgress);
    expectUnchanged(other);
    other.do(null, { kind: 'invoice.mark', invoiceId: other.invoice.id, status: 'void' });
    expect(other.subscription).toMatchObject({ status: 'canceled', pendingCheckout: null });
    expect(end(other, true)).toMatchObject(unknown);
  });
});
