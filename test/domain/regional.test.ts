import { describe, expect, test } from 'vitest';
import {
  catalogOf,
  type ExchangeRateRow,
  noCatalogRows,
  type PriceOverrideRow,
  type Validity,
} from '../../src/domain/pricing/catalog.ts';
import {
  exchangeRateNumber,
  localMinor,
  localRate,
  parseExchangeRate,
} from '../../src/domain/pricing/regional.ts';
import { exchangeRateAt, priceAt, validAt } from '../../src/domain/pricing/resolve.ts';
import { type HeldFeature, inPlace, termsOf } from '../../src/domain/pricing/terms.ts';
import type { RateOverride } from '../../src/domain/rates/card.ts';
import { unitPriceOf } from '../../src/domain/usage/terms.ts';
import { unitRate } from '../support/rates.ts';
import { termsRow } from './subscription/catalog.ts';

const at = (text: string): Date => new Date(`${text}T00:00:00Z`);
const always = { validFrom: at('0001-01-01'), validTo: null };

describe('an exchange rate (CAT-25)', () => {
  test.each([
    [5.43, 543_000_000n],
    [931.7, 93_170_000_000n],
    [1, 100_000_000n],
    [0.1, 10_000_000n],
    [0.000_000_01, 1n],
    [1e-7, 10n],
    [1.5e-7, 15n],
    [1_000_000_000, 100_000_000_000_000_000n],
    [4_123.456_789_01, 412_345_678_901n],
  ])('is parsed and formatted without loss: %d', (rate, rateE8) => {
    expect(parseExchangeRate(rate)).toBe(rateE8);
    expect(exchangeRateNumber(rateE8)).toBe(rate);
  });

  test.each([
    0,
    -0,
    -1,
    0.000_000_001,
    1.234_567_891,
    1e-9,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MIN_VALUE,
  ])('is invalid: %d', (rate) => {
    expect(parseExchangeRate(rate)).toBeNull();
  });

  test('is parsed exactly, even if the rate is 10²¹ or more', () => {
    expect(parseExchangeRate(1e21)).toBe(10n ** 29n);
    expect(parseExchangeRate(1.25e22)).toBe(125n * 10n ** 28n);
  });
});

describe('a derived amount (CAT-26, CAT-E1)', () => {
  const brl = 543_000_000n;
  const clp = 93_170_000_000n;
  test.each([
    [6_150n, brl, 'brl', 33_395n],
    [6_150n, clp, 'clp', 57_300n],
    [0n, brl, 'brl', 0n],
    [1n, clp, 'clp', 9n],
    [50n, 10_000_000_000n, 'jpy', 50n],
    [9_007_199_254_740_991n, 100_000_000n, 'eur', 9_007_199_254_740_991n],
  ])('is calculated from %d cents at an exchange rate of %d as %s %d', (usd, rate, currency, local) => {
    expect(localMinor(usd, rate, currency)).toBe(local);
  });

  test('has a unit price with the same scale in each currency', () => {
    expect(localRate(180n, brl)).toBe(977n);
    expect(localRate(10_000n, clp)).toBe(9_317_000n);
    expect(localRate(1n, 50_000_000n)).toBe(1n);
    expect(localRate(1n, 49_999_999n)).toBe(0n);
  });

  test('is rounded once, after all other factors (CAT-E5)', () => {
    expect(localMinor(1_740n, brl, 'brl')).toBe(9_448n);
  });
});

describe("a value's effective version", () => {
  const rows = [
    { id: 'a', validFrom: at('0001-01-01'), validTo: at('2027-03-01') },
    { id: 'b', validFrom: at('2027-03-01'), validTo: at('2027-03-01') },
    { id: 'c', validFrom: at('2027-03-01'), validTo: at('2027-05-01') },
    { id: 'd', validFrom: at('2027-06-01'), validTo: null },
  ];
  test.each([
    ['1999-01-01', 'a'],
    ['2027-02-28', 'a'],
    ['2027-03-01', 'c'],
    ['2027-04-30', 'c'],
    ['2027-05-01', undefined],
    ['2027-06-01', 'd'],
    ['2999-01-01', 'd'],
  ])('is found for the date %s: %s', (date, id) => {
    expect(validAt(rows, at(date))?.id).toBe(id);
  });
});

