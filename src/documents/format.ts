// Counts, shares, countries and dates as people read them; amounts are written by domain/amount-text.ts.
import { decimalText, type Language } from '../domain/amount-text.ts';

/** Formats made before: making one costs as much as a hundred uses. There are few: one per language. */
const dateFormats = new Map<Language, Intl.DateTimeFormat>();

function kept<K, F>(formats: Map<K, F>, key: K, make: () => F): F {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}

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
