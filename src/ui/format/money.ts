// Money as people read and type it. Amounts are whole numbers (minor units, or rates of which 10 000 make 1.00) and reach the formatter as
// decimal texts, so nothing is rounded on the way.
import { exponentOf } from '../../domain/money.ts';
import { numberFormat } from './numbers.ts';

/** A whole number, as JSON or arithmetic gives it. */
export type Whole = number | bigint;

/** Decimals of a rate: 10 000 rate units are 1.00. */
const rateDecimals = 4;

/** Decimals amounts of a currency are typed and shown with. */
export const decimalsOf = (currency: string): number => exponentOf(currency);

/** A whole number of 10^-decimals as a decimal text: 1234 with 2 decimals is `12.34`. */
export function decimalText(amount: Whole, decimals: number): string {
  const whole = BigInt(amount);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return whole < 0n ? `-${text}` : text;
}

type MoneyOptions = {
  /** Whether positive amounts get a plus sign. */
  readonly sign?: boolean;
  /** Whether to show the code (`12.00 USD`) rather than the symbol. */
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
    // Made of digits above; the type wants a literal.
  }).format(text as Intl.StringNumericLiteral);
}

/** Minor units with the sign and the decimals of the currency: $12.34. */
export function moneyText(
  minor: Whole,
  currency: string,
  locale: string,
  options: MoneyOptions = {},
): string {
  const decimals = decimalsOf(currency);
  return formatted(decimalText(minor, decimals), currency, locale, [decimals, decimals], options);
}

/** Minor units in short, with three digits, for axes and tiles: $12.3K. */
export const compactMoneyText = (minor: Whole, currency: string, locale: string): string =>
  numberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    notation: 'compact',
    maximumSignificantDigits: 3,
    // A decimal text, so that the amount stays exact until it is shortened.
  }).format(decimalText(minor, decimalsOf(currency)) as Intl.StringNumericLiteral);

/** A rate (10 000 is 1.00) with the decimals of the currency, or up to four: $0.0025. */
export const rateText = (rate: Whole, currency: string, locale: string): string =>
  formatted(decimalText(rate, rateDecimals), currency, locale, [decimalsOf(currency), rateDecimals], {});

/** The decimal and group signs of a locale. */
function signsOf(locale: string): { decimal: string; group: string } {
  const parts = numberFormat(locale, { useGrouping: true }).formatToParts(1_234_567.5);
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal') || '.', group: sign('group') };
}

/**
 * What was typed as a whole number of 10^-decimals; null where it is no number, has too many decimals or cannot be sent as an integer. Group signs,
 * spaces, currency signs and both decimal signs are understood, the locale's first.
 */
export function parseDecimal(text: string, decimals: number, locale: string): number | null {
  const { decimal, group } = signsOf(locale);
  const bare = text.replace(/[\s\u00a0\u202f]|\p{Sc}/gu, '').replace('\u2212', '-');
  const other = decimal === ',' ? '.' : ',';
  // The other sign is a group where digits stand in threes behind it, else a decimal point.
  const grouped = new RegExp(`^-?\\d{1,3}(\\${other}\\d{3})+(\\${decimal}\\d*)?$`).test(bare);
  const plain = (grouped || group === other ? stripped(bare, other, decimal) : bare).replace(/,/g, '.');
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain);
  if (match === null) return null;
  const [, sign = '', whole = '', rest = ''] = match;
  const fraction = rest.replace(/0+$/, '');
  if (whole + rest === '' || fraction.length > decimals) return null;
  const value = Number(BigInt(`${whole || '0'}${fraction.padEnd(decimals, '0')}`));
  return Number.isSafeInteger(value) ? (sign === '' || value === 0 ? value : -value) : null;
}

/** Without group signs; one that cannot be a group is the decimal sign of another locale. */
function stripped(text: string, group: string, decimal: string): string {
  const isGroup = text.includes(decimal) || new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+$`).test(text);
  return isGroup ? text.replaceAll(group, '') : text;
}

/** Minor units as they are typed: `1234.50`, with the decimal sign of the locale and no groups. */
export const moneyInput = (minor: Whole, currency: string, locale: string): string =>
  decimalText(minor, decimalsOf(currency)).replace('.', signsOf(locale).decimal);

/** What was typed as minor units of a currency; null where it is no amount of it. */
export const parseMoney = (text: string, currency: string, locale: string): number | null =>
  parseDecimal(text, decimalsOf(currency), locale);

/** A rate as it is typed, with two to four decimals. */
export const rateInput = (rate: Whole, locale: string): string =>
  decimalText(rate, rateDecimals)
    .replace(/0{1,2}$/, '')
    .replace('.', signsOf(locale).decimal);

/** What was typed as a rate, with up to four decimals; null where it is none. */
export const parseRate = (text: string, locale: string): number | null =>
  parseDecimal(text, rateDecimals, locale);

/** The sign of a currency in a locale: $, €, CA$. */
export const currencySign = (currency: string, locale: string): string =>
  numberFormat(locale, { style: 'currency', currency: currency.toUpperCase() })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency.toUpperCase();
