import { describe, expect, test } from 'vitest';
import type { OfferPhase } from '../../../src/domain/offers/phase.ts';
import {
  type DiscountPhase,
  datedPhases,
  discountAt,
  reducedBase,
  resolvedPhases,
} from '../../../src/domain/offers/terms.ts';
import type { RecurringInterval } from '../../../src/domain/rows/enums.ts';

const shape = { durationCycles: 1, durationInterval: null, startsAt: null, endsAt: null };
const percentage = (bps: number): DiscountPhase => ({ type: 'percentage', percentage: bps, ...shape });
const amountOff = (amount: number): DiscountPhase => ({ type: 'amount_off', amount, ...shape });
const fixedPrice = (price: number): DiscountPhase => ({ type: 'fixed_price', price, ...shape });

describe("the plan's base price during an offer phase (OFR-2, BIL-14, BIL-16)", () => {
  test.each<[string, bigint, DiscountPhase | null, shown: bigint, off: bigint, left: bigint]>([
    ['nothing', 2_650n, null, 2_650n, 0n, 2_650n],
    // OFR-E1: 26.50 × 40% = 10.60; × 10% = 2.65.
    ['40 %', 2_650n, percentage(4_000), 2_650n, 1_060n, 1_590n],
    ['10 %', 2_650n, percentage(1_000), 2_650n, 265n, 2_385n],
    // OFR-E3: 1,999 × 0.3333 = 666.27.
    ['33.33 %', 1_999n, percentage(3_333), 1_999n, 666n, 1_333n],
    ['half of an odd cent, rounded up', 1n, percentage(5_000), 1n, 1n, 0n],
    ['a hundredth of a percent of a small base', 49n, percentage(1), 49n, 0n, 49n],
    ['the full base', 2_650n, percentage(10_000), 2_650n, 2_650n, 0n],
    ['the full base of 0', 0n, percentage(10_000), 0n, 0n, 0n],
    ['an amount', 8_400n, amountOff(1_500), 8_400n, 1_500n, 6_900n],
    // OFR-E3: a discount of 15.00 on 12.00 is limited to 12.00.
    ['an amount above the base', 1_200n, amountOff(1_500), 1_200n, 1_200n, 0n],
    ['a fixed price below the base', 8_400n, fixedPrice(5_000), 8_400n, 3_400n, 5_000n],
    ['a fixed price of 0', 8_400n, fixedPrice(0), 8_400n, 8_400n, 0n],
    ['the base itself', 5_000n, fixedPrice(5_000), 5_000n, 0n, 5_000n],
    ['a fixed price above the base', 4_000n, fixedPrice(5_000), 5_000n, 0n, 5_000n],
    [
      'the largest amounts',
      9_007_199_254_740_991n,
      percentage(9_999),
      9_007_199_254_740_991n,
      9_006_298_534_815_517n,
      900_719_925_474n,
    ],
  ])(
    'is divided into a discount and a remainder for %s',
    (_name, base, phase, shownMinor, discountMinor, effectiveMinor) => {
      expect(reducedBase(base, phase)).toEqual({ shownMinor, discountMinor, effectiveMinor });
    },
  );
});

const offer: readonly OfferPhase[] = [
  { type: 'free_trial', durationDays: 5 },
  { type: 'percentage', percentage: 4_000, durationCycles: 2, durationInterval: null },
  {
    type: 'amount_off',
    amounts: [
      { currency: 'eur', amount: 7 },
      { currency: 'usd', amount: 9 },
    ],
    durationCycles: null,
    durationInterval: null,
  },
];

test('a phase is resolved to values in one currency (OFR-7, OFR-6)', () => {
  const undated = { startsAt: null, endsAt: null, durationInterval: null };
  expect(resolvedPhases(offer, 'usd', 'monthly')).toEqual([
    { type: 'free_trial', durationDays: 5, ...undated },
    { type: 'percentage', percentage: 4_000, durationCycles: 2, ...undated },
    { type: 'amount_off', amount: 9, durationCycles: null, ...undated },
  ]);
  expect(() => resolvedPhases(offer, 'brl', 'monthly')).toThrow('no amount in brl');
});

const day = (date: string) => `${date}T00:00:00.000Z`;
const dates = (
  phases: readonly OfferPhase[],
  acceptance: Omit<Parameters<typeof datedPhases>[1], 'acceptedAt'>,
) =>
  datedPhases(resolvedPhases(phases, 'usd', acceptance.interval), {
    acceptedAt: new Date('2027-07-12T09:30:00.000Z'),
    ...acceptance,
  });
