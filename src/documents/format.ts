// Formats for counts, percentages, countries and dates. For amounts, see `domain/money/amount-text.ts`.
import { decimalText } from '../domain/money/amount-text.ts';
import { type Language, tagOf } from '../domain/text/language.ts';

/** Formats are cached by language because creating a format is about 100 times slower than using it. */
const dateFormats = new Map<Language, Intl.DateTimeFormat>();

function cachedFormat<K, F>(formats: Map<K, F>, key: K, make: () => F): F {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}

/** Formats a count with thousands separators. */
export const countText = (count: bigint, language: Language): string =>
  new Intl.NumberFormat(tagOf(language)).format(count);

/** Formats parts per million as a percentage, with up to 4 decimals. */
export const percentText = (ppm: number, language: Language): string =>
  // A numeric string keeps the exact value, but the formatter's type accepts only number literals.
  new Intl.NumberFormat(tagOf(language), { style: 'percent', maximumFractionDigits: 4 }).format(
    decimalText(BigInt(ppm), 6) as Intl.StringNumericLiteral,
  );

const countryNames = new Map<Language, Intl.DisplayNames>();

/** Returns the localized name of a country from its uppercase ISO 3166-1 alpha-2 code. Returns any other text unchanged. */
export const countryText = (country: string, language: Language): string =>
  /^[A-Z]{2}$/.test(country)
    ? (cachedFormat(
        countryNames,
        language,
        () => new Intl.DisplayNames(tagOf(language), { type: 'region' }),
      ).of(country) ?? country)
    : country;

const periodFormats = new Map<Language, Intl.DateTimeFormat>();

/** Formats a period as a short date range in UTC. The last day isn't included if the period ends at midnight. */
export const periodText = (start: Date, end: Date, language: Language): string =>
  cachedFormat(
    periodFormats,
    language,
    () => new Intl.DateTimeFormat(tagOf(language), { dateStyle: 'medium', timeZone: 'UTC' }),
  )
    // Subtracts a millisecond, because the end of the period is exclusive.
    .formatRange(start, new Date(Math.max(start.getTime(), end.getTime() - 1)))
    .replaceAll('\u2009', ' ');

/** Formats a date in UTC. */
export const dateText = (date: Date, language: Language): string =>
  cachedFormat(
    dateFormats,
    language,
    () => new Intl.DateTimeFormat(tagOf(language), { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(date);

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time as a date, hours and minutes, and the name of the time zone. */
export function zonedTimeText(time: Date, timeZone: string, language: Language): string {
  const tag = tagOf(language);
  const date = cachedFormat(
    timeFormats,
    `${tag} ${timeZone}`,
    () => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone }),
  );
  const clock = cachedFormat(
    timeFormats,
    `${tag} ${timeZone} time`,
    () =>
      new Intl.DateTimeFormat(tag, {
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short',
        timeZone,
      }),
  );
  return `${date.format(time)}, ${clock.format(time)}`;
}
