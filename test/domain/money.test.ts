import { describe, expect, test } from 'vitest';
import { amountText, rateText } from '../../src/domain/money/amount-text.ts';
import {
  currencies,
  divideRounded,
  exponentOf,
  isCurrency,
  minorToRate,
  rateToMinor,
  shareOf,
  wireAmount,
} from '../../src/domain/money/money.ts';
import enums from '../contract/enums.json' with { type: 'json' };

/** Supported currencies that the contract doesn't contain. */
const added =
  'gbp chf aud nzd sek nok dkk pln czk aed ils zar bhd jod kwd omr tnd isk ugx vnd xof xaf rwf huf try idr ron uah php myr sar qar egp mad ngn kes ghs pkr bdt lkr kzt gel rsd crc gtq dop hnl nio pab'.split(
    ' ',
  );
const addedWithout = ['isk', 'rwf', 'ugx', 'vnd', 'xaf', 'xof'];

test('currencies and decimals match the contract and the additional currencies', () => {
  expect(currencies).toEqual([...enums.Currency.values, ...added]);
  const codesWith = (exponent: number) =>
    currencies.filter((code) => exponentOf(code) === exponent).toSorted();
  expect(codesWith(0)).toEqual([...enums.Currency.zeroDecimal, ...addedWithout].toSorted());
  expect(codesWith(3)).toEqual(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
  expect(codesWith(2)).toHaveLength(54);
  expect(isCurrency('USD')).toBe(false);
  expect(() => exponentOf('xau')).toThrow('not supported');
});

test.each([
  [5n, 2n, 3n],
  [-5n, 2n, -3n],
  [4n, 3n, 1n],
  [-4n, 3n, -1n],
  [0n, 7n, 0n],
  [7n, 2n, 4n],
])('%s ÷ %s rounds half up on the absolute value to %s', (numerator, denominator, expected) => {
  expect(divideRounded(numerator, denominator)).toBe(expected);
});

test('a rounded division requires a positive denominator', () => {
  expect(() => divideRounded(1n, 0n)).toThrow(RangeError);
});

describe('the conversion of rates to minor units (GLO-E1 to GLO-E3)', () => {
  test.each([
    ['0.0375 USD × 8 460', 375n * 8_460n, 'usd', 31_725n],
    ['12 345.5 cents', 1_234_550n, 'usd', 12_346n],
    ['4.5 CLP × 333', 45_000n * 333n, 'clp', 1_499n],
    ['0.0375 GBP × 8 460', 375n * 8_460n, 'gbp', 31_725n],
    ['1.2345 ZAR × 3', 12_345n * 3n, 'zar', 370n],
    ['a reduction', -1_234_550n, 'usd', -12_346n],
  ])('rounds once after all factors: %s', (_title, rate, currency, expected) => {
    expect(rateToMinor(rate, currency)).toBe(expected);
  });
});

test('minor units are converted to rates exactly', () => {
  expect(minorToRate(12_346n, 'usd')).toBe(1_234_600n);
  expect(minorToRate(1_499n, 'jpy')).toBe(14_990_000n);
});

test('a share in basis points is rounded half up: 33.33% of 19.99 is 6.66 (OFR-E3)', () => {
  expect(shareOf(1_999n, 3_333n)).toBe(666n);
});

test("an amount above 2⁵³−1 can't be serialized", () => {
  expect(wireAmount(9_007_199_254_740_991n)).toBe(9_007_199_254_740_991);
  expect(() => wireAmount(9_007_199_254_740_992n)).toThrow(RangeError);
});

test.each([
  [5n, 'usd', '$0.05'],
  [-123_450n, 'usd', '-$1,234.50'],
  [1_234n, 'jpy', '¥1,234'],
])('an amount of %s in %s is written as %s', (minor, currency, expected) => {
  expect(amountText(minor, currency, 'en')).toBe(expected);
});

test.each([
  [25n, 'usd', '$0.0025'],
  [290_000n, 'usd', '$29.00'],
  [12_345n, 'jpy', '¥1.2345'],
])('a unit price of %s in %s is written with its decimals as %s', (rate, currency, expected) => {
  expect(rateText(rate, currency, 'en')).toBe(expected);
});
