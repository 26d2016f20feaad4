// Formats amounts of money for display. Amounts are passed to `Intl.NumberFormat` as decimal strings, so they
// stay exact.
import { type Language, tagOf } from '../text/language.ts';
import { exponentOf } from './money.ts';

/** Maximum number of decimals in the amounts of a rate. */
const mostDecimals = 12;

/** Formats a whole number, in units of 10^-decimals, as a decimal string. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return amount < 0n ? `-${text}` : text;
}

/**
 * Cache of formats, because creating a format takes as long as using it 100 times. Contains at most one
 * format per language and currency.
 */
const moneyFormats = new Map<string, Intl.NumberFormat>();

function formatted(
  text: string,
  currency: string,
  language: Language,
  decimals: number,
  mostDecimals: number,
): string {
  const format = moneyFormats.getOrInsertComputed(
    `${language} ${currency} ${mostDecimals}`,
    () =>
      new Intl.NumberFormat(tagOf(language), {
        style: 'currency',
        currency: currency.toUpperCase(),
        minimumFractionDigits: decimals,
        maximumFractionDigits: mostDecimals,
      }),
  );
  // The string contains only digits and a decimal point, but the type requires a literal.
  return format.format(text as Intl.StringNumericLiteral);
}

/** Formats minor units with the currency sign and the currency's decimals. */
export function amountText(minor: bigint, currency: string, language: Language): string {
  const decimals = exponentOf(currency);
  return formatted(decimalText(minor, decimals), currency, language, decimals, decimals);
}

/** Formats a decimal in minor units, such as `0.00343`, with all its decimals. */
export function exactAmountText(minorText: string, currency: string, language: Language): string {
  const [first = '', fraction = ''] = minorText.split('.');
  const decimals = exponentOf(currency) + fraction.length;
  return formatted(
    decimalText(BigInt(first + fraction), decimals),
    currency,
    language,
    exponentOf(currency),
    decimals,
  );
}

/** Formats a decimal in units of the currency, such as `0.000015`, with all its decimals. */
export const unitAmountText = (decimal: string, currency: string, language: Language): string =>
  formatted(decimal, currency, language, exponentOf(currency), mostDecimals);

/** Formats a rate (10,000 = 1.00) with the decimals of the currency, or up to 4 if the rate needs them. */
export const rateText = (rate: bigint, currency: string, language: Language): string =>
  formatted(decimalText(rate, 4), currency, language, exponentOf(currency), 4);
