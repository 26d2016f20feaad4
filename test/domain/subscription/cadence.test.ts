import { describe, expect, test } from 'vitest';
import type { OfferRow } from '../../../src/domain/offers/offer.ts';
import type { OfferPhase } from '../../../src/domain/offers/phase.ts';
import type { BillingInterval, RecurringInterval } from '../../../src/domain/rows/enums.ts';
import { nextBillingDate } from '../../../src/domain/subscription/state/view.ts';
import { catalog, simplePlan } from './catalog.ts';
import { card, cardThat, expectUnchanged, World } from './world.ts';

// Fixed prices with a separate billing interval (OFR-13, BIL-3).

const fixedPhase = (
  amount: number,
  durationInterval: RecurringInterval | null,
  durationCycles: number | null,
): OfferPhase => ({
  type: 'fixed_price',
  prices: [{ currency: 'usd', amount }],
  durationCycles,
  durationInterval,
});
const percentPhase = (percentage: number, durationCycles: number | null): OfferPhase => ({
  type: 'percentage',
  percentage,
  durationCycles,
  durationInterval: null,
});
const trial: OfferPhase = { type: 'free_trial', durationDays: 10 };
const offer = (...phases: readonly OfferPhase[]): OfferRow => ({
  id: 'offer',
  seq: 1n,
  name: 'Offer',
  phases,
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
});

const begun = (interval: BillingInterval, amount: bigint, ...phases: readonly OfferPhase[]): World => {
  const world = new World('2027-01-31T10:00:00Z', simplePlan(interval, amount), {
    offers: [offer(...phases)],
  });
  expect(world.create(null, { planId: 'cove', offerId: 'offer' })).toMatchObject({ kind: 'ok' });
  expect(world.pay(null)).toMatchObject({ kind: 'ok' });
  return world;
};
const day = (instant: Date | null | undefined) => instant?.toISOString().slice(0, 10);
const periods = (world: World) =>
  world.aggregate.invoices.map(
    ({ total, type, periodStart, periodEnd }) => `${day(periodStart)} ${day(periodEnd)} ${type} ${total}`,
  );

