// Windows of limits (start inclusive, end exclusive), in milliseconds.
import { dayMs, minuteMs } from '../time/period.ts';
import type { LimitWindow } from './limit.ts';

/** Window of a gauge. `end` is `null` if the window doesn't end. */
export type Span = { readonly start: number; readonly end: number | null };

/** Window of all usage. Its start isn't a time in the API. */
const allTime: Span = { start: 0, end: null };

/** Returns the start of a window in API format. `null` if the window includes all usage, or if no window is open. */
export const shownStart = (span: Span | null): number | null =>
  span === null || span.start === allTime.start ? null : span.start;

/** Data that determines the windows of a customer's gauges. */
export type WindowDetails = {
  /** IANA name of the customer's time zone. */
  readonly timeZone: string;
  readonly usageWindow: Span;
  readonly billingPeriod: Span;
};

type CalendarKind = 'day' | 'week' | 'month';

const nominalMs: { readonly [kind in CalendarKind]: number } = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
};

const startIn = (date: Temporal.PlainDate, zone: string): number =>
  date.toZonedDateTime(zone).epochMilliseconds;

const afterDate = (date: Temporal.PlainDate, kind: CalendarKind): Temporal.PlainDate =>
  date.add({ day: { days: 1 }, week: { days: 7 }, month: { months: 1 } }[kind]);

/** Returns the first date of the local day, week, or month that includes a time. */
function firstDate(kind: CalendarKind, at: number, zone: string, weekStart: number): Temporal.PlainDate {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  if (kind === 'day') return date;
  if (kind === 'month') return date.with({ day: 1 });
  return date.subtract({ days: (date.dayOfWeek - weekStart + 7) % 7 });
}

/** Latest calendar windows by kind, time zone, and first day of the week, because the calculation of a window is slow. */
const latest = new Map<string, { readonly start: number; readonly end: number }>();

/** Maximum number of remembered windows. */
const mostLatest = 1_000;

/** Returns the local day, week, or month that includes a time. */
function calendarSpan(kind: CalendarKind, at: number, zone: string, weekStart: number): Span {
  const key = `${kind} ${weekStart} ${zone}`;
  const last = latest.get(key);
  if (last !== undefined && last.start <= at && at < last.end) return last;
  const first = firstDate(kind, at, zone, weekStart);
  const span = { start: startIn(first, zone), end: startIn(afterDate(first, kind), zone) };
  if (latest.size >= mostLatest) latest.clear();
  latest.set(key, span);
  return span;
}

/**
 * Returns the calendar window that includes a time. The window that follows a stored window starts at its end, even if the time zone
 * has changed. A boundary that is nearer than half of the nominal length is skipped.
 */
function nextCalendarSpan(
  kind: CalendarKind,
  { timeZone, weekStart }: { readonly timeZone: string; readonly weekStart: number },
  at: number,
  last: Span | null,
): Span {
  const regular = calendarSpan(kind, at, timeZone, weekStart);
  if (last === null || last.end === null) return regular;
  const start = last.end;
  const first = firstDate(kind, start, timeZone, weekStart);
  const next = afterDate(first, kind);
  const boundary = startIn(next, timeZone);
  const isNear = (boundary - start) * 2 < nominalMs[kind];
  const end = isNear ? startIn(afterDate(next, kind), timeZone) : boundary;
  return at < end ? { start, end } : regular;
}

/** Returns the length of a window in milliseconds. Throws for windows without a length, which indicates a bug. */
export function lengthOf({ kind, minutes }: LimitWindow): number {
  if (minutes === null) throw new Error(`The window ${kind} has no length.`);
  return minutes * minuteMs;
}

function fixedSpan(window: LimitWindow, at: number): Span {
  const anchor = Date.parse(window.anchor ?? new Date(0).toISOString());
  const length = lengthOf(window);
  const start = anchor + Math.floor((at - anchor) / length) * length;
  return { start, end: start + length };
}

/**
 * Returns the window of a gauge at a time. `last` is the stored window, which remains until its end. Returns `null` if no window is
 * open: for `event`, `rolling`, and ended `session` windows.
 */
export function spanAt(
  window: LimitWindow,
  details: WindowDetails,
  at: number,
  last: Span | null,
): Span | null {
  const { kind } = window;
  switch (kind) {
    case 'event':
    case 'rolling':
      return null;
    case 'session':
      return last !== null && last.end !== null && at < last.end ? last : null;
    case 'fixed':
      return fixedSpan(window, at);
    case 'usage_window':
      return details.usageWindow;
    case 'billing_period':
      return details.billingPeriod;
    case 'lifetime':
      return allTime;
    default: {
      if (last !== null && last.end !== null && at < last.end) return last;
      const zone = window.timeZone ?? details.timeZone;
      return nextCalendarSpan(kind, { timeZone: zone, weekStart: window.weekStart ?? 1 }, at, last);
    }
  }
}

/** Returns the window that a movement at a time opens. Equals `spanAt` except for `session` windows. */
export function openedSpan(window: LimitWindow, current: Span | null, at: number): Span | null {
  if (window.kind !== 'session' || current !== null) return current;
  return { start: at, end: at + lengthOf(window) };
}