describe('the included balance in another currency (CAT-32 step 6)', () => {
  const override = (changes: Partial<PriceOverrideRow>): PriceOverrideRow => ({
    id: 'o',
    seq: 1n,
    priceId: 'm',
    marketId: null,
    currency: 'brl',
    amountMinor: 100n,
    includedBalanceRate: null,
    ...always,
    ...changes,
  });
  const balance = (
    usd: bigint | null,
    overrides: PriceOverrideRow[],
    exchangeRates: ExchangeRateRow[],
    scope: { market: string | null; currency: string },
  ) => {
    const base = {
      planId: 'p',
      billingInterval: 'monthly',
      isDefault: true,
      inheritsFromPriceId: null,
      introductoryOfferId: null,
      archivedAt: null,
    } as const;
    const price = { id: 'm', seq: 1n, ...base };
    const catalog = catalogOf({
      ...noCatalogRows,
      prices: [price],
      priceVersions: [
        {
          id: 'v',
          seq: 1n,
          priceId: 'm',
          validFrom: always.validFrom,
          priceMinor: 100n,
          trialDays: 0,
          includedBalanceRate: usd,
          includedCredits: 7n,
          includedUnits: {},
          minimumMinor: null,
        },
      ],
      priceOverrides: overrides,
      exchangeRates,
    });
    const found = priceAt(catalog, price, at('2027-01-01'), scope);
    if ('failure' in found) throw new Error(found.failure);
    expect(found.includedCredits).toBe(7n);
    return found.includedBalanceRate;
  };
  const rate: ExchangeRateRow = {
    id: 'x',
    seq: 1n,
    planId: 'p',
    currency: 'brl',
    rateE8: 543_000_000n,
    ...always,
  };
  const brl = { market: null, currency: 'brl' };
  const inMarket = { market: 'pampa', currency: 'brl' };

  test.each([
    ['is the regional value', 180n, [override({ includedBalanceRate: 5n })], [rate], brl, 5n],
    ['can be 0', 180n, [override({ includedBalanceRate: 0n })], [rate], brl, 0n],
    ['is otherwise converted at the rate', 180n, [override({})], [rate], brl, 977n],
    ['is otherwise unchanged', 180n, [override({})], [], brl, 180n],
    ['is null if the base has no value', null, [override({})], [rate], brl, null],
    ['is also converted for a market', 180n, [override({ marketId: 'pampa' })], [rate], inMarket, 977n],
    [
      'is the value of the currency for a market',
      180n,
      [override({ marketId: 'pampa' }), override({ includedBalanceRate: 5n })],
      [],
      inMarket,
      5n,
    ],
    ['is the base value in US dollars', 180n, [], [rate], { market: null, currency: 'usd' }, 180n],
  ])('%s', (_title, usd, overrides, rates, scope, expected) => {
    expect(balance(usd, overrides, rates, scope)).toBe(expected);
  });

  test('is converted only after the exchange rate takes effect', () => {
    const catalog = catalogOf({
      ...noCatalogRows,
      exchangeRates: [{ ...rate, validFrom: at('2027-02-01') }],
    });
    expect(exchangeRateAt(catalog, 'p', 'brl', at('2027-01-31'))).toBeNull();
    expect(exchangeRateAt(catalog, 'p', 'brl', at('2027-02-01'))).toBe(543_000_000n);
    expect(exchangeRateAt(catalog, 'p', 'eur', at('2027-02-01'))).toBeNull();
  });
});