const bounds = (phases: ReturnType<typeof dates>) => phases.map(({ startsAt, endsAt }) => [startsAt, endsAt]);

describe('the schedule of offer phases (OFR-9, OFR-12)', () => {
  const from = (date: string) => new Date(day(date));

  test('is derived from the application date, the trial, and the cycles (OFR-E1)', () => {
    const dated = dates(offer, {
      trialEndsAt: from('2027-07-17'),
      firstPeriodStart: from('2027-07-17'),
      interval: 'monthly',
    });
    expect(bounds(dated)).toEqual([
      ['2027-07-12T09:30:00.000Z', day('2027-07-17')],
      [day('2027-07-17'), day('2027-09-17')],
      [day('2027-09-17'), null],
    ]);
  });

  test('is calculated from the anchor, even after short months', () => {
    const percentPhase = (durationCycles: number): OfferPhase => ({
      type: 'percentage',
      percentage: 1,
      durationCycles,
      durationInterval: null,
    });
    const monthEnd = { trialEndsAt: null, firstPeriodStart: from('2027-01-31') };
    expect(
      bounds(
        dates([percentPhase(1), percentPhase(1), percentPhase(2)], { ...monthEnd, interval: 'monthly' }),
      ),
    ).toEqual([
      [day('2027-01-31'), day('2027-02-28')],
      [day('2027-02-28'), day('2027-03-31')],
      [day('2027-03-31'), day('2027-05-31')],
    ]);
    expect(bounds(dates([percentPhase(2)], { ...monthEnd, interval: 'weekly' }))).toEqual([
      [day('2027-01-31'), day('2027-02-14')],
    ]);
    expect(bounds(dates([percentPhase(2)], { ...monthEnd, interval: 'yearly' }))).toEqual([
      [day('2027-01-31'), day('2029-01-31')],
    ]);
    expect(bounds(dates([percentPhase(2)], { ...monthEnd, interval: 'one_time' }))).toEqual([
      [day('2027-01-31'), null],
    ]);
  });

  test("counts a fixed price's cycles in that price's interval, and anchors the next phase at the end of the fixed price (OFR-13)", () => {
    const fixedPhase = (durationInterval: RecurringInterval, durationCycles: number | null): OfferPhase => ({
      type: 'fixed_price',
      prices: [{ currency: 'usd', amount: 1_000 }],
      durationCycles,
      durationInterval,
    });
    const percentPhase: OfferPhase = {
      type: 'percentage',
      percentage: 1,
      durationCycles: 1,
      durationInterval: null,
    };
    const start = { trialEndsAt: null, firstPeriodStart: from('2027-01-31') };
    // Three months from January 31 end on April 30. A year from that day ends on the 30th.
    expect(bounds(dates([fixedPhase('monthly', 3), percentPhase], { ...start, interval: 'yearly' }))).toEqual(
      [
        [day('2027-01-31'), day('2027-04-30')],
        [day('2027-04-30'), day('2028-04-30')],
      ],
    );
    expect(
      bounds(dates([percentPhase, fixedPhase('yearly', 2), percentPhase], { ...start, interval: 'monthly' })),
    ).toEqual([
      [day('2027-01-31'), day('2027-02-28')],
      [day('2027-02-28'), day('2029-02-28')],
      [day('2029-02-28'), day('2029-03-28')],
    ]);
    // If the phase uses the price's own interval, its cycles are regular cycles from the anchor.
    expect(
      bounds(dates([fixedPhase('monthly', 1), percentPhase], { ...start, interval: 'monthly' })),
    ).toEqual([
      [day('2027-01-31'), day('2027-02-28')],
      [day('2027-02-28'), day('2027-03-31')],
    ]);
    expect(bounds(dates([fixedPhase('weekly', null)], { ...start, interval: 'monthly' }))).toEqual([
      [day('2027-01-31'), null],
    ]);
  });

  test("determines a period's phase, including at its boundaries (OFR-10)", () => {
    const dated = dates(offer, {
      trialEndsAt: from('2027-07-17'),
      firstPeriodStart: from('2027-07-17'),
      interval: 'monthly',
    });
    const types = ['2027-07-12', '2027-07-17', '2027-08-17', '2027-09-16', '2027-09-17', '2040-01-17'].map(
      (date) => discountAt(dated, from(date))?.type ?? null,
    );
    expect(types).toEqual([null, 'percentage', 'percentage', 'percentage', 'amount_off', 'amount_off']);
    expect(discountAt(resolvedPhases(offer, 'usd', 'monthly'), from('2027-07-17'))).toBeNull();
  });
});
