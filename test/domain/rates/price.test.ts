import { describe, expect, test } from 'vitest';
import { rateScale } from '../../../src/domain/money/money.ts';
import { compare, exactText, ratio, roundedTo, times, whole, zero } from '../../../src/domain/rates/exact.ts';
import {
  deduction,
  heldPrice,
  isBillable,
  priceOf,
  priceRise,
  roundedPrice,
} from '../../../src/domain/rates/price.ts';
import { derivedRate, rateDocument } from '../../../src/domain/rates/rate.ts';
import type { RateInput } from '../../../src/domain/rates/read-rate.ts';
import { e1, priceText, rateOf, tiersOf, units } from './rates.ts';

const cents = 100n;

describe('a price', () => {
  const perMillion = { amount: '0.20', per: 1_000_000 };
  test.each<readonly [id: string, RateInput, readonly (readonly [quantity: string, price: string])[]]>([
    [
      'graduated (PRM-E1)',
      { model: 'graduated', tiers: e1 },
      [
        ['0', '0'],
        ['1', '0.02'],
        ['1000', '20'],
        ['1001', '20.015'],
        ['10000', '155'],
        ['10001', '155.008'],
        ['12500', '175'],
      ],
    ],
    [
      'volume (PRM-E1)',
      { model: 'volume', tiers: e1 },
      [
        ['0', '0'],
        ['1', '0.02'],
        ['1000', '20'],
        ['1001', '15.015'],
        ['10000', '150'],
        ['10001', '80.008'],
        ['12500', '100'],
      ],
    ],
    [
      'package (PRM-E1)',
      { model: 'package', per: 500, amount: '4.00' },
      [
        ['0', '0'],
        ['1', '4'],
        ['500', '4'],
        ['501', '8'],
        ['12500', '100'],
        ['12501', '104'],
      ],
    ],
    [
      'stairs (PRM-E1)',
      { model: 'stairs', tiers: tiersOf(['5', '0', '29.00'], ['20', '0', '99.00'], [null, '0', '249.00']) },
      [
        ['0', '0'],
        ['1', '29'],
        ['5', '29'],
        ['6', '99'],
        ['20', '99'],
        ['21', '249'],
      ],
    ],
    ['per_unit (PRM-E16)', perMillion, [['1234567', '0.2469134']]],
    ['graduated with a fraction (PRM-E17)', { model: 'graduated', tiers: e1 }, [['1000.50', '20.0075']]],
    ['volume with a fraction (PRM-E17)', { model: 'volume', tiers: e1 }, [['1000.50', '15.0075']]],
    [
      'graduated with a fractional bound (PRM-E17)',
      { model: 'graduated', tiers: tiersOf(['0.5', '0.40'], [null, '0.10']) },
      [
        ['0.5', '0.2'],
        ['0.50001', '0.200001'],
        ['5.5', '0.7'],
      ],
    ],
    [
      'volume with a fraction between two whole bounds (PRM-E17)',
      { model: 'volume', tiers: tiersOf(['5', '1.00'], ['10', '0.90'], [null, '0.80']) },
      [['5.5', '4.95']],
    ],
    [
      'graduated with an entry fee and a maximum (PRM-E18)',
      { model: 'graduated', tiers: tiersOf(['100', '0.10', '5.00'], [null, '0.05']), maximum: '150.00' },
      [
        ['0', '0'],
        ['1', '5.1'],
        ['100', '15'],
        ['101', '15.05'],
        ['1000', '60'],
        ['3000', '150'],
      ],
    ],
    [
      'per_unit with a minimum (PRM-E18)',
      { amount: '0.10', minimum: '10.00' },
      [
        ['0', '0'],
        ['1', '10'],
        ['100', '10'],
        ['101', '10.1'],
      ],
    ],
    [
      'package with several tiers',
      { model: 'package', per: 10, tiers: tiersOf(['20', '30', '1'], [null, '25', '2']) },
      [
        ['1', '31'],
        ['20', '61'],
        ['20.1', '88'],
        ['30.1', '113'],
      ],
    ],
    ['per_unit without a finite decimal form', { amount: '1', per: 3 }, [['1', '0.333333333333333333']]],
  ])('is exact for the model %s', (_id, rate, prices) => {
    expect(prices.map(([quantity]) => [quantity, priceText(rateOf(rate), quantity)])).toEqual(prices);
  });

  test.each([
    [
      'graduated',
      ['0', '1', '1000', '1001', '10000', '10001', '12500'],
      [0n, 2n, 2000n, 2002n, 15500n, 15501n, 17500n],
    ],
    [
      'volume',
      ['0', '1', '1000', '1001', '10000', '10001', '12500'],
      [0n, 2n, 2000n, 1502n, 15000n, 8001n, 10000n],
    ],
    ['graduated', ['1000.50'], [2001n]],
    ['volume', ['1000.50'], [1501n]],
  ] as const)(
    'is rounded half up to cents for the model %s (PRM-E1, PRM-E17)',
    (model, quantities, expected) => {
      const rate = rateOf({ model, tiers: e1 });
      expect(quantities.map((quantity) => roundedPrice(rate, units(quantity), cents))).toEqual(expected);
    },
  );

  test('is rounded half up to balance units, and to the decimals of a custom unit', () => {
    const rate = rateOf({ amount: '0.00005' });
    expect([1, 2, 3].map((quantity) => roundedPrice(rate, units(quantity), rateScale))).toEqual([1n, 1n, 2n]);
    expect(roundedPrice(rateOf({ amount: '1', per: 1000 }), units(411), 1_000n)).toBe(411n);
  });

  test('throws for a negative quantity', () => {
    expect(() => priceOf(rateOf({ amount: '1' }), whole(-1n))).toThrow(RangeError);
  });
});

