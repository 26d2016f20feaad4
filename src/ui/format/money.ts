// Formats and parses money. Amounts are integers in minor units or at rate scale (10,000 = 1.00). They are
// passed to `Intl.NumberFormat` as decimal strings, so nothing is rounded.
import { exponentOf } from '../../domain/money/money.ts';
import { numberFormat } from './numbers.ts';

export type Whole = number | bigint;

/** Number of decimals in a rate. */
const rateDecimals = 4;

/** Maximum number of decimals of an amount in a tier. */
const mostDecimals = 12;

/** Returns the number of decimals in a currency. */
export const decimalsOf = (currency: string): number => exponentOf(currency);

/** Converts an integer in units of 10^-decimals to a decimal string: 1234 with 2 decimals is `12.34`. */
export function decimalText(amount: Whole, decimals: number): string {
  const whole = BigInt(amount);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return whole < 0n ? `-${text}` : text;
}

type MoneyOptions = {
  /** Whether positive amounts have a plus sign. */
  readonly sign?: boolean;
  /** Whether to show the currency code (`12.00 USD`) instead of the symbol. */
  readonly code?: boolean;
};

function formatted(
  text: string,
  currency: string,
  locale: string,
  digits: [number, number],
  o: MoneyOptions,
) {
  return numberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    currencyDisplay: o.code === true ? 'code' : 'symbol',
    minimumFractionDigits: digits[0],
    maximumFractionDigits: digits[1],
    ...(o.sign === true && { signDisplay: 'exceptZero' }),
    // The string contains only digits and a decimal point, but the formatter's type accepts only number literals.
  }).format(text as Intl.StringNumericLiteral);
}

/** Formats minor units with the symbol and the decimals of the currency: $12.34. */
export function moneyText(
  minor: Whole,
  currency: string,
  locale: string,
  options: MoneyOptions = {},
): string {
  const decimals = decimalsOf(currency);
  return formatted(decimalText(minor, decimals), currency, locale, [decimals, decimals], options);
}

/** Maximum number of decimals of a unit price. */
const unitDecimals = 10;

/** Formats a price per unit, which can be a fraction of a minor unit: $0.0015. */
export const unitPriceText = (minor: number, currency: string, locale: string): string => {
  const decimals = decimalsOf(currency);
  return numberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: unitDecimals,
  }).format(minor / 10 ** decimals);
};

/** Formats minor units in compact form with three digits, for axes and tiles: $12.3K. */
export const compactMoneyText = (minor: Whole, currency: string, locale: string): string =>
  numberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    notation: 'compact',
    maximumSignificantDigits: 3,
    // The amount is passed as a decimal string, so that it's exact before it's shortened.
  }).format(decimalText(minor, decimalsOf(currency)) as Intl.StringNumericLiteral);

/** Formats a rate with the decimals of the currency, or up to four if the rate needs them: $0.0025. */
export const rateText = (rate: Whole, currency: string, locale: string): string =>
  formatted(decimalText(rate, rateDecimals), currency, locale, [decimalsOf(currency), rateDecimals], {});

function signsOf(locale: string): { decimal: string; group: string } {
  const parts = numberFormat(locale, { useGrouping: true }).formatToParts(1_234_567.5);
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal') || '.', group: sign('group') };
}

/**
 * Returns a number with a decimal point and without group separators, such as `1234.5`. Accepts group separators,
 * spaces, currency symbols and both decimal separators; the locale resolves ambiguities. `null` if the text isn't
 * a number.
 */
export function plainDecimal(text: string, locale: string): string | null {
  const { decimal, group } = signsOf(locale);
  const bare = text.replace(/[\s\u00a0\u202f]|\p{Sc}/gu, '').replace('\u2212', '-');
  const other = decimal === ',' ? '.' : ',';
  // A separator from another locale groups digits if it's followed by groups of three digits. Otherwise, it's
  // a decimal separator.
  const grouped = new RegExp(`^-?[1-9]\\d{0,2}(\\${other}\\d{3})+(\\${decimal}\\d*)?$`).test(bare);
  const plain = (grouped || group === other ? stripped(bare, other, decimal) : bare).replace(/,/g, '.');
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain);
  const [, sign = '', whole = '', rest = ''] = match ?? [];
  return whole + rest === '' ? null : `${sign}${whole || '0'}${rest === '' ? '' : `.${rest}`}`;
}

/**
 * Parses an amount as an integer in units of 10^-decimals, with the separators of `plainDecimal`. `null` if the
 * text isn't a number, has too many decimals or exceeds the safe integer range.
 */
function parseDecimal(text: string, decimals: number, locale: string): number | null {
  const plain = plainDecimal(text, locale);
  if (plain === null) return null;
  const [whole = '', rest = ''] = plain.split('.');
  const fraction = rest.replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  const value = Number(BigInt(`${whole.replace('-', '')}${fraction.padEnd(decimals, '0')}`));
  return Number.isSafeInteger(value) ? (whole.startsWith('-') && value !== 0 ? -value : value) : null;
}

/** Removes group separators. A separator that can't group digits is treated as a decimal separator. */
function stripped(text: string, group: string, decimal: string): string {
  const isGroup = text.includes(decimal) || new RegExp(`^-?[1-9]\\d{0,2}(\\${group}\\d{3})+$`).test(text);
  return isGroup ? text.replaceAll(group, '') : text;
}

/**
 * Formats minor units for an input field: `1234.50`, with the locale's decimal separator and without group
 * separators.
 */
export const moneyInput = (minor: Whole, currency: string, locale: string): string =>
  decimalText(minor, decimalsOf(currency)).replace('.', signsOf(locale).decimal);

/** Parses an amount in minor units. `null` if it isn't valid. */
export const parseMoney = (text: string, currency: string, locale: string): number | null =>
  parseDecimal(text, decimalsOf(currency), locale);

/** Formats a rate for an input field, with two to four decimals. */
export const rateInput = (rate: Whole, locale: string): string =>
  decimalText(rate, rateDecimals)
    .replace(/0{1,2}$/, '')
    .replace('.', signsOf(locale).decimal);

/** Formats a decimal for an input field, with the locale's decimal separator. */
export const decimalInput = (text: string, locale: string): string =>
  text.replace('.', signsOf(locale).decimal);

/** Formats a decimal amount in major units of the currency, with up to 12 decimals if the amount needs them: $0.000015. */
export const amountText = (amount: string, currency: string, locale: string): string =>
  formatted(amount, currency, locale, [decimalsOf(currency), mostDecimals], {});

/** Parses a rate with up to four decimals. `null` if it isn't valid. */
export const parseRate = (text: string, locale: string): number | null =>
  parseDecimal(text, rateDecimals, locale);

/** Returns the symbol of a currency: $, €, CA$. */
export const currencySign = (currency: string, locale: string): string =>
  numberFormat(locale, { style: 'currency', currency: currency.toUpperCase() })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency.toUpperCase();
