import { describe, expect, test } from 'vitest';
import type { OfferRow } from '../../../src/domain/offers/offer.ts';
import type { OfferPhase } from '../../../src/domain/offers/phase.ts';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { simplePlan } from './catalog.ts';
import { card, cardThat, expectUnchanged, World } from './world.ts';

const percent = (percentage: number, durationCycles: number | null = 3): OfferPhase => ({
  type: 'percentage',
  percentage,
  durationCycles,
  durationInterval: null,
});
const fixed = (amount: number): OfferPhase => ({
  type: 'fixed_price',
  prices: [{ currency: 'usd', amount }],
  durationCycles: 1,
  durationInterval: null,
});
const offer = (id: string, phases: readonly OfferPhase[], changes: Partial<OfferRow> = {}): OfferRow => ({
  id,
  seq: 1n,
  name: id,
  phases,
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
  ...changes,
});

const offers = [
  offer('quarter', [percent(2_500)]),
  offer('fifth', [percent(2_000)]),
  offer('fifty', [fixed(5_000)]),
  offer('hundred', [fixed(10_000)]),
  offer('trial', [{ type: 'free_trial', durationDays: 5 }, percent(1_000)]),
  offer('off', [percent(1_000)], { active: false }),
  offer('tiny', [fixed(10)]),
];

const opened = (now: string, amount: bigint, trialDays = 0, interval: BillingInterval = 'monthly'): World => {
  const world = new World(now, simplePlan(interval, amount, { trialDays }), { offers });
  world.create(null, { planId: 'cove' });
  expect(world.sent.length).toBeGreaterThan(0);
  return world;
};
const running = (now: string, amount: bigint, interval: BillingInterval = 'monthly'): World => {
  const world = opened(now, amount, 0, interval);
  world.pay(null);
  expect(world.sent).toContain('subscription.activated');
  return world;
};

const put = (world: World, now: string | null, offerId: string, expiresAt: string | null = null) =>
  world.do(now, {
    kind: 'offer.apply',
    subscriptionId: world.subscription.id,
    offerId,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  });
const take = (world: World, now: string | null = null) =>
  world.do(now, { kind: 'offer.remove', subscriptionId: world.subscription.id });
const quotes = (world: World) =>
  world.aggregate.offerApplications.map(
    ({ offerId, status, totalMinor }) => `${offerId} ${status} ${totalMinor}`,
  );
const totals = (world: World) =>
  world.aggregate.invoices.map(
    ({ total, status, periodStart }) => `${periodStart.toISOString().slice(0, 10)} ${total} ${status}`,
  );