describe('a deduction from a balance', () => {
  test('carries the remainder from event to event (PRM-E16)', () => {
    const rate = rateOf({ amount: '0.20', per: 1_000_000 });
    const priceAfter = (count: number) => priceOf(rate, units(count));
    const taken = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        deduction(priceAfter(index), priceAfter(index + 1), rateScale),
      );
    expect(taken(1_000).findIndex((amount) => amount > 0n) + 1).toBe(250);
    expect(taken(1_000).reduce((sum, amount) => sum + amount, 0n)).toBe(2n);
    expect(deduction(zero, priceAfter(1_000_000), rateScale)).toBe(2_000n);
  });

  test('is negative if the price falls with the volume (PRM-E19)', () => {
    const rate = rateOf({ model: 'volume', tiers: e1 });
    const [before, after] = [priceOf(rate, units(10_000)), priceOf(rate, units(10_001))];
    expect(roundedTo(before, rateScale)).toBe(1_500_000n);
    expect(deduction(before, after, rateScale)).toBe(-699_920n);
  });
});

describe('a true-up', () => {
  /** Share of the price increase for the remaining days of a month. */
  const trueUp = (rate: RateInput, reached: readonly number[], to: number, days: bigint) => {
    const prices = [...reached, to].map((count) => priceOf(rateOf(rate), units(count)));
    return times(priceRise(prices.slice(0, -1), prices.at(-1) ?? zero), ratio(days, 30n));
  };
  const charged = (rate: RateInput, reached: readonly number[], to: number, days: bigint) =>
    exactText(trueUp(rate, reached, to, days));
  const graduated: RateInput = { model: 'graduated', tiers: tiersOf(['5', '12.00'], [null, '9.00']) };
  const volume: RateInput = { model: 'volume', tiers: tiersOf(['20', '25.00'], [null, '20.00']) };
  const packages: RateInput = { model: 'package', per: 10, amount: '30.00' };

  test.each([
    ['4 to 9 graduated seats', graduated, [4], 9, 18n, '28.8'],
    ['4 to 6 graduated seats', graduated, [4], 6, 18n, '12.6'],
    ['6 to 9 graduated seats', graduated, [4, 6], 9, 6n, '5.4'],
    ['20 to 21 seats, which lowers the price', volume, [20], 21, 18n, '0'],
    ['21 to 26 seats, after 20 seats cost 500.00', volume, [20, 21], 26, 30n, '20'],
    ['10 to 11 seats, a new package', packages, [10], 11, 12n, '12'],
    ['11 to 20 seats in the same package', packages, [10, 11], 20, 12n, '0'],
  ] as const)(
    'charges the price increase for the remaining days: %s (PRM-E3)',
    (_what, rate, reached, to, days, expected) => {
      expect(charged(rate, reached, to, days)).toBe(expected);
    },
  );

  test('charges the same for one increase and for two increases on the same day', () => {
    for (const rate of [graduated, packages]) {
      const parts = [trueUp(rate, [4], 6, 7n)];
      parts.push(trueUp(rate, [4, 6], 13, 7n));
      const single = trueUp(rate, [4], 13, 7n);
      const sum = parts.reduce(
        (total, part) =>
          ratio(
            total.numerator * part.denominator + part.numerator * total.denominator,
            total.denominator * part.denominator,
          ),
        zero,
      );
      expect(compare(sum, single)).toBe(0);
    }
  });

  test('charges the full price in advance for the next period (PRM-E3)', () => {
    expect(priceText(rateOf(graduated), 9)).toBe('96');
    expect([20, 21].map((seats) => priceText(rateOf(volume), seats))).toEqual(['500', '420']);
  });
});

