import { describe, expect, test } from 'vitest';
import { featureSeats } from '../../../src/domain/invoicing/feature-counts.ts';
import { featureOverage } from '../../../src/domain/invoicing/feature-overage.ts';
import type { LineDetails } from '../../../src/domain/invoicing/line.ts';
import { rateScale } from '../../../src/domain/money/money.ts';
import { drawOf, storedRate, unitsCovered } from '../../../src/domain/rates/held.ts';
import type { RateDocument } from '../../../src/domain/rates/rate.ts';
import { recompute } from '../../../src/domain/rows/explanation.ts';
import { featureAccess } from '../../../src/domain/usage/access.ts';
import { admit, rejectsUnit } from '../../../src/domain/usage/admission.ts';
import { trueUps } from '../../../src/domain/usage/counts.ts';
import { priceUnits } from '../../../src/domain/usage/record.ts';
import { wholeUnitPriceOf } from '../../../src/domain/usage/terms.ts';
import { overageMinor } from '../../../src/domain/usage/window.ts';
import { account, counter, poolTerms, terms } from './facts.ts';

/** Rate with a first tier of 1,000 units at 0.02, a second up to 10,000 at 0.015, and 0.008 above (PRM-E1). */
const ladder = (model: RateDocument['model']): RateDocument => ({
  model,
  per: 1,
  tiers: [
    { upTo: '1000', amount: '0.0200', flat: '0' },
    { upTo: '10000', amount: '0.0150', flat: '0' },
    { upTo: null, amount: '0.0080', flat: '0' },
  ],
});

const seatLadder = (model: RateDocument['model'], bound: string, first: string, next: string) =>
  storedRate({
    model,
    per: 1,
    tiers: [
      { upTo: bound, amount: first, flat: '0' },
      { upTo: null, amount: next, flat: '0' },
    ],
  });

const feature = {
  id: 'ftr_1',
  seq: 1n,
  code: 'calls',
  name: 'API calls',
  type: 'usage',
  unitName: null,
  deletedAt: null,
  meters: [],
} as const;

const window = { start: new Date('2027-04-01T00:00:00.000Z'), end: new Date('2027-05-01T00:00:00.000Z') };

const nothing: LineDetails = {
  currency: 'usd',
  base: null,
  discount: null,
  credits: [],
  usage: [],
  deficits: [],
  rises: [],
  counts: [],
  addons: [],
};

describe('metered usage with tiers', () => {
  const overage = (rate: RateDocument, total: bigint) => {
    const held = terms({ includedAmount: 500n, rates: storedRate(rate) });
    const use = { total, covered: 0n };
    const lines = featureOverage({ ...nothing, usage: [{ feature, terms: held, use, window }] });
    expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(overageMinor(held, use));
    expect(lines.map(({ explanation }) => recompute(explanation))).toEqual(lines.map(({ amount }) => amount));
    return lines.map(({ description, quantity, unitAmountRate, amount }) => [
      description,
      quantity,
      unitAmountRate,
      amount,
    ]);
  };

  test('is billed with one line for each tier entered above the included amount (PRM-E1, PRM-105)', () => {
    expect(overage(ladder('graduated'), 13_000n)).toEqual([
      ['API calls: 1000 (1 to 1000)', 1_000n, 200n, 2_000n],
      ['API calls: 9000 (1001 to 10000)', 9_000n, 150n, 13_500n],
      ['API calls: 2500 (10001 and above)', 2_500n, 80n, 2_000n],
    ]);
    expect(overage(ladder('graduated'), 500n)).toEqual([]);
    expect(overage(ladder('volume'), 13_000n)).toEqual([
      ['API calls: 12500 (10001 and above)', 12_500n, 80n, 10_000n],
    ]);
  });

  test('rounds only the total of prices below a cent (PRM-E16)', () => {
    const perMillion: RateDocument = {
      model: 'per_unit',
      per: 1_000_000,
      tiers: [{ upTo: null, amount: '0.20', flat: '0' }],
    };
    const held = terms({ includedAmount: 0n, rates: storedRate(perMillion) });
    const [line] = featureOverage({
      ...nothing,
      usage: [{ feature, terms: held, use: { total: 1_234_567n, covered: 0n }, window }],
    });
    expect(line).toMatchObject({
      quantity: 1_234_567n,
      amount: 25n,
      unitAmountRate: 0n,
      exactUnitAmount: '0.00002',
    });
  });

  test('names packages, fees, flat prices, minimums and maximums on their lines (PRM-E1, PRM-E18)', () => {
    const started: RateDocument = {
      model: 'package',
      per: 500,
      tiers: [{ upTo: null, amount: '4.00', flat: '0' }],
    };
    expect(overage(started, 1_001n)).toEqual([['API calls: 1000 in packages of 500', 1n, 80_000n, 800n]]);
    const bounded: RateDocument = {
      model: 'graduated',
      per: 1,
      tiers: [
        { upTo: '100', amount: '0.10', flat: '5.00' },
        { upTo: null, amount: '0.05', flat: '0' },
      ],
      maximum: '150.00',
    };
    expect(overage(bounded, 600n)).toEqual([
      ['API calls: 100 (1 to 100)', 100n, 1_000n, 1_000n],
      ['API calls: fee for tier 1', 1n, 50_000n, 500n],
    ]);
    expect(overage(bounded, 3_500n).at(-1)).toEqual(['API calls: maximum price', 1n, 1_350_000n, 13_500n]);
    const least: RateDocument = {
      model: 'per_unit',
      per: 1,
      tiers: [{ upTo: null, amount: '0.10', flat: '0' }],
      minimum: '10.00',
    };
    expect(overage(least, 501n)).toEqual([['API calls: minimum price', 1n, 100_000n, 1_000n]]);
  });
});

