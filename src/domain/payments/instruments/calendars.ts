// Business calendars, computed by rule for every year. Dates are times at 00:00 UTC.
import { addDays, isoDate, utcMidnight } from '../../time/period.ts';

/** Bank calendar that defines the business days of an instrument. `none`: every day is a business day. */
export type Calendar = 'none' | 'target' | 'us_fed' | 'uk' | 'au' | 'ca' | 'br' | 'mx';

const sunday = 0;
const monday = 1;
const thursday = 4;
const friday = 5;
const saturday = 6;

/** Returns a date of a year. Months are numbered from 1. */
const dateOf = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month - 1, day));

/** Returns the Easter Sunday of a year in the Gregorian calendar (algorithm of Meeus, Jones, and Butcher). */
function easterOf(year: number): Date {
  const a = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const d = Math.floor(century / 4);
  const e = century % 4;
  const f = Math.floor((century + 8) / 25);
  const g = Math.floor((century - f + 1) / 3);
  const h = (19 * a + century - d - g + 15) % 30;
  const i = Math.floor(inCentury / 4);
  const k = inCentury % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return dateOf(year, Math.floor(sum / 31), (sum % 31) + 1);
}

/** Returns the `nth` weekday of a month. */
function nthOf(year: number, month: number, weekday: number, nth: number): Date {
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - first.getUTCDay() + 7) % 7) + 7 * (nth - 1));
}

/** Returns the last given weekday on or before a date. */
const lastBefore = (date: Date, weekday: number): Date =>
  addDays(date, -((date.getUTCDay() - weekday + 7) % 7));

const lastOf = (year: number, month: number, weekday: number): Date =>
  lastBefore(dateOf(year, month + 1, 0), weekday);

/** Moves a holiday on a Sunday to Monday. A holiday on a Saturday isn't moved. */
const fromSunday = (date: Date): Date => (date.getUTCDay() === sunday ? addDays(date, 1) : date);

/** Moves a holiday on a Saturday or Sunday to the following Monday. */
const fromWeekend = (date: Date): Date =>
  date.getUTCDay() === saturday ? addDays(date, 2) : fromSunday(date);

/** Moves two consecutive holidays, such as Christmas and the day after, to the first two weekdays that are free. */
function pairFromWeekend(first: Date): Date[] {
  const moved = fromWeekend(first);
  const second = addDays(first, 1);
  const next = fromWeekend(second);
  return [moved, next.getTime() === moved.getTime() ? addDays(moved, 1) : next];
}

const christmas = (year: number): Date => dateOf(year, 12, 25);

/** Holidays of each calendar. Saturdays and Sundays are never business days, so that holidays on these days don't matter. */
const holidays: { readonly [calendar in Exclude<Calendar, 'none'>]: (year: number, easter: Date) => Date[] } =
  {
    target: (year, easter) => [
      dateOf(year, 1, 1),
      addDays(easter, -2),
      addDays(easter, 1),
      dateOf(year, 5, 1),
      christmas(year),
      dateOf(year, 12, 26),
    ],
    us_fed: (year) => [
      fromSunday(dateOf(year, 1, 1)),
      nthOf(year, 1, monday, 3),
      nthOf(year, 2, monday, 3),
      lastOf(year, 5, monday),
      ...(year >= 2021 ? [fromSunday(dateOf(year, 6, 19))] : []),
      fromSunday(dateOf(year, 7, 4)),
      nthOf(year, 9, monday, 1),
      nthOf(year, 10, monday, 2),
      fromSunday(dateOf(year, 11, 11)),
      nthOf(year, 11, thursday, 4),
      fromSunday(christmas(year)),
    ],
    uk: (year, easter) => [
      fromWeekend(dateOf(year, 1, 1)),
      addDays(easter, -2),
      addDays(easter, 1),
      nthOf(year, 5, monday, 1),
      lastOf(year, 5, monday),
      lastOf(year, 8, monday),
      ...pairFromWeekend(christmas(year)),
    ],
    au: (year, easter) => [
      fromWeekend(dateOf(year, 1, 1)),
      fromWeekend(dateOf(year, 1, 26)),
      addDays(easter, -2),
      addDays(easter, 1),
      dateOf(year, 4, 25),
      nthOf(year, 6, monday, 2),
      ...pairFromWeekend(christmas(year)),
    ],
    ca: (year, easter) => [
      fromWeekend(dateOf(year, 1, 1)),
      addDays(easter, -2),
      lastBefore(dateOf(year, 5, 24), monday),
      fromWeekend(dateOf(year, 7, 1)),
      nthOf(year, 9, monday, 1),
      ...(year >= 2021 ? [fromWeekend(dateOf(year, 9, 30))] : []),
      nthOf(year, 10, monday, 2),
      fromWeekend(dateOf(year, 11, 11)),
      ...pairFromWeekend(christmas(year)),
    ],
    br: (year, easter) => [
      dateOf(year, 1, 1),
      addDays(easter, -48),
      addDays(easter, -47),
      addDays(easter, -2),
      dateOf(year, 4, 21),
      dateOf(year, 5, 1),
      addDays(easter, 60),
      dateOf(year, 9, 7),
      dateOf(year, 10, 12),
      dateOf(year, 11, 2),
      dateOf(year, 11, 15),
      ...(year >= 2024 ? [dateOf(year, 11, 20)] : []),
      christmas(year),
    ],
    mx: (year, easter) => [
      dateOf(year, 1, 1),
      nthOf(year, 2, monday, 1),
      nthOf(year, 3, monday, 3),
      addDays(easter, -3),
      addDays(easter, -2),
      dateOf(year, 5, 1),
      dateOf(year, 9, 16),
      dateOf(year, 11, 2),
      nthOf(year, 11, monday, 3),
      dateOf(year, 12, 12),
      christmas(year),
    ],
  };

const known = new Map<string, ReadonlySet<string>>();

function holidaysIn(calendar: Exclude<Calendar, 'none'>, year: number): ReadonlySet<string> {
  const key = `${calendar} ${year}`;
  const listed = known.get(key) ?? new Set(holidays[calendar](year, easterOf(year)).map(isoDate));
  known.set(key, listed);
  return listed;
}

/** Returns true if banks process payments on the UTC date of a time. */
export function isBusinessDay(calendar: Calendar, date: Date): boolean {
  if (calendar === 'none') return true;
  const weekday = date.getUTCDay();
  if (weekday === sunday || weekday > friday) return false;
  return !holidaysIn(calendar, date.getUTCFullYear()).has(isoDate(date));
}

/** Returns the first business day on or after the UTC date of a time. */
export function businessDayFrom(calendar: Calendar, time: Date): Date {
  let date = utcMidnight(time);
  while (!isBusinessDay(calendar, date)) date = addDays(date, 1);
  return date;
}

/** Returns the business day that is `count` business days after the UTC date of a time. */
export function addBusinessDays(calendar: Calendar, time: Date, count: number): Date {
  let date = utcMidnight(time);
  for (let left = count; left > 0; left--) date = businessDayFrom(calendar, addDays(date, 1));
  return date;
}
