import { dayStart } from '../../../ui/format/dates.ts';
import type { Filter } from './filters.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Adds months to a time. If the day doesn't exist in the resulting month, uses its last day. */
function addMonths(instant: Date, months: number): Date {
  const first = new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const day = Math.min(instant.getUTCDate(), last);
  const time =
    instant.getTime() - Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate());
  return new Date(first.getTime() + (day - 1) * dayMs + time);
}

/** Adds a duration such as `30d` to a time, or subtracts it if `sign` is -1. */
function spanFrom(now: Date, text: string, sign: 1 | -1): Date {
  const count = sign * Number.parseInt(text, 10);
  const unit = text.at(-1);
  if (unit === 'm') return addMonths(now, count);
  const size = { h: hourMs, d: dayMs, w: 7 * dayMs }[unit ?? 'd'] ?? dayMs;
  return new Date(now.getTime() + count * size);
}

const day = (text: string, add = 0): string =>
  new Date(Date.parse(dayStart(text)) + add * dayMs).toISOString();

/** Returns the time range of a date filter in UTC. `from` is inclusive, `until` is exclusive. Both days of `between` are included. */
export function datesOf(filter: Filter, now: Date): { readonly from?: string; readonly until?: string } {
  const [first = '', second = ''] = filter.values;
  switch (filter.comparison) {
    case 'last':
      return { from: spanFrom(now, first, -1).toISOString(), until: now.toISOString() };
    case 'next':
      return { from: now.toISOString(), until: spanFrom(now, first, 1).toISOString() };
    case 'since':
      return { from: day(first) };
    case 'before':
      return { until: day(first) };
    case 'between':
      return { from: day(first), until: day(second, 1) };
    default:
      return {};
  }
}