describe('seats with tiers', () => {
  const rises = (rates: ReturnType<typeof storedRate>, opening: bigint, steps: [string, bigint][]) =>
    trueUps(
      terms({ includedAmount: 0n, rates }),
      {
        id: 'cus_1:ftr_1',
        seq: 1n,
        customerId: 'cus_1',
        featureId: 'ftr_1',
        count: steps.at(-1)?.[1] ?? opening,
        pendingRemovals: 0n,
        openingCount: opening,
        steps: steps.map(([on, mark]) => ({ on, mark: String(mark) })),
        updatedAt: window.start,
      },
      window,
    ).map(({ amountMinor }) => amountMinor);

  test('are charged for the increase of the price (PRM-E3)', () => {
    const graduated = seatLadder('graduated', '5', '12.00', '9.00');
    expect(rises(graduated, 4n, [['2027-04-13', 9n]])).toEqual([2_880n]);
    expect(
      rises(graduated, 4n, [
        ['2027-04-13', 6n],
        ['2027-04-25', 9n],
      ]),
    ).toEqual([1_260n, 540n]);
  });

  test('cost nothing more if the price of the new count is lower, even in several steps (PRM-E3)', () => {
    const volume = seatLadder('volume', '20', '25.00', '20.00');
    expect(rises(volume, 20n, [['2027-04-13', 21n]])).toEqual([0n]);
    // 21 to 26 seats cost 420.00 to 520.00. The period has already reached 500.00.
    expect(
      rises(volume, 20n, [
        ['2027-04-01', 21n],
        ['2027-04-01', 26n],
      ]),
    ).toEqual([0n, 2_000n]);
  });

  test('cost nothing more inside a package that was already charged (PRM-E3)', () => {
    const packages = storedRate({
      model: 'package',
      per: 10,
      tiers: [{ upTo: null, amount: '30.00', flat: '0' }],
    });
    expect(
      rises(packages, 10n, [
        ['2027-04-19', 11n],
        ['2027-04-25', 20n],
      ]),
    ).toEqual([1_200n, 0n]);
  });

  test('are charged in advance per tier (PRM-E3)', () => {
    const lines = featureSeats({
      ...nothing,
      counts: [
        {
          feature: { ...feature, type: 'seats', name: 'Seats' },
          terms: terms({ includedAmount: 0n, rates: seatLadder('graduated', '5', '12.00', '9.00') }),
          count: 9n,
        },
      ],
    });
    expect(lines.map(({ description, amount }) => [description, amount])).toEqual([
      ['Seats: 5 (1 to 5)', 6_000n],
      ['Seats: 4 (6 and above)', 3_600n],
    ]);
  });
});

