import { describe, expect, test } from 'vitest';
import { amountText, exactAmountText, rateText } from '../../src/domain/money/amount-text.ts';
import {
  currencies,
  exponentOf,
  minorPerUnit,
  minorToRate,
  rateToMinor,
} from '../../src/domain/money/money.ts';
import { stripeAmount, stripeMinor, stripeStep } from '../../src/domain/money/stripe-amounts.ts';
import { chargeableBy } from '../../src/domain/payments/amount-step.ts';
import { localMinor } from '../../src/domain/pricing/regional.ts';
import { moneyInput, moneyText, parseMoney, unitPriceText } from '../../src/ui/format/money.ts';

// Currencies with 0, 2, and 3 decimals (GLO-9, GLO-10, INS-152).

/** Replaces spaces that can't break with normal spaces. */
const spaced = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe.each([...currencies])('%s', (currency) => {
  const exponent = exponentOf(currency);

  // `Intl` shows some currencies without decimals although ISO 4217 has 2, such as the Colombian peso.
  test('is shown with its own decimals', () => {
    const shown = exponent === 0 ? /^\D*12,345$/ : new RegExp(`^\\D*[\\d,]+\\.\\d{${exponent}}$`);
    expect(amountText(12_345n, currency, 'en')).toMatch(shown);
    expect(moneyText(12_345, currency, 'en-US')).toMatch(shown);
    expect(minorPerUnit(currency)).toBe(10n ** BigInt(exponent));
    expect(stripeStep(currency)).toBe(exponent === 3 ? 10n : 1n);
  });

  test('converts minor units to rates and back without a loss', () => {
    for (const minor of [0n, 1n, -1n, 9n, 10n, 999n, 1_001n, 123_456_789_012_345n])
      expect(rateToMinor(minorToRate(minor, currency), currency)).toBe(minor);
  });

  test.each(['en-US', 'es-ES'])('shows each amount as it can be entered again in %s', (locale) => {
    for (const minor of [0, 1, 10, 99, 100, 1_234, 1_000_000, 123_456_789_012])
      expect(parseMoney(moneyInput(minor, currency, locale), currency, locale)).toBe(minor);
  });
});

test.each([
  ['usd', '$12.34', '$1.2345', '$0.0034'],
  ['jpy', '¥1,234', '¥1.2345', '¥0.34'],
  ['isk', 'ISK 1,234', 'ISK 1.2345', 'ISK 0.34'],
  ['kwd', 'KWD 1.234', 'KWD 1.2345', 'KWD 0.00034'],
  ['tnd', 'TND 1.234', 'TND 1.2345', 'TND 0.00034'],
])(
  'an amount in %s is written as %s, a rate as %s, and a part of a minor unit as %s',
  (currency, amount, rate, exact) => {
    expect(spaced(amountText(1_234n, currency, 'en'))).toBe(amount);
    expect(spaced(moneyText(1_234, currency, 'en-US'))).toBe(amount);
    expect(spaced(rateText(12_345n, currency, 'en'))).toBe(rate);
    expect(spaced(exactAmountText('0.34', currency, 'en'))).toBe(exact);
    expect(spaced(unitPriceText(0.34, currency, 'en-US'))).toBe(exact);
  },
);

test.each([
  ['stripe', 'kwd', 12_345n, 12_340n, 12_340],
  ['stripe', 'kwd', 9n, 0n, 0],
  ['stripe', 'usd', 1_999n, 1_999n, 1_999],
  ['stripe', 'jpy', 1_999n, 1_999n, 1_999],
  ['stripe', 'isk', 1_999n, 1_999n, 199_900],
  ['stripe', 'ugx', 1n, 1n, 100],
  ['platform', 'kwd', 12_345n, 12_345n, null],
])(
  '%s charges in %s: %s minor units are %s, sent as %s (INS-153, INS-154)',
  (provider, currency, due, charged, sent) => {
    expect(chargeableBy(provider, currency, due)).toBe(charged);
    if (sent === null) return;
    expect(stripeAmount(charged, currency)).toBe(sent);
    expect(stripeMinor(sent, currency)).toBe(charged);
  },
);

test.each([
  ['333 units at 0.0125', 333n * 125n, 'kwd', 4_163n],
  ['333 units at 0.0125', 333n * 125n, 'jpy', 4n],
  ['a unit at 0.0005', 5n, 'omr', 1n],
  ['a unit at 0.0004', 4n, 'omr', 0n],
])('%s is rounded once to the minor unit (INS-E16)', (_title, rate, currency, minor) => {
  expect(rateToMinor(rate, currency)).toBe(minor);
});

test.each([
  ['kwd', 30_712_345n, 6_150n, 18_888n],
  ['isk', 13_850_000_000n, 6_150n, 8_518n],
  ['huf', 36_125_000_000n, 6_150n, 2_221_688n],
])('a price in US dollars is converted to %s with its decimals', (currency, rateE8, usdMinor, minor) => {
  expect(localMinor(usdMinor, rateE8, currency)).toBe(minor);
});

test.each([
  ['kwd', '1.2345'],
  ['jpy', '1.5'],
  ['usd', '1.234'],
])('an amount in %s with too many decimals is rejected: %s', (currency, text) => {
  expect(parseMoney(text, currency, 'en-US')).toBeNull();
});
