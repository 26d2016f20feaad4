import { describe, expect, test } from 'vitest';
import {
  Conversion,
  type DayRate,
  medianRate,
  rateLookup,
  settledRate,
} from '../../../src/domain/metrics/conversion.ts';

const rate = (
  currency: string,
  day: string,
  unitsPerUsd: bigint,
  source: DayRate['source'] = 'manual',
): DayRate => ({ currency, day, unitsPerUsd, source });

const inForce = (currency: string, unitsPerUsd: bigint, from: string, to: string | null = null) => ({
  currency,
  unitsPerUsd,
  from: new Date(from),
  to: to === null ? null : new Date(to),
});

describe('the daily exchange rate (MET-31)', () => {
  test('comes from the first available source', () => {
    const day = '2027-05-01';
    const settlement = rate('eur', day, 3n, 'settlement');
    const feed = rate('eur', day, 2n, 'feed');
    const manual = rate('eur', day, 1n);
    const sourceOf = (...rates: DayRate[]) => rateLookup(rates, [])('eur', day)?.source;
    expect([
      sourceOf(settlement, feed, manual),
      sourceOf(settlement, feed),
      sourceOf(settlement),
      sourceOf(),
    ]).toEqual(['manual', 'feed', 'settlement', undefined]);
  });

  test("expires after seven days, and is then replaced with the median of the current plans' exchange rates", () => {
    const plans = [
      inForce('eur', 90n, '2027-01-01T00:00:00Z', '2027-05-09T12:00:00Z'),
      inForce('eur', 95n, '2027-01-01T00:00:00Z'),
      inForce('eur', 93n, '2027-05-10T00:00:00Z'),
    ];
    const find = rateLookup([rate('eur', '2027-05-01', 92n, 'feed')], plans);
    expect(find('eur', '2027-05-01')).toMatchObject({ day: '2027-05-01', unitsPerUsd: 92n, source: 'feed' });
    expect(find('eur', '2027-05-08')).toMatchObject({ day: '2027-05-01', unitsPerUsd: 92n, source: 'feed' });
    expect(find('eur', '2027-05-09')).toEqual({ day: '2027-05-09', unitsPerUsd: 95n, source: 'plan' });
    expect(find('eur', '2027-05-10')).toEqual({ day: '2027-05-10', unitsPerUsd: 94n, source: 'plan' });
    // The plans' exchange rates are 90 and 95. Their mean is rounded half up.
    expect(find('eur', '2027-04-30')).toMatchObject({ unitsPerUsd: 93n, source: 'plan' });
    expect(find('jpy', '2027-05-01')).toBeNull();
    expect(find('usd', '1999-01-01')).toMatchObject({ unitsPerUsd: 100_000_000n });
  });

  test("is derived from settled charges with each currency's number of decimals", () => {
    // 184.00 EUR were settled for 200.00 USD, and 15,000 JPY (no decimals) for 100.00 USD.
    expect(settledRate(18_400n, 20_000n, 'eur')).toBe(92_000_000n);
    expect(settledRate(15_000n, 10_000n, 'jpy')).toBe(15_000_000_000n);
  });

  test("is derived from the median of the plans' exchange rates", () => {
    expect([medianRate([]), medianRate([5n, 1n, 3n]), medianRate([2n, 1n])]).toEqual([null, 3n, 2n]);
  });
});

describe('a currency conversion', () => {
  const rates = rateLookup(
    [rate('eur', '2027-04-30', 92_000_000n), rate('eur', '2027-05-01', 90_000_000n)],
    [],
  );

  test("uses each day's exchange rate, or a constant exchange rate (MET-E6)", () => {
    const daily = new Conversion('usd', rates, null);
    expect(daily.rate(18_400_000n, 'eur', '2027-04-30')).toBe(20_000_000n);
    expect(daily.rate(19_000_000n, 'eur', '2027-05-01')).toBe(21_111_111n);
    expect(daily.rate(600_000n, 'eur', '2027-05-01')).toBe(666_667n);
    const constant = new Conversion('usd', rates, '2027-04-30');
    expect(constant.rate(19_000_000n, 'eur', '2027-05-01')).toBe(20_652_174n);
    expect(constant.rate(600_000n, 'eur', '2027-05-01')).toBe(652_174n);
  });

  test('uses the decimals of both currencies, and rounds once', () => {
    const between = rateLookup(
      [rate('eur', '2027-05-01', 90_000_000n), rate('jpy', '2027-05-01', 15_000_000_000n)],
      [],
    );
    // 1.00 EUR is 150 ÷ 0.9 = 166.67 JPY, and 100 JPY is 0.60 EUR.
    expect(new Conversion('jpy', between, null).minor(100n, 'eur', '2027-05-01')).toBe(167n);
    expect(new Conversion('eur', between, null).minor(100n, 'jpy', '2027-05-01')).toBe(60n);
    expect(new Conversion('eur', between, null).minor(-100n, 'jpy', '2027-05-01')).toBe(-60n);
  });

  test('reports each missing exchange rate once, and needs no exchange rate for an amount of 0 or in the same currency (MET-32)', () => {
    const conversion = new Conversion('usd', rates, null);
    expect(conversion.minor(1n, 'jpy', '2027-05-02')).toBeNull();
    expect(conversion.minor(2n, 'jpy', '2027-05-02')).toBeNull();
    expect(conversion.minor(2n, 'brl', '2027-05-01')).toBeNull();
    expect(conversion.minor(0n, 'cop', '2027-05-01')).toBe(0n);
    expect(conversion.minor(7n, 'usd', '2027-05-01')).toBe(7n);
    expect(conversion.missing).toEqual([
      { currency: 'brl', day: '2027-05-01' },
      { currency: 'jpy', day: '2027-05-02' },
    ]);
  });
});