describe('a fixed price with a separate interval', () => {
  test('bills a yearly plan monthly, until the first year begins at the end of the fixed price (OFR-13)', () => {
    const world = begun('yearly', 30_000n, fixedPhase(2_000, 'monthly', 3));
    expect(world.subscription).toMatchObject({ billingInterval: 'yearly', effectiveBaseMinor: 2_000n });
    expect(day(world.subscription.periodEnd)).toBe('2027-02-28');
    expect(day(nextBillingDate(world.subscription) ?? undefined)).toBe('2027-02-28');
    expect(world.deadlines).toContain('2027-02-28 period_end:sub');

    world.advance('2029-05-01T00:00:00Z');

    // Three months from January 31 end on April 30, which becomes the anchor for the following years.
    expect(periods(world)).toEqual([
      '2027-01-31 2027-02-28 recurring 2000',
      '2027-02-28 2027-03-31 recurring 2000',
      '2027-03-31 2027-04-30 recurring 2000',
      '2027-04-30 2028-04-30 recurring 30000',
      '2028-04-30 2029-04-30 recurring 30000',
      '2029-04-30 2030-04-30 recurring 30000',
    ]);
    expect(day(world.subscription.anchorDate)).toBe('2027-04-30');
  });

  test('bills a monthly plan yearly, with monthly usage windows (OFR-13)', () => {
    const world = begun('monthly', 1_000n, fixedPhase(9_000, 'yearly', 1), percentPhase(5_000, 2));
    expect(day(world.subscription.periodEnd)).toBe('2028-01-31');
    expect(day(world.subscription.windowEnd)).toBe('2027-02-28');
    world.advance('2028-05-01T00:00:00Z');
    expect(periods(world)).toEqual([
      '2027-01-31 2028-01-31 recurring 9000',
      '2028-01-31 2028-02-29 recurring 500',
      '2028-02-29 2028-03-31 recurring 500',
      '2028-03-31 2028-04-30 recurring 1000',
      '2028-04-30 2028-05-31 recurring 1000',
    ]);
    expect(world.items.map(({ outcome }) => outcome)).toEqual([
      ...Array(11).fill('reset'),
      ...Array(4).fill('renewed'),
    ]);
  });

  test('is shown as a price and an interval, without a discount from the list price', () => {
    const world = begun('yearly', 30_000n, fixedPhase(2_000, 'monthly', 3));
    expect(
      world
        .linesOf(world.invoice)
        .map(({ lineType, description, amount }) => [lineType, description, amount]),
    ).toEqual([['plan_base', 'COVE (monthly)', 2_000n]]);
    expect(world.aggregate.offerApplications).toMatchObject([
      { subtotalMinor: 2_000n, discountMinor: 0n, totalMinor: 2_000n },
    ]);
  });

  test('can follow another phase, and moves the anchor at the start and the end of the fixed price', () => {
    const world = begun('monthly', 1_000n, percentPhase(5_000, 1), fixedPhase(1_500, 'quarterly', 1));
    world.advance('2027-06-01T00:00:00Z');
    // The month from January 31 ends on February 28, the quarter from that day on May 28.
    expect(periods(world)).toEqual([
      '2027-01-31 2027-02-28 recurring 500',
      '2027-02-28 2027-05-28 recurring 1500',
      '2027-05-28 2027-06-28 recurring 1000',
    ]);
  });

  test('can have periods shorter than the usage window, and its end also ends the current usage window', () => {
    const world = begun('monthly', 4_000n, fixedPhase(500, 'weekly', 6));
    expect(day(world.subscription.windowEnd)).toBe('2027-02-28');
    world.advance('2027-02-27T00:00:00Z');
    expect(day(world.subscription.periodStart)).toBe('2027-02-21');
    expect([day(world.subscription.windowStart), day(world.subscription.windowEnd)]).toEqual([
      '2027-01-31',
      '2027-02-28',
    ]);
    // The fourth week and the first month both end on February 28. The end of the sixth week shortens the second month.
    world.advance('2027-03-14T00:00:00Z');
    expect(periods(world).slice(4)).toEqual([
      '2027-02-28 2027-03-07 recurring 500',
      '2027-03-07 2027-03-14 recurring 500',
      '2027-03-14 2027-04-14 recurring 4000',
    ]);
    expect([day(world.subscription.windowStart), day(world.subscription.windowEnd)]).toEqual([
      '2027-03-14',
      '2027-04-14',
    ]);
    expect(world.deadlines.filter((line) => line.includes('window_reset'))).toEqual([]);
  });

  test('starts at the end of a trial, even if the first charge is made later (BIL-12)', () => {
    const world = begun('yearly', 30_000n, trial, fixedPhase(2_000, 'monthly', 2));
    expect(world.subscription.status).toBe('trialing');
    world.advance('2027-02-10T00:00:00Z');
    expect(periods(world)).toEqual(['2027-02-10 2027-03-10 recurring 2000']);
    world.advance('2027-04-10T00:00:00Z');
    expect(periods(world).at(-1)).toBe('2027-04-10 2028-04-10 recurring 30000');

    const late = new World('2027-01-31T10:00:00Z', simplePlan('yearly', 30_000n), {
      offers: [offer(trial, fixedPhase(2_000, 'monthly', 2))],
    });
    late.create(null, { planId: 'cove', offerId: 'offer' });
    late.pay(null, cardThat('pays', 'asks'));
    late.advance('2027-02-10T00:00:00Z');
    expect(late.subscription.status).toBe('pending_payment');
    late.pay('2027-02-15T09:00:00Z', card);
    expect(day(late.subscription.periodEnd)).toBe('2027-03-15');
  });

  test('can be used for a reactivation (SUB-31)', () => {
    const world = new World('2027-01-31T10:00:00Z', simplePlan('yearly', 30_000n), {
      offers: [offer(fixedPhase(2_000, 'monthly', 1))],
    });
    world.create(null, { planId: 'cove' });
    world.pay(null);
    world.cancel('2027-03-05T10:00:00Z', true);
    world.do('2027-03-06T10:00:00Z', {
      kind: 'subscription.reactivate',
      subscriptionId: world.subscription.id,
      offerId: 'offer',
    });
    expect(periods(world).at(-1)).toBe('2027-03-06 2027-04-06 reactivation 2000');
    world.advance('2027-04-06T00:00:00Z');
    expect(periods(world).at(-1)).toBe('2027-04-06 2028-04-06 recurring 30000');
  });

  test('is followed by a regular period if the offer ends early (OFR-19)', () => {
    const world = begun('yearly', 30_000n, fixedPhase(2_000, 'monthly', 6));
    const [application] = world.aggregate.offerApplications;
    if (application === undefined) throw new Error('no application');
    world.aggregate = { ...world.aggregate, offerApplications: [{ ...application, endedAt: world.now }] };
    world.advance('2027-02-28T00:00:00Z');
    expect(periods(world).at(-1)).toBe('2027-02-28 2028-02-28 recurring 30000');
  });

  test('closes the current usage window if the offer ends early', () => {
    const world = begun('monthly', 4_000n, fixedPhase(500, 'weekly', 6));
    world.advance('2027-02-10T00:00:00Z');
    const [application] = world.aggregate.offerApplications;
    if (application === undefined) throw new Error('no application');
    world.aggregate = { ...world.aggregate, offerApplications: [{ ...application, endedAt: world.now }] };
    world.advance('2027-02-14T00:00:00Z');
    expect(periods(world).at(-1)).toBe('2027-02-14 2027-03-14 recurring 4000');
    expect([day(world.subscription.windowStart), day(world.subscription.windowEnd)]).toEqual([
      '2027-02-14',
      '2027-03-14',
    ]);
  });

  test("ends with a plan change, immediate or scheduled at a month's end (SUB-39, SUB-49)", () => {
    const plans = catalog(
      { id: 'cove', prices: [{ id: 'cove_y', interval: 'yearly', amount: 30_000n }] },
      { id: 'ridge', prices: [{ id: 'ridge_y', interval: 'yearly', amount: 60_000n }] },
    );
    const running = (planId: string) => {
      const world = new World('2027-04-10T10:00:00Z', plans, {
        offers: [offer(fixedPhase(3_000, 'monthly', 6))],
      });
      world.create(null, { planId, offerId: 'offer' });
      world.pay(null);
      return world;
    };
    const move = (world: World, now: string, newPlanId: string) =>
      world.do(now, {
        kind: 'subscription.change_plan',
        subscriptionId: world.subscription.id,
        request: { newPlanId, newBillingInterval: null, offerId: null, isPortal: false },
        successUrl: null,
      });
    const up = running('cove');
    expect(move(up, '2027-04-25T10:00:00Z', 'ridge')).toMatchObject({ kind: 'ok' });
    // 15 of the 30 days paid with 30.00 remain: 600.00 − 15.00 = 585.00 for a year from today.
    expect(periods(up).at(-1)).toBe('2027-04-25 2028-04-25 plan_change 58500');
    const down = running('ridge');
    expect(move(down, '2027-04-25T10:00:00Z', 'cove')).toMatchObject({ kind: 'ok' });
    down.advance('2027-05-10T00:00:00Z');
    expect(periods(down).at(-1)).toBe('2027-05-10 2028-05-10 recurring 30000');
    expect(down.subscription.planId).toBe('cove');
  });

  test('is rejected for an existing subscription and for a one-time plan (OFR-13)', () => {
    const reason = { code: 'offer_not_applicable', details: { reason: 'interval_not_supported' } };
    const world = new World('2027-01-31T10:00:00Z', simplePlan('yearly', 30_000n), {
      offers: [offer(fixedPhase(2_000, 'monthly', 1))],
    });
    world.create(null, { planId: 'cove' });
    const apply = () =>
      world.do(null, {
        kind: 'offer.apply',
        subscriptionId: world.subscription.id,
        offerId: 'offer',
        expiresAt: null,
      });
    expect(apply()).toMatchObject(reason);
    expectUnchanged(world);
    world.pay(null);
    expect(apply()).toMatchObject(reason);
    const once = new World('2027-01-31T10:00:00Z', simplePlan('one_time', 30_000n), {
      offers: [offer(fixedPhase(2_000, 'monthly', 1))],
    });
    expect(once.create(null, { planId: 'cove', offerId: 'offer' })).toMatchObject(reason);
  });
});
