import { describe, expect, test } from 'vitest';
import type { MeterDocument } from '../../../src/domain/meters/meter.ts';
import type { FeatureCountRow, UsageCounterRow } from '../../../src/domain/rows/usage-rows.ts';
import { counterId } from '../../../src/domain/usage/counter.ts';
import { addSeats } from '../../../src/domain/usage/counts.ts';
import { unitRate } from '../../support/rates.ts';
import type { PlanSketch } from './catalog.ts';
import { amounts, change, ladder, monthly, running, yearly } from './ladder.ts';
import { at, cardThat, expectUnchanged, type World } from './world.ts';

describe('an immediate plan change, which charges the new price minus the remaining value of the old base price (SUB-39)', () => {
  test('starts a new period for an upgrade in the same interval (SUB-E1)', () => {
    const world = running('2027-03-09T10:00:00Z', { planId: 'cove' });
    expect(change(world, '2027-03-27T16:20:00Z', { newPlanId: 'ridge' })).toMatchObject({
      kind: 'ok',
      status: 'done',
    });
    // 13 of 31 days remain: 3400 × 13 ÷ 31 = 1425.81
    expect(amounts(world)).toEqual(['plan_base advance 11800', 'credit standard -1426']);
    expect(world.invoice).toMatchObject({
      type: 'plan_change',
      status: 'paid',
      subtotal: 11_800n,
      creditApplied: 1_426n,
      total: 10_374n,
      periodStart: at('2027-03-27'),
      periodEnd: at('2027-04-27'),
    });
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'subscription.plan_changed',
      'state plan_change',
    ]);
    expect(world.event('subscription.plan_changed').data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      previousPlan: { id: 'cove', name: 'COVE' },
      currentPlan: { id: 'ridge', name: 'RIDGE' },
      billingInterval: 'monthly',
      credit: 1_426,
      charge: 11_800,
      totalCharged: 10_374,
    });
    expect(world.subscription).toMatchObject({
      planId: 'ridge',
      priceId: 'ridge_m',
      anchorDate: at('2027-03-27'),
      periodEnd: at('2027-04-27'),
      termsFrom: at('2027-03-27T16:20:00Z'),
      effectiveBaseMinor: 11_800n,
    });
    world.advance('2027-04-27');
    expect(amounts(world)).toEqual(['plan_base advance 11800']);
    expect(world.items.map(({ outcome }) => outcome)).toEqual(['renewed']);
  });

  test('credits part of the discounted amount that the customer paid, and ends the discount (OFR-19, SUB-E2)', () => {
    const world = running('2027-03-09', { planId: 'cove', offerId: 'off35' });
    // 3400 minus 35% is 2210.
    expect(world.subscription.effectiveBaseMinor).toBe(2_210n);
    change(world, '2027-03-27T16:20:00Z', { newPlanId: 'ridge' });
    // 2210 × 13 ÷ 31 = 926.77
    expect(world.invoice.total).toBe(10_873n);
    expect(world.aggregate.offerApplications).toMatchObject([
      { status: 'applied', endedAt: at('2027-03-27T16:20:00Z') },
    ]);
    world.advance('2027-04-27');
    expect(world.invoice.total).toBe(11_800n);
  });

  test("doesn't require a plan group for a longer interval of the same plan (CAT-41, SUB-E3)", () => {
    const [cove, ...others] = ladder;
    const world = running(
      '2027-05-09',
      { planId: 'cove' },
      { plans: [{ ...cove, id: 'cove', group: null }, ...others] },
    );
    change(world, '2027-05-20', { newBillingInterval: 'yearly' });
    // 20 of 31 days: 3400 × 20 ÷ 31 = 2193.55; 33600 − 2194
    expect(amounts(world)).toEqual(['plan_base advance 33600', 'credit standard -2194']);
    expect(world.invoice.total).toBe(31_406n);
    expect(world.subscription).toMatchObject({
      billingInterval: 'yearly',
      periodStart: at('2027-05-20'),
      periodEnd: at('2028-05-20'),
    });
  });

  test('turns a proration credit above a discounted charge into a customer credit (SUB-41)', () => {
    const world = running('2027-02-01', { planId: 'ridge', billingInterval: 'yearly' });
    change(world, '2027-04-12', { newPlanId: 'atlas', offerId: 'half' });
    // 95370 − (70000 − 35000) remain.
    expect(world.credits).toMatchObject([{ source: 'plan_change', amountMinor: 60_370n }]);
  });

  test('credits nothing for a one-time purchase, which can change only to a higher plan', () => {
    const oneTimePlan = (id: string, amount: bigint) => ({
      id,
      prices: [{ id: `${id}_once`, interval: 'one_time' as const, amount }],
    });
    const plans = [oneTimePlan('cove', 3_400n), oneTimePlan('ridge', 11_800n)];
    const world = running('2027-02-01', { planId: 'cove' }, { plans });
    change(world, '2027-02-10', { newPlanId: 'ridge' });
    expect(amounts(world)).toEqual(['plan_base advance 11800']);
    expect(change(world, '2027-02-11', { newPlanId: 'cove' })).toMatchObject({ code: 'validation_error' });
  });

  test("turns a proration credit above the charge into a customer credit that doesn't expire (SUB-41, SUB-E4)", () => {
    const world = running('2027-02-01', { planId: 'ridge', billingInterval: 'yearly' });
    change(world, '2027-04-12', { newPlanId: 'atlas' });
    // 295 of 365 days: 118000 × 295 ÷ 365 = 95369.86. 95370 − 70000 = 25370 remains.
    expect(amounts(world)).toEqual(['plan_base advance 70000', 'credit standard -95370']);
    expect(world.invoice).toMatchObject({ status: 'paid', total: 0n, creditApplied: 70_000n });
    expect(world.ledger.find(({ fact }) => fact === 'credit.prorated')).toMatchObject({
      debitAccount: 'revenue',
      creditAccount: 'customer_credit',
      amountMinor: 25_370n,
    });
    expect(world.credits).toMatchObject([
      { source: 'plan_change', amountMinor: 25_370n, remainingMinor: 25_370n, expiresAt: null },
    ]);
    expect(world.sent).toEqual(['invoice.created', 'subscription.plan_changed', 'state plan_change']);
    expect(world.event('subscription.plan_changed').data).toMatchObject({
      credit: 95_370,
      charge: 70_000,
      totalCharged: 0,
    });
    // Later invoices use the credit, starting with the oldest.
    change(world, '2027-04-13', { newPlanId: 'gratis' });
    world.advance('2028-04-12');
    expect(world.subscription).toMatchObject({ planId: 'gratis', status: 'active' });
  });

  test("includes overage at the old prices, true-ups to the current day, and the new plan's seats in advance, without a credit for prepaid seats (SUB-40, SUB-E5)", () => {
    const plans: readonly PlanSketch[] = [
      {
        id: 'mesa',
        prices: [monthly('mesa_m', 5_200n)],
        seats: {
          editors: { includedAmount: 7n, overageEnabled: true, rate: unitRate(90_000n) },
          exports: { includedAmount: 1_000n, overageEnabled: true, rate: unitRate(130n) },
        },
      },
      {
        id: 'delta',
        prices: [monthly('delta_m', 13_900n)],
        seats: { editors: { includedAmount: 6n, overageEnabled: true, rate: unitRate(135_000n) } },
      },
    ];
    // April has 30 days; 11 of them remain on the 20th.
    const world = running('2027-04-01', { planId: 'mesa', initialSeats: { editors: 7 } }, { plans });
    use(world, 'exports', 1_640n);
    addTwoSeats(world, '2027-04-14');
    change(world, '2027-04-20', { newPlanId: 'delta' });
    // 5200 × 11 ÷ 30 = 1906.67. 640 × 130 is a rate of 83200. 2 × 900 × 6 ÷ 30 = 360. 3 × 1350 = 4050.
    expect(amounts(world)).toEqual([
      'plan_base advance 13900',
      'feature_overage standard 832',
      'feature_seats true_up 360',
      'feature_seats advance 4050',
      'credit standard -1907',
    ]);
    expect(world.invoice.total).toBe(17_235n);
    expect(world.aggregate.counts).toMatchObject([{ count: 9n, openingCount: 9n, steps: [] }]);
    // These amounts aren't billed again.
    world.advance('2027-05-20');
    expect(amounts(world)).toEqual(['plan_base advance 13900', 'feature_seats advance 4050']);
  });

  test('uses customer credits after the proration credit and before tax (SUB-42, BIL-13)', () => {
    const world = running('2027-03-09', { planId: 'cove' });
    world.do(null, {
      kind: 'credit.grant',
      creditId: 'crd_1',
      amountMinor: 20_000n,
      currency: 'usd',
      source: 'api',
      reason: 'Sorry',
      expiresAt: null,
    });
    change(world, '2027-03-27', { newPlanId: 'ridge' });
    expect(amounts(world)).toEqual([
      'plan_base advance 11800',
      'credit standard -1426',
      'credit standard -10374',
    ]);
    expect(world.invoice).toMatchObject({ creditApplied: 11_800n, total: 0n, status: 'paid' });
    expect(world.credits).toMatchObject([{ remainingMinor: 9_626n }]);
  });

  test('writes off a total below the minimum charge (BIL-35)', () => {
    const plans = [
      { id: 'cove', prices: [monthly('cove_m', 3_400n)] },
      { id: 'reef', prices: [monthly('reef_m', 3_430n)] },
    ];
    const world = running('2027-03-09', { planId: 'cove' }, { plans });
    change(world, '2027-03-09', { newPlanId: 'reef' });
    expect(world.invoice).toMatchObject({ total: 30n, status: 'paid' });
    expect(world.aggregate.transactions).toHaveLength(1);
    expect(world.sent).toEqual(['invoice.created', 'subscription.plan_changed', 'state plan_change']);
  });

  test('can include an offer, which discounts the new base price and continues on the new plan (OFR-32)', () => {
    const world = running('2027-03-09', { planId: 'cove' });
    change(world, '2027-03-27', { newPlanId: 'ridge', offerId: 'half' });
    expect(amounts(world)).toEqual([
      'plan_base advance 11800',
      'discount standard -5900',
      'credit standard -1426',
    ]);
    expect(world.invoice.total).toBe(4_474n);
    expect(world.event('subscription.plan_changed').data).toMatchObject({ charge: 5_900 });
    expect(world.aggregate.offerApplications).toMatchObject([
      { status: 'applied', offerId: 'half', appliedAt: at('2027-03-27') },
    ]);
    world.advance('2027-05-27');
    expect(world.aggregate.invoices.map(({ total }) => total)).toEqual([3_400n, 4_474n, 5_900n, 11_800n]);
  });
});

