// Formats dates and times, in UTC unless a time zone is passed. Times include the time zone.

/** Time as an ISO 8601 string from the API, or as a `Date`. */
export type Instant = string | number | Date;

export type DateSettings = { readonly locale: string; readonly timeZone?: string };

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat({ locale, timeZone = 'UTC' }: DateSettings, options: Intl.DateTimeFormatOptions) {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
  formats.set(key, format);
  return format;
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Formats a date: Nov 23, 2026. */
export const dateText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, day).format(new Date(instant));

/** Formats a date without its year: Nov 23. */
export const shortDateText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, { month: 'short', day: 'numeric' }).format(new Date(instant));

/** Formats a month: Nov 2026. */
export const monthText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, { month: 'short', year: 'numeric' }).format(new Date(instant));

/** Formats a date and time with the time zone: Nov 23, 2026, 09:00 UTC. */
export const dateTimeText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, { ...day, ...minute, timeZoneName: 'short' }).format(new Date(instant));

/** Formats a date and time with seconds and the time zone, for logs. */
export const exactTimeText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, { ...day, ...minute, second: '2-digit', timeZoneName: 'short' }).format(
    new Date(instant),
  );

/** Formats a time of day with the time zone: 09:00 UTC. */
export const timeText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, { ...minute, timeZoneName: 'short' }).format(new Date(instant));

/** Returns the short name of a time zone at a given time: UTC, GMT-3, PST. */
export const zoneText = (instant: Instant, settings: DateSettings): string =>
  dateFormat(settings, { timeZoneName: 'short' })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';

/** Formats a date range. Omits repeated parts: Nov 1 – 30, 2026. */
export const dateRangeText = (from: Instant, to: Instant, settings: DateSettings): string =>
  dateFormat(settings, day).formatRange(new Date(from), new Date(to));

const dayMs = 86_400_000;

/** Returns the start of a date in UTC, as an ISO 8601 string. Dates have the format `YYYY-MM-DD`. */
export const dayStart = (date: string): string => `${date}T00:00:00.000Z`;

/**
 * Formats a billing period with its last day, because its end is exclusive: a period from Nov 1 to Dec 1 is
 * shown as Nov 1 – 30.
 */
export const periodText = (from: Instant, until: Instant, settings: DateSettings): string =>
  dateRangeText(from, Math.max(new Date(from).getTime(), new Date(until).getTime() - 1), settings);

const steps = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['week', 7 * dayMs],
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();

/** Formats a time relative to now: 3 hours ago, in 2 days, now. */
export function relativeText(instant: Instant, now: Instant, locale: string): string {
  const distance = new Date(instant).getTime() - new Date(now).getTime();
  const format =
    relativeFormats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  relativeFormats.set(locale, format);
  const step = steps.find(([, size]) => Math.abs(distance) >= size);
  return step === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc(distance / step[1]), step[0]);
}
