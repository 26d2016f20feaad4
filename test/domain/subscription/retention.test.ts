import { describe, expect, test } from 'vitest';
import type { OfferRow } from '../../../src/domain/offers/offer.ts';
import type { OfferPhase } from '../../../src/domain/offers/phase.ts';
import { type Retention, retainedTerms } from '../../../src/domain/subscription/lifecycle/retention.ts';
import { simplePlan } from './catalog.ts';
import { expectUnchanged, World } from './world.ts';

// Decisions that accept retention offers and apply the accepted terms (OFR-43, OFR-44).

const percent = (percentage: number): OfferPhase => ({
  type: 'percentage',
  percentage,
  durationCycles: 3,
  durationInterval: null,
});
const fixed = (amount: number): OfferPhase => ({
  type: 'fixed_price',
  prices: [{ currency: 'usd', amount }],
  durationCycles: 1,
  durationInterval: null,
});
const offer = (id: string, phase: OfferPhase): OfferRow => ({
  id,
  seq: 1n,
  name: id,
  phases: [phase],
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
});
const offers = [offer('quarter', percent(2_500)), offer('same', fixed(4_800)), offer('less', fixed(4_000))];

const opened = (trialDays = 0): World => {
  const world = new World('2027-05-06', simplePlan('monthly', 4_800n, { trialDays }), { offers });
  world.create(null, { planId: 'cove' });
  return world;
};
const running = (trialDays = 0): World => {
  const world = opened(trialDays);
  world.pay(null);
  expect(world.sent.at(-1)).toMatch(/^state /);
  return world;
};
const stay = (world: World, offerId: string, retention: Partial<Retention> = {}) =>
  world.do(null, {
    kind: 'offer.apply',
    subscriptionId: world.subscription.id,
    offerId,
    expiresAt: null,
    retention: { agreed: null, cancellationScheduledAt: null, reason: null, ...retention },
  });
const cancel = (world: World, now: string, reason: string | null) =>
  world.do(now, {
    kind: 'subscription.cancel',
    subscriptionId: world.subscription.id,
    reason,
    immediate: false,
  });
const reasonOf = (outcome: object): unknown =>
  'details' in outcome ? (outcome.details as { reason: string }).reason : outcome;
/** Terms of the offer `quarter` on a subscription that started on May 6. */
const agreed = retainedTerms(
  (() => {
    const world = running();
    stay(world, 'quarter');
    const [application] = world.aggregate.offerApplications;
    if (application === undefined) throw new Error('Nothing was applied.');
    return application;
  })(),
);

describe('accepting a retention offer', () => {
  test('applies the accepted terms once (OFR-43)', () => {
    const world = running();
    expect(stay(world, 'quarter', { agreed, reason: 'Too expensive' })).toMatchObject({ status: 'done' });
    expect(world.sent).toEqual(['subscription.retained']);
    expect(world.event('subscription.retained').data).toMatchObject({
      status: 'active',
      offerId: 'quarter',
      offerName: 'quarter',
      cancelReason: 'Too expensive',
      cancellationRevoked: false,
    });
    expect(world.aggregate.offerApplications).toMatchObject([
      { source: 'retention', status: 'applied', totalMinor: 3_600n },
    ]);
    // Reversing the property order must not make a difference.
    const [first] = world.aggregate.offerApplications;
    if (first === undefined) throw new Error('Nothing was applied.');
    const phases = first.phases.map(
      // The cast is safe because only the property order differs.
      (phase) => Object.fromEntries(Object.entries(phase).toReversed()) as typeof phase,
    );
    expect(retainedTerms({ ...first, phases })).toBe(agreed);
    expect(stay(world, 'quarter', { agreed })).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
  });

  test("is rejected if the terms or the scheduled cancellation don't match", () => {
    const world = running();
    expect(reasonOf(stay(world, 'less', { agreed }))).toBe('retention_changed');
    expectUnchanged(world);
    // After the renewal on June 6, the offer would apply to a later period, so the terms no longer match those accepted.
    world.advance('2027-06-07');
    expect(reasonOf(stay(world, 'quarter', { agreed }))).toBe('retention_changed');
    cancel(world, '2027-06-08', null);
    const cancellationScheduledAt = new Date('2027-06-08T00:00:00Z');
    expect(reasonOf(stay(world, 'quarter'))).toBe('retention_changed');
    expectUnchanged(world);
    expect(stay(world, 'quarter', { cancellationScheduledAt })).toMatchObject({ status: 'done' });
    expect(world.event('subscription.retained').data).toMatchObject({
      // The customer gave no reason.
      cancelReason: null,
      cancellationRevoked: true,
    });
    expect(world.subscription).toMatchObject({
      cancelAtPeriodEnd: false,
      cancelReason: null,
      endDate: null,
      status: 'active',
    });
  });

  test('is rejected before the subscription is activated, and if the offer discounts no charge or was already used', () => {
    expect(reasonOf(stay(running(), 'same'))).toBe('retention_saves_nothing');
    const world = opened();
    expect(stay(world, 'quarter')).toMatchObject({ code: 'invalid_subscription_status' });
    expectUnchanged(world);
    const again = running();
    stay(again, 'less');
    again.advance('2027-08-06');
    expect(reasonOf(stay(again, 'less'))).toBe('retention_used');
    expectUnchanged(again);
    expect(stay(again, 'quarter')).toMatchObject({ status: 'done' });
  });

  test('starts the offer with the first payment after a trial, and undoes the cancellation', () => {
    const world = running(10);
    cancel(world, '2027-05-08', 'Not needed');
    const cancellationScheduledAt = new Date('2027-05-08T00:00:00Z');
    expect(stay(world, 'quarter', { cancellationScheduledAt })).toMatchObject({ status: 'done' });
    expect(world.event('subscription.retained').data).toMatchObject({
      status: 'trialing',
      cancelReason: 'Not needed',
    });
    world.advance('2027-05-16');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 3_600n });
  });
});