describe('a balance with tiers', () => {
  const rates = storedRate(ladder('graduated'));

  test('pays each event the increase of the rounded price (PRM-E2)', () => {
    expect(drawOf(rates, 990n, 30n, rateScale)).toEqual({ taken: 5_000n, required: 5_000n });
  });

  test('takes the same in total for any split of the usage, and requires the exact price (PRM-101, PRM-103)', () => {
    const perMillion = storedRate({
      model: 'per_unit',
      per: 1_000_000,
      tiers: [{ upTo: null, amount: '0.20', flat: '0' }],
    });
    const taken = Array.from(
      { length: 1_000 },
      (_, used) => drawOf(perMillion, BigInt(used), 1n, rateScale).taken,
    );
    expect(taken.indexOf(1n)).toBe(249);
    expect(taken.reduce((sum, one) => sum + one, 0n)).toBe(2n);
    expect(drawOf(perMillion, 0n, 1_000_000n, rateScale).taken).toBe(2_000n);
    expect(drawOf(perMillion, 0n, 1n, rateScale)).toEqual({ taken: 0n, required: 1n });
  });

  test('covers units up to the tier that exhausts it', () => {
    // 20.00 for the first 1,000 units, then 0.015 for each unit.
    expect(unitsCovered(rates, 0n, 201_500n, rateScale)).toBe(1_010n);
    expect(unitsCovered(rates, 999n, 350n, rateScale)).toBe(2n);
    expect(
      unitsCovered(storedRate({ ...ladder('graduated'), maximum: '5.00' }), 0n, 50_000n, rateScale),
    ).toBeNull();
  });

  test('is shown with the price of the first unit', () => {
    const access = featureAccess({
      feature,
      terms: terms({ pool: poolTerms('balance', true), rates }),
      base: null,
      subscription: { status: 'active' },
      window,
      period: window,
      meter: { account: account({ balanceRate: 201_500n }), counter: counter({}) },
      count: {
        id: 'cus_1:ftr_1',
        seq: null,
        customerId: 'cus_1',
        featureId: 'ftr_1',
        count: 0n,
        pendingRemovals: 0n,
        openingCount: 0n,
        steps: [],
        updatedAt: window.start,
      },
    });
    expect(access).toMatchObject({
      allowed: true,
      consumption: { availableUnits: 1_010n, unitPrice: { amount: 200n, currency: 'usd' } },
    });
  });
});

describe('credits with a rate', () => {
  const perThousand = storedRate({
    model: 'per_unit',
    per: 1_000,
    tiers: [{ upTo: null, amount: '1', flat: '0' }],
  });
  const held = terms({ pool: poolTerms('credits'), rates: perThousand });
  const meterOf = (planCredits: bigint, total: bigint) => ({
    account: account({ planCredits }),
    counter: counter({ total }),
  });

  test('pay each event the increase of the rounded price, in whole credits (PRM-E47)', () => {
    const draws = [0n, 411n, 822n].map((total) => priceUnits(held, 411n, counter({ total }), []));
    expect(draws).toMatchObject([{ cost: 0n }, { cost: 1n }, { cost: 0n }]);
  });

  test('pay the tiers of a rate', () => {
    const packages = storedRate({
      model: 'package',
      per: 500,
      tiers: [
        { upTo: '1000', amount: '3', flat: '0' },
        { upTo: null, amount: '2', flat: '5' },
      ],
    });
    const costs = [500n, 501n, 1_000n, 1_001n, 1_501n].map((units) => drawOf(packages, 0n, units, 1n).taken);
    expect(costs).toEqual([3n, 6n, 6n, 13n, 15n]);
  });

  test('must cover the exact price, rounded up (PRM-103)', () => {
    // 1,001 units cost 1.001 credits.
    const quantity = { units: 1_001n, cost: 1n, required: 2n };
    expect(admit(held, meterOf(1n, 0n), quantity)).toMatchObject({
      rejection: { code: 'insufficient_credits', message: expect.stringContaining('required: 2') },
    });
    expect(admit(held, meterOf(2n, 0n), quantity)).toMatchObject({
      meter: { counter: { total: 1_001n, consumed: 1n } },
    });
  });

  test('block once another unit is not covered', () => {
    // 1,000 units have taken one credit. One more unit costs 1.001 credits in total.
    expect(rejectsUnit(held, meterOf(0n, 1_000n))).toBe(true);
    // 1,500 units have taken two credits, which cover up to 2,000 units.
    expect(rejectsUnit(held, meterOf(0n, 1_500n))).toBe(false);
    expect(unitsCovered(perThousand, 1_500n, 0n, 1n)).toBe(500n);
  });

  test.each([
    ['below one credit', '0.001', 1n],
    ['rounded down', '1.4', 1n],
    ['rounded up', '1.5', 2n],
    ['free', '0', 0n],
  ])('show the first unit as a whole number: %s', (_what, amount, expected) => {
    const rates = storedRate({ model: 'per_unit', per: 1, tiers: [{ upTo: null, amount, flat: '0' }] });
    expect(wholeUnitPriceOf({ rates })).toBe(expected);
  });
});