const use = (world: World, featureId: string, total: bigint, meter: MeterDocument | null = null): void => {
  const { id: subscriptionId, customerId, windowStart } = world.subscription;
  if (windowStart === null) throw new Error('no window');
  const id = counterId(subscriptionId, featureId);
  const row: UsageCounterRow = {
    id,
    seq: 7n,
    customerId,
    subscriptionId,
    featureId,
    windowStart,
    total,
    consumed: 0n,
    waived: 0n,
    price: '0',
    recorded: '0',
    held: null,
    crossed: 0,
    covered: 0n,
    meter,
    latestAt: null,
    level: null,
  };
  world.aggregate = {
    ...world.aggregate,
    counters: [...world.aggregate.counters.filter((counter) => counter.id !== id), row],
  };
};

function addTwoSeats(world: World, on: string): void {
  const counts = world.aggregate.counts.map((count): FeatureCountRow => {
    const terms = { unlimited: false, allowsOverage: true, includedAmount: 7n } as Parameters<
      typeof addSeats
    >[0];
    const raised = addSeats(terms, count, 2n, at(on));
    if ('code' in raised) throw new Error(raised.code);
    return { ...raised, seq: 9n };
  });
  world.aggregate = { ...world.aggregate, counts };
}

describe('an immediate plan change before its charge settles (SUB-43)', () => {
  test('is canceled if the charge is declined, which voids the invoice, returns customer credits, and leaves the subscription unchanged', () => {
    const world = running('2027-03-09', { planId: 'cove' }, { method: cardThat('pays', 'declines') });
    world.do(null, {
      kind: 'credit.grant',
      creditId: 'crd_1',
      amountMinor: 500n,
      currency: 'usd',
      source: 'api',
      reason: 'Sorry',
      expiresAt: null,
    });
    world.sent;
    const before = world.subscription;
    const outcome = change(world, '2027-03-27', { newPlanId: 'ridge', offerId: 'half' });
    expect(outcome).toMatchObject({
      kind: 'rejection',
      code: 'charge_failed',
      details: { declineCode: 'card_declined' },
    });
    expect(world.subscription).toEqual(before);
    expect(world.invoice).toMatchObject({ type: 'plan_change', status: 'void' });
    expect(world.credits).toMatchObject([{ remainingMinor: 500n, reversedMinor: 500n }]);
    expect(world.aggregate.offerApplications).toMatchObject([{ status: 'expired' }]);
    expect(world.sent).toEqual(['invoice.created', 'invoice.voided']);
    world.mood = 'pays';
    world.advance('2027-04-09');
    expect(world.invoice).toMatchObject({ type: 'recurring', total: 2_900n });
  });

  test('treats a required authentication as a declined charge', () => {
    const world = running('2027-03-09', { planId: 'cove' }, { method: cardThat('pays', 'asks') });
    expect(change(world, '2027-03-27', { newPlanId: 'ridge' })).toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'authentication_required' },
    });
    expect(world.subscription.planId).toBe('cove');
  });

  test('blocks other charges and usage window resets while its charge is pending, and usage during that time counts toward the new period', () => {
    const terms = (included: bigint) => ({
      editors: { includedAmount: included, overageEnabled: true, rate: unitRate(90_000n) },
      exports: { includedAmount: 100n, overageEnabled: true, rate: unitRate(10_000n) },
    });
    const plans = [
      { id: 'cove', prices: [yearly('cove_y', 36_500n)], seats: terms(5n) },
      { id: 'ridge', prices: [yearly('ridge_y', 73_000n)], seats: terms(5n) },
    ];
    const world = running('2027-03-01', { planId: 'cove', initialSeats: { editors: 7 } }, { plans });
    use(world, 'exports', 150n);
    world.mood = 'silent';
    expect(change(world, '2027-03-31T23:00:00Z', { newPlanId: 'ridge' })).toMatchObject({
      kind: 'ok',
      status: 'unanswered',
    });
    expect(change(world, null, { newPlanId: 'ridge' })).toMatchObject({ code: 'charge_in_progress' });
    expectUnchanged(world);
    use(world, 'exports', 180n);
    addTwoSeats(world, '2027-03-31');
    world.advance('2027-04-01');
    expect(world.parked).toEqual([`window_reset:${world.subscription.id}`]);
    const { id: transactionId } = world.aggregate.transactions.at(-1) ?? { id: '' };
    world.mood = null;
    world.do('2027-04-01T00:30:00Z', { kind: 'charge.result', transactionId, result: { status: 'settled' } });
    // 336 of 366 days: 36500 × 336 ÷ 366 = 33508.20. Also billed: 50 units of overage, and two seats above the 5 included seats for the new
    // year.
    expect(amounts(world)).toEqual([
      'plan_base advance 73000',
      'feature_overage standard 5000',
      'feature_seats advance 1800',
      'credit standard -33508',
    ]);
    expect(world.invoice).toMatchObject({
      status: 'paid',
      periodStart: at('2027-04-01'),
      periodEnd: at('2028-04-01'),
    });
    // The 30 units and two seats from the last hour count toward the new window and period.
    expect(world.aggregate.counters).toMatchObject([{ total: 30n, windowStart: at('2027-04-01') }]);
    expect(world.aggregate.counts).toMatchObject([
      { count: 9n, openingCount: 7n, steps: [{ on: '2027-04-01', mark: '9' }] },
    ]);
    expect(world.deadlines).toContain('2027-05-01 window_reset:sub');
  });

  /** Records events with a quantity and a user. The first event has a number above the invoice's number if `isLater` is true. */
  function record(world: World, events: readonly (readonly [bigint, string])[], isLater: boolean): void {
    const { id: subscriptionId, windowStart } = world.subscription;
    if (windowStart === null) throw new Error('no window');
    const first = isLater ? (world.invoice.seq ?? 0n) + 1n : -100n;
    const rows = events.map(([value, user], index) => ({
      subscriptionId,
      featureId: 'exports',
      windowStart,
      ts: new Date(world.now.getTime() + index),
      seq: first + BigInt(index),
      value,
      quantity: null,
      properties: [{ property: 'user', value: user }],
    }));
    world.aggregate = { ...world.aggregate, measured: [...world.aggregate.measured, ...rows] };
  }

  const noValues: readonly (readonly [string, bigint])[] = [];
  test.each([
    ['sum', { aggregation: 'sum', decimals: 0 }, 13n, 26n, 13n, noValues],
    ['count', { aggregation: 'count', decimals: 0 }, 2n, 5n, 3n, noValues],
    ['max', { aggregation: 'max', decimals: 0 }, 9n, 9n, 6n, noValues],
    ['latest', { aggregation: 'latest', decimals: 0 }, 4n, 5n, 5n, noValues],
    [
      'unique',
      { aggregation: 'unique', property: 'user', decimals: 0 },
      2n,
      3n,
      2n,
      [
        ['b', 1n],
        ['c', 2n],
      ],
    ],
    ['percentile', { aggregation: 'percentile', percentile: 50, decimals: 0 }, 9n, 9n, 6n, noValues],
    ['time_weighted', { aggregation: 'time_weighted', decimals: 0 }, 9n, 9n, 6n, noValues],
  ] as const)(
    'carries the events of a meter with the aggregation %s that were recorded while its charge is pending',
    (_name, meter, billed, total, carried, values) => {
      const exports = { includedAmount: 100n, overageEnabled: true, rate: unitRate(10_000n) };
      const plans = [
        { id: 'cove', prices: [yearly('cove_y', 36_500n)], seats: { exports } },
        { id: 'ridge', prices: [yearly('ridge_y', 73_000n)], seats: { exports } },
      ];
      const world = running('2027-03-01', { planId: 'cove' }, { plans });
      const earlier = [
        [9n, 'a'],
        [4n, 'b'],
      ] as const;
      const later = [
        [6n, 'b'],
        [2n, 'c'],
        [5n, 'c'],
      ] as const;
      use(world, 'exports', billed, meter);
      record(world, earlier, false);
      world.mood = 'silent';
      change(world, '2027-03-31T23:00:00Z', { newPlanId: 'ridge' });
      const { windowStart: from } = world.subscription;
      use(world, 'exports', total, meter);
      record(world, later, true);
      const { seq: afterSeq } = world.invoice;
      const { id: transactionId } = world.aggregate.transactions.at(-1) ?? { id: '' };
      world.mood = null;
      world.do('2027-03-31T23:30:00Z', {
        kind: 'charge.result',
        transactionId,
        result: { status: 'settled' },
      });
      const to = at('2027-03-31');
      expect(world.subscription.windowStart).toEqual(to);
      expect(world.aggregate.counters).toMatchObject([{ total: carried, windowStart: to, meter }]);
      expect(world.last?.usageAdjustments).toEqual([]);
      expect(world.last?.carried).toEqual([
        {
          customerId: world.subscription.customerId,
          subscriptionId: world.subscription.id,
          featureId: 'exports',
          from,
          to,
          afterSeq,
          except: [],
          values: new Map(values),
        },
      ]);
    },
  );
});