describe('an offer in an open checkout (OFR-21)', () => {
  test('returns a customer credit before the repriced checkout uses it (BIL-18)', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    world.do(null, {
      kind: 'credit.grant',
      creditId: 'a',
      amountMinor: 900n,
      currency: 'usd',
      source: 'api',
      reason: 'Sorry.',
      expiresAt: null,
    });
    for (const offerId of ['fifth', 'quarter']) put(world, null, offerId);
    // 84.00 − 25% − 9.00 = 54.00.
    expect(world.invoice).toMatchObject({ creditApplied: 900n, total: 5_400n });
    expect(world.credits).toMatchObject([{ appliedMinor: 900n, remainingMinor: 0n }]);
  });

  test('reprices the checkout, can be replaced or removed, and leaves an expired quote when removed (OFR-E4)', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    expect(put(world, null, 'fifth', '2027-05-06T14:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    // A checkout has one invoice and one invoice number (BIL-30).
    expect(world.sent).toEqual(['invoice.updated']);
    expect(world.invoice).toMatchObject({
      status: 'outstanding',
      subtotal: 8_400n,
      discountAmount: 1_680n,
      total: 6_720n,
    });
    expect(world.deadlines).toContain('2027-05-06T14:00 quote_expiry:sub');

    expect(put(world, '2027-05-06T13:30:00Z', 'fifty')).toMatchObject({ kind: 'ok' });
    expect(world.invoice).toMatchObject({ status: 'outstanding', total: 5_000n });
    expect(world.deadlines.some((line) => line.includes('quote_expiry'))).toBe(false);
    expect(quotes(world)).toEqual(['fifth expired 6720', 'fifty quoted 5000']);

    expect(take(world, '2027-05-06T13:40:00Z')).toMatchObject({ kind: 'ok' });
    expect(world.invoice).toMatchObject({ status: 'outstanding', discountAmount: 0n, total: 8_400n });
    expect(quotes(world)).toEqual(['fifth expired 6720', 'fifty expired 5000']);
    expect(world.aggregate.invoices.map(({ status }) => status)).toEqual(['outstanding']);
    expect(world.subscription).toMatchObject({
      status: 'pending_payment',
      checkoutInvoiceId: world.invoice.id,
      effectiveBaseMinor: 8_400n,
    });

    expect(take(world)).toMatchObject({ kind: 'rejection', code: 'offer_not_found' });
    expectUnchanged(world);
  });

  test("keeps the plan's original base price, even if the fixed price is higher (SUB-20)", () => {
    const world = opened('2027-05-06', 8_400n);
    put(world, null, 'hundred');
    expect(world.invoice.total).toBe(10_000n);
    put(world, null, 'quarter');
    expect(world.invoice.total).toBe(6_300n);
  });

  test('is unchanged if applied again with the same end date (OFR-25), and is quoted again if the end date differs', () => {
    const world = opened('2027-05-06', 8_400n);
    put(world, null, 'fifth', '2027-05-07T00:00:00Z');
    expect(put(world, null, 'fifth', '2027-05-07T00:00:00Z')).toMatchObject({
      kind: 'ok',
      status: 'unchanged',
    });
    expectUnchanged(world);
    expect(put(world, null, 'fifth')).toMatchObject({ status: 'done' });
    expect(quotes(world)).toEqual(['fifth expired 6720', 'fifth quoted 6720']);
  });

  test('expires, after which the checkout shows the full price (OFR-17)', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    put(world, null, 'fifth', '2027-05-06T14:00:00Z');
    expect(world.sent).toEqual(['invoice.updated']);
    world.advance('2027-05-06T14:00:00Z');
    expect(world.sent).toEqual(['invoice.updated']);
    expect(world.invoice).toMatchObject({ status: 'outstanding', total: 8_400n });
    expect(quotes(world)).toEqual(['fifth expired 6720']);
    expect(world.items).toMatchObject([
      { kind: 'quote_expiry', outcome: 'quote_expired', invoiceId: world.invoice.id },
    ]);
  });

  test('is rejected after the quote expires, even before the deadline is processed, and the payer confirms the full price (OFR-18)', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    put(world, null, 'fifth', '2027-05-06T14:00:00Z');
    const lost = world.pay('2027-05-06T14:00:00Z');
    expect(lost).toMatchObject({
      kind: 'rejection',
      code: 'offer_not_applicable',
      details: { reason: 'expired' },
    });
    expect(quotes(world)).toEqual(['fifth expired 6720']);
    expect(world.aggregate.transactions).toEqual([]);
    expect(world.pay(null)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.invoice).toMatchObject({ status: 'paid', total: 8_400n });
    world.advance('2027-05-06T15:00:00Z');
    expect(world.items).toEqual([]);
  });

  test('is applied from the payment day if the payer pays before the quote expires, and can no longer expire', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    put(world, null, 'fifth', '2027-05-06T14:00:00Z');
    world.pay('2027-05-06T13:59:59Z');
    expect(world.aggregate.offerApplications).toMatchObject([
      { status: 'applied', phases: [{ startsAt: '2027-05-06T00:00:00.000Z' }] },
    ]);
    expect(world.deadlines.some((line) => line.includes('quote_expiry'))).toBe(false);
  });

  test('replaces a trial, so the checkout requires a payment instead of a card setup (OQ-78)', () => {
    const world = opened('2027-05-06', 8_400n, 10);
    expect(put(world, null, 'fifth')).toMatchObject({ kind: 'ok' });
    expect(world.sent).toEqual(['invoice.created', 'checkout.ready']);
    expect(world.invoice).toMatchObject({ status: 'outstanding', total: 6_720n });
    expect(world.aggregate.offerApplications.map(({ source, status }) => `${source} ${status}`)).toEqual([
      'custom expired',
      'direct quoted',
    ]);
    world.pay(null);
    expect(world.subscription).toMatchObject({ status: 'active', trialEndsAt: null });
  });

  test('cancels an open authentication, and is rejected during a pending payment', () => {
    const world = opened('2027-05-06', 8_400n);
    world.pay(null, cardThat('asks'));
    put(world, null, 'fifth');
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'authentication_abandoned' },
    ]);
    expect(world.subscription.pendingCheckout).toBeNull();
    world.pay(null, cardThat('silent'));
    for (const rejected of [() => put(world, null, 'quarter'), () => take(world)]) {
      expect(rejected()).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
      expectUnchanged(world);
    }
  });
});

