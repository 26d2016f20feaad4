// Amounts and dates as people read them. Amounts stay exact: they reach the formatter as decimal texts.
import { exponentOf } from '../domain/money.ts';

/** Languages emails and documents are written in. */
export type Language = 'en' | 'es';

/** A whole number of 10^-decimals as a decimal text. */
function decimalText(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return amount < 0n ? `-${text}` : text;
}

/** Formats made before: making one costs as much as a hundred uses. There are few: languages times currencies. */
const moneyFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<Language, Intl.DateTimeFormat>();

function kept<K, F>(formats: Map<K, F>, key: K, make: () => F): F {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}

function formatted(
  text: string,
  currency: string,
  language: Language,
  decimals: number,
  mostDecimals: number,
): string {
  const format = kept(
    moneyFormats,
    `${language} ${currency} ${mostDecimals}`,
    () =>
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: currency.toUpperCase(),
        minimumFractionDigits: decimals,
        maximumFractionDigits: mostDecimals,
      }),
  );
  // Made of digits above; the type wants a literal.
  return format.format(text as Intl.StringNumericLiteral);
}

/** Minor units with the sign and the decimals of the currency. */
export function amountText(minor: bigint, currency: string, language: Language): string {
  const decimals = exponentOf(currency);
  return formatted(decimalText(minor, decimals), currency, language, decimals, decimals);
}

/** A rate (10 000 is 1.00), with as many decimals as it needs: those of the currency, or up to four. */
export const rateText = (rate: bigint, currency: string, language: Language): string =>
  formatted(decimalText(rate, 4), currency, language, exponentOf(currency), 4);

/** A count with separators. */
export const countText = (count: bigint, language: Language): string =>
  new Intl.NumberFormat(language).format(count);

/** Parts per million as a percentage, with as many decimals as it needs. */
export const percentText = (ppm: number, language: Language): string =>
  // Exact as a text; the type wants a literal.
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(
    decimalText(BigInt(ppm), 6) as Intl.StringNumericLiteral,
  );

const countryNames = new Map<Language, Intl.DisplayNames>();

/** The name of a country by its upper-case ISO 3166-1 alpha-2 code; the text itself where it is none. */
export const countryText = (country: string, language: Language): string =>
  /^[A-Z]{2}$/.test(country)
    ? (kept(countryNames, language, () => new Intl.DisplayNames(language, { type: 'region' })).of(country) ??
      country)
    : country;

const periodFormats = new Map<Language, Intl.DateTimeFormat>();

/** A span of time from its first to its last day, in UTC, short enough for a line; its end is exclusive. */
export const periodText = (start: Date, end: Date, language: Language): string =>
  kept(
    periodFormats,
    language,
    () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
  )
    // People name the last day.
    .formatRange(start, new Date(Math.max(start.getTime(), end.getTime() - 1)))
    .replaceAll('\u2009', ' ');

/** A UTC date in words. */
export const dateText = (date: Date, language: Language): string =>
  kept(
    dateFormats,
    language,
    () => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(date);