describe('the price of a rate that changed during the period', () => {
  const versions = [rateOf({ model: 'graduated', tiers: e1 }), rateOf({ amount: '0.0160' })];

  test.each([
    [1_000, '16', 1],
    [4_000, '64', 1],
    [5_000, '80', 0],
    [6_000, '95', 0],
    [12_500, '175', 0],
  ])('is the lowest price for %d units: %s, from version %d (PRM-E37)', (quantity, price, version) => {
    const held = heldPrice(versions, units(quantity));
    expect([exactText(held.price), held.version]).toEqual([price, version]);
  });
});

describe('a rate in another currency', () => {
  test.each([
    [{ amount: '0.0180' }, '0.0977'],
    [{ amount: '0.20', per: 1_000_000 }, '1.0860'],
    [{ amount: '0.0000343' }, '0.0001862'],
  ])('is derived with the exchange rate and at least 4 decimals: %o (PRM-E38)', (rate, expected) => {
    expect(rateDocument(derivedRate(rateOf(rate), 543_000_000n)).tiers[0]?.amount).toBe(expected);
  });

  test('has the same tier bounds, and all amounts are converted', () => {
    const rate = rateOf({
      model: 'graduated',
      tiers: tiersOf(['100.5', '1', '2'], [null, '3']),
      minimum: '4',
      maximum: '5',
    });
    expect(rateDocument(derivedRate(rate, 200_000_000n))).toEqual({
      model: 'graduated',
      per: 1,
      tiers: [
        { upTo: '100.5', amount: '2.0000', flat: '4.0000' },
        { upTo: null, amount: '6.0000', flat: '0.0000' },
      ],
      minimum: '8.0000',
      maximum: '10.0000',
    });
  });

  test("has a minimum that rounding doesn't raise above the maximum", () => {
    const rate = rateOf({ amount: '1', minimum: '0.00005', maximum: '0.0001' });
    expect(rateDocument(derivedRate(rate, 49_990_000n))).toMatchObject({
      minimum: '0.0000',
      maximum: '0.0000',
    });
  });
});

describe('the decimal text of an exact number', () => {
  test.each([
    [ratio(1n, 2n ** 20n), '0.00000095367431640625'],
    [ratio(-7n, 2n), '-3.5'],
    [ratio(1_000n, 10n), '100'],
    [ratio(2n, 3n), '0.666666666666666667'],
    [ratio(6n, 3n), '2'],
    [zero, '0'],
  ])('contains all decimals of %o, or 18 decimals if the decimal form is infinite', (value, text) => {
    expect(exactText(value)).toBe(text);
  });
});

describe('the check for billable prices', () => {
  test.each([
    ['2.00', '9007199254740991', cents, false],
    ['0', '9007199254740991', cents, true],
    ['0', '9007199254740992', cents, false],
    ['0.01', '9007199254740991', cents, false],
    ['900000000', '1000', cents, true],
    ['900000000', '1000.000000001', cents, false],
    ['900000000', '1000.000000001', 1n, true],
  ])(
    'calculates exactly whether the price %s for the quantity %s with %d minor units per unit is billable (PRM-E39)',
    (amount, quantity, scale, expected) => {
      const [digits = '', fraction = ''] = quantity.split('.');
      const exact = ratio(BigInt(digits + fraction), 10n ** BigInt(fraction.length));
      expect(isBillable(rateOf({ amount }), exact, scale)).toBe(expected);
    },
  );
});