describe('a plan change during a paid trial (SUB-44)', () => {
  const plans = [
    { id: 'cove', prices: [{ ...monthly('cove_m', 3_400n), trialDays: 10 }, yearly('cove_y', 33_600n)] },
    { id: 'ridge', prices: [monthly('ridge_m', 11_800n)] },
    { id: 'gratis', isFree: true },
  ];
  test('charges the full price without a credit, like a first activation', () => {
    const world = running('2027-06-03T18:45:00Z', { planId: 'cove' }, { plans });
    expect(world.subscription.status).toBe('trialing');
    change(world, '2027-06-08', { newPlanId: 'ridge' });
    expect(amounts(world)).toEqual(['plan_base advance 11800']);
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'trial.converted',
      'subscription.plan_changed',
      'state plan_change',
      'state trial_converted',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      trialEndsAt: at('2027-06-08'),
      activatedAt: at('2027-06-08'),
      periodEnd: at('2027-07-08'),
    });
    expect(world.deadlines).toEqual(['2027-07-05 daily_scan:sub:upcoming', '2027-07-08 period_end:sub']);
  });
  test('continues the trial after a declined charge', () => {
    const world = running('2027-06-03', { planId: 'cove' }, { plans, method: cardThat('pays', 'declines') });
    expect(change(world, '2027-06-08', { newPlanId: 'ridge' })).toMatchObject({ code: 'charge_failed' });
    expect(world.subscription).toMatchObject({ status: 'trialing', planId: 'cove', activatedAt: null });
    expect(world.deadlines).toContain('2027-06-13 trial_end:sub');
  });
  test('is scheduled for the end of the trial, which continues (OQ-09)', () => {
    const world = running(
      '2027-06-03',
      { planId: 'cove', customTrialDays: 10, billingInterval: 'yearly' },
      { plans },
    );
    expect(change(world, '2027-06-05', { newBillingInterval: 'monthly' })).toMatchObject({ kind: 'ok' });
    expect(world.subscription).toMatchObject({
      status: 'trialing',
      scheduledChange: { scheduledFor: '2027-06-13T00:00:00.000Z' },
    });
    expect(world.sent).toEqual(['subscription.plan_change_scheduled']);
    world.advance('2027-06-13');
    expect(world.invoice).toMatchObject({ type: 'recurring', total: 3_400n, status: 'paid' });
    expect(world.subscription).toMatchObject({
      billingInterval: 'monthly',
      scheduledChange: null,
      periodEnd: at('2027-07-13'),
    });
    expect(world.sent).toEqual([
      'trial.will_end',
      'subscription.plan_changed',
      'state plan_change',
      'trial.expired',
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'state trial_expired',
    ]);
  });
  test('charges nothing for a trial that ends on a free plan', () => {
    const world = running('2027-06-03', { planId: 'cove' }, { plans });
    change(world, '2027-06-05', { newPlanId: 'gratis' });
    world.sent;
    world.advance('2027-06-13');
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      planId: 'gratis',
      priceId: null,
      billingInterval: null,
    });
    expect(world.sent).toEqual([
      'trial.will_end',
      'trial.expired',
      'subscription.activated',
      'state trial_expired',
      'subscription.plan_changed',
      'state plan_change',
    ]);
    expect(world.items).toMatchObject([{ outcome: 'plan_changed' }]);
    world.advance('2027-07-13');
    expect(world.items.at(-1)).toMatchObject({ kind: 'window_reset', outcome: 'reset' });
  });
});
