import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/enums.ts';
import type { OfferRow } from '../../../src/domain/offers/offer.ts';
import type { OfferPhase } from '../../../src/domain/offers/phase.ts';
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
  test('prices it again, is replaced by another and taken off, each quote ending as expired (OFR-E4)', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    expect(put(world, null, 'fifth', '2027-05-06T14:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual(['invoice.voided', 'invoice.created']);
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
    expect(world.aggregate.invoices.map(({ status }) => status)).toEqual([
      'void',
      'void',
      'void',
      'outstanding',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'pending_payment',
      checkoutInvoiceId: world.invoice.id,
      effectiveBaseMinor: 8_400n,
    });

    expect(take(world)).toMatchObject({ kind: 'rejection', code: 'offer_not_found' });
    expectUnchanged(world);
  });

  test('keeps the base it was issued with, also under a fixed price above it (SUB-20)', () => {
    const world = opened('2027-05-06', 8_400n);
    put(world, null, 'hundred');
    expect(world.invoice.total).toBe(10_000n);
    put(world, null, 'quarter');
    expect(world.invoice.total).toBe(6_300n);
  });

  test('again with the same end changes nothing (OFR-25); with another end it is quoted again', () => {
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

  test('ends at its time, and the checkout shows the full price (OFR-17)', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    put(world, null, 'fifth', '2027-05-06T14:00:00Z');
    expect(world.sent).toHaveLength(2);
    world.advance('2027-05-06T14:00:00Z');
    expect(world.sent).toEqual(['invoice.voided', 'invoice.created']);
    expect(world.invoice).toMatchObject({ status: 'outstanding', total: 8_400n });
    expect(quotes(world)).toEqual(['fifth expired 6720']);
    expect(world.items).toMatchObject([
      { kind: 'quote_expiry', outcome: 'quote_expired', invoiceId: world.invoice.id },
    ]);
  });

  test('that has ended is not accepted before its deadline has run: the payer confirms the full price (OFR-18)', () => {
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

  test('paid in time is applied from that day, and its end means nothing any more', () => {
    const world = opened('2027-05-06T13:00:00Z', 8_400n);
    put(world, null, 'fifth', '2027-05-06T14:00:00Z');
    world.pay('2027-05-06T13:59:59Z');
    expect(world.aggregate.offerApplications).toMatchObject([
      { status: 'applied', phases: [{ startsAt: '2027-05-06T00:00:00.000Z' }] },
    ]);
    expect(world.deadlines.some((line) => line.includes('quote_expiry'))).toBe(false);
  });

  test('takes the place of a trial: the set-up becomes a payment (OQ-78)', () => {
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

  test('gives up an authentication the payer owes, and waits for no payment under way', () => {
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

describe('an offer on a running subscription (OFR-21)', () => {
  test('lowers three renewals from the next one on; another has to wait until it is through (OFR-E2)', () => {
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

  test('has its dates on the days of the anchor (GLO-18)', () => {
    const world = running('2027-01-31', 4_800n);
    put(world, '2027-02-10', 'quarter');
    expect(world.aggregate.offerApplications[0]?.phases).toMatchObject([
      { startsAt: '2027-02-28T00:00:00.000Z', endsAt: '2027-05-31T00:00:00.000Z' },
    ]);
  });

  test('in a trial begins with the first charge, and the trial alone does not stand in its way (OFR-8)', () => {
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

  test('that was bought once is rejected: nothing is charged again', () => {
    const world = running('2027-05-06', 4_800n, 'one_time');
    expect(put(world, null, 'quarter')).toMatchObject({
      code: 'offer_not_applicable',
      details: { reason: 'no_next_cycle' },
    });
    expectUnchanged(world);
  });
});

describe('the first check that fails decides (OFR-23)', () => {
  test.each<[string, string, string | null, string, string | undefined]>([
    ['a past end', 'none', '2027-05-06T00:00:00Z', 'validation_error', undefined],
    ['a trial', 'trial', null, 'offer_not_applicable', 'free_trial'],
    ['no offer', 'none', null, 'offer_not_found', undefined],
    ['an offer switched off', 'off', null, 'offer_not_applicable', 'offer_inactive'],
    ['a first charge below the minimum', 'tiny', null, 'offer_not_applicable', 'below_minimum'],
  ])('%s', (_name, offerId, expiresAt, code, reason) => {
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
  ])('a subscription that is %s takes and loses none', (_name, turn) => {
    const world = running('2027-05-06', 4_800n);
    turn(world);
    for (const rejected of [() => put(world, null, 'trial'), () => take(world)]) {
      expect(rejected()).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
      expectUnchanged(world);
    }
  });

  test('a running subscription has no offer that could be taken off', () => {
    const world = opened('2027-05-06', 4_800n);
    put(world, null, 'quarter');
    world.pay(null, card);
    expect(take(world)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
    expectUnchanged(world);
  });
});