describe('an offer on an active subscription (OFR-21)', () => {
  test("can reduce a renewal's total below the minimum charge, so the total is carried over to the next renewal (BIL-35)", () => {
    const world = running('2027-01-10T09:00:00Z', 60n);
    expect(put(world, null, 'fifth')).toMatchObject({ kind: 'ok' });
    world.advance('2027-02-10');
    // 0.60 − 20% = 0.48.
    expect(world.subscription.carried).toMatchObject([{ issueDate: '2027-02-10', amount: '48' }]);
    world.advance('2027-03-10');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 96n });
  });

  test('discounts the next three renewals, and prevents another offer until the last of them (OFR-E2)', () => {
    const world = running('2027-05-06', 4_800n);
    expect(put(world, '2027-05-20', 'quarter', '2027-05-21T00:00:00Z')).toMatchObject({
      kind: 'ok',
      status: 'done',
    });
    expect(world.sent).toEqual([]);
    expect(world.aggregate.offerApplications).toMatchObject([
      {
        status: 'applied',
        source: 'direct',
        expiresAt: null,
        totalMinor: 3_600n,
        phases: [{ startsAt: '2027-06-06T00:00:00.000Z', endsAt: '2027-09-06T00:00:00.000Z' }],
      },
    ]);
    world.advance('2027-08-10');
    expect(put(world, null, 'fifth')).toMatchObject({
      code: 'offer_not_applicable',
      details: { reason: 'other_offer_active' },
    });
    expectUnchanged(world);
    world.advance('2027-09-06');
    expect(put(world, null, 'fifth')).toMatchObject({ kind: 'ok' });
    world.advance('2027-10-06');
    expect(totals(world)).toEqual([
      '2027-05-06 4800 paid',
      '2027-06-06 3600 paid',
      '2027-07-06 3600 paid',
      '2027-08-06 3600 paid',
      '2027-09-06 4800 paid',
      '2027-10-06 3840 paid',
    ]);
  });

  test("starts and ends on the subscription's anchor day (GLO-18)", () => {
    const world = running('2027-01-31', 4_800n);
    put(world, '2027-02-10', 'quarter');
    expect(world.aggregate.offerApplications[0]?.phases).toMatchObject([
      { startsAt: '2027-02-28T00:00:00.000Z', endsAt: '2027-05-31T00:00:00.000Z' },
    ]);
  });

  test('starts with the first charge after a trial, and can be applied despite the trial (OFR-8)', () => {
    const world = opened('2027-05-06', 4_800n, 10);
    world.pay(null);
    expect(put(world, '2027-05-08', 'quarter')).toMatchObject({ kind: 'ok' });
    world.advance('2027-08-16');
    expect(totals(world)).toEqual([
      '2027-05-16 3600 paid',
      '2027-06-16 3600 paid',
      '2027-07-16 3600 paid',
      '2027-08-16 4800 paid',
    ]);
  });

  test('is rejected for a one-time plan, which has no further charges', () => {
    const world = running('2027-05-06', 4_800n, 'one_time');
    expect(put(world, null, 'quarter')).toMatchObject({
      code: 'offer_not_applicable',
      details: { reason: 'no_next_cycle' },
    });
    expectUnchanged(world);
  });
});

describe('a rejected offer (OFR-23)', () => {
  test.each<[string, string, string | null, string, string | undefined]>([
    ['a past end', 'none', '2027-05-06T00:00:00Z', 'validation_error', undefined],
    ['a trial', 'trial', null, 'offer_not_applicable', 'free_trial'],
    ['no offer', 'none', null, 'offer_not_found', undefined],
    ['an inactive offer', 'off', null, 'offer_not_applicable', 'offer_inactive'],
    ['a first charge below the minimum', 'tiny', null, 'offer_not_applicable', 'below_minimum'],
  ])('returns the error from the first failed check: %s', (_name, offerId, expiresAt, code, reason) => {
    const world = opened('2027-05-06', 8_400n);
    expect(put(world, null, offerId, expiresAt)).toMatchObject({
      kind: 'rejection',
      code,
      ...(reason ? { details: { reason } } : {}),
    });
    expectUnchanged(world);
  });

  test.each([
    ['canceled', (world: World) => world.cancel(null, true)],
    [
      'past due',
      (world: World) => {
        world.mood = 'declines';
        world.advance('2027-06-06');
      },
    ],
  ])("can't be applied or removed while the subscription is %s", (_name, turn) => {
    const world = running('2027-05-06', 4_800n);
    turn(world);
    for (const rejected of [() => put(world, null, 'trial'), () => take(world)]) {
      expect(rejected()).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
      expectUnchanged(world);
    }
  });

  test("can't be removed from an active subscription", () => {
    const world = opened('2027-05-06', 4_800n);
    put(world, null, 'quarter');
    world.pay(null, card);
    expect(take(world)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
    expectUnchanged(world);
  });
});