describe('a protected unit price in a currency (CAT-48 to CAT-50)', () => {
  type Dated = RateOverride & Validity;

  const rate = (unitPriceRate: bigint, validFrom: string, validTo: string | null): Dated => ({
    marketId: null,
    currency: 'brl',
    rate: unitRate(unitPriceRate),
    validFrom: at(validFrom),
    validTo: validTo === null ? null : at(validTo),
  });
  const held = (unitPriceRate: bigint | null): HeldFeature => ({
    feature: {
      id: 'exports',
      seq: 1n,
      code: 'exports',
      name: 'Exports',
      type: 'usage',
      unitName: null,
      deletedAt: null,
      meters: [],
    },
    terms: termsOf(
      termsRow('p', 'exports', { rate: unitPriceRate === null ? null : unitRate(unitPriceRate) }),
    ),
  });
  /** Returns a version of the terms for each time at which a rate starts or ends. */
  const versionsOf = (rates: readonly Dated[], usd: bigint | null) =>
    [
      ...new Set([
        '0001-01-01T00:00:00.000Z',
        ...rates.flatMap(({ validFrom, validTo }) => [validFrom, validTo]),
      ]),
    ]
      .flatMap((time) => (time === null ? [] : [new Date(time)]))
      .map((validFrom, index) =>
        termsRow('p', 'exports', {
          seq: BigInt(index),
          validFrom,
          rate: usd === null ? null : unitRate(usd),
          overrides: rates
            .filter((one) => validAt([one], validFrom) !== null)
            .map(({ marketId, currency, rate: local }) => ({ marketId, currency, rate: local })),
        }),
      );
  const priced = (
    rates: Dated[],
    currency: string,
    termsFrom: string,
    day: string,
    usd: bigint | null = 180n,
    marketId: string | null = null,
  ) => {
    const catalog = catalogOf({ ...noCatalogRows, planFeatureVersions: versionsOf(rates, usd) });
    const [found] = inPlace(catalog, [held(usd)], {
      planId: 'p',
      currency,
      marketId,
      termsFrom: at(termsFrom),
      at: at(day),
    });
    return found === undefined ? undefined : unitPriceOf(found.terms);
  };
  const marketRate = (price: bigint, currency: string, from: string, to: string | null): Dated => ({
    ...rate(price, from, to),
    marketId: 'amazonia',
    currency,
  });
  const moving = [
    rate(977n, '0001-01-01', '2027-06-09'),
    rate(700n, '2027-06-09', '2027-06-20'),
    rate(1_200n, '2027-06-20', null),
  ];

  test.each([
    ['at the start', '2027-06-01', '2027-06-01', 977n],
    ['immediately after a reduction', '2027-06-01', '2027-06-09', 700n],
    ['after an increase, until the next period', '2027-06-01', '2027-06-30', 700n],
    ['in the next period', '2027-07-01', '2027-07-01', 1_200n],
  ])('uses the lowest applicable rate %s', (_title, termsFrom, day, expected) => {
    expect(priced(moving, 'brl', termsFrom, day)).toBe(expected);
  });

  test.each([
    ['replaces the rate of the currency', [marketRate(500n, 'brl', '0001-01-01', null)], 500n],
    [
      'applies to no other market',
      [{ ...marketRate(500n, 'brl', '0001-01-01', null), marketId: 'andes' }],
      700n,
    ],
    ['applies to no other currency', [marketRate(500n, 'eur', '0001-01-01', null)], 700n],
    ['applies from its start if it is lower', [marketRate(500n, 'brl', '2027-06-25', null)], 500n],
    [
      'applies only from the next period if it is higher',
      [marketRate(900n, 'brl', '2027-06-25', null)],
      700n,
    ],
    ['ends at the start of the period', [marketRate(500n, 'brl', '0001-01-01', '2027-06-01')], 700n],
  ])('the rate for a market %s (PRM-110)', (_title, rows, expected) => {
    expect(priced([...moving, ...rows], 'brl', '2027-06-01', '2027-06-30', 180n, 'amazonia')).toBe(expected);
  });

  test('replaces the rate of the plan in a market with US dollars (PRM-110)', () => {
    const rows = [marketRate(120n, 'usd', '0001-01-01', null)];
    expect(priced(rows, 'usd', '2027-06-01', '2027-06-30', 180n, 'amazonia')).toBe(120n);
    expect(priced(rows, 'usd', '2027-06-01', '2027-06-30', 180n)).toBe(180n);
  });

  test('is protected until the end of the period in which the price is removed, and is missing in the next period (CAT-28)', () => {
    const ended = [rate(977n, '0001-01-01', '2027-06-09')];
    expect(priced(ended, 'brl', '2027-06-01', '2027-06-30')).toBe(977n);
    expect(priced(ended, 'brl', '2027-07-01', '2027-07-01')).toBeNull();
    expect(priced(ended, 'eur', '2027-06-01', '2027-06-01')).toBeNull();
  });

  test('is derived with the exchange rates that apply during the period', () => {
    const exchange = (rateE8: bigint, from: string, to: string | null): ExchangeRateRow => ({
      id: from,
      seq: 1n,
      planId: 'p',
      currency: 'brl',
      rateE8,
      validFrom: at(from),
      validTo: to === null ? null : at(to),
    });
    const catalog = catalogOf({
      ...noCatalogRows,
      planFeatureVersions: versionsOf([], 180n),
      exchangeRates: [
        exchange(543_000_000n, '0001-01-01', '2027-06-09'),
        exchange(500_000_000n, '2027-06-09', '2027-06-20'),
        exchange(600_000_000n, '2027-06-20', null),
      ],
    });
    const priceOn = (termsFrom: string, day: string, marketId: string | null = null) => {
      const place = { planId: 'p', currency: 'brl', marketId, termsFrom: at(termsFrom), at: at(day) };
      return unitPriceOf(inPlace(catalog, [held(180n)], place)[0]?.terms ?? { rates: null });
    };
    expect(priceOn('2027-06-01', '2027-06-08')).toBe(977n);
    expect(priceOn('2027-06-01', '2027-06-09')).toBe(900n);
    expect(priceOn('2027-06-01', '2027-06-30', 'amazonia')).toBe(900n);
    expect(priceOn('2027-06-20', '2027-06-30')).toBe(1_080n);
  });

  test("needs no regional price in US dollars, and is undefined for units that aren't sold", () => {
    expect(priced([], 'usd', '2027-06-01', '2027-06-01')).toBe(180n);
    expect(priced(moving, 'brl', '2027-06-01', '2027-06-01', null)).toBeNull();
  });
});
