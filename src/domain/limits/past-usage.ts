// Values of new limits: usage that was recorded in the open window before the limit was created.
import { minorPerUnit } from '../money/money.ts';
import type { EventProperties } from '../rates/derived.ts';
import { type Exact, exactText, plus, times, whole, zero } from '../rates/exact.ts';
import { dayMs } from '../time/period.ts';
import { matchesFilter } from './filter.ts';
import { type Gauge, gaugeAt, mostDays, movedGauge, storedGauge, withDay } from './gauge.ts';
import type { LimitRow, LimitWindowKind, StoredGauge } from './limit.ts';
import { lengthOf, spanAt, type WindowDetails } from './windows.ts';

/** Usage event that a new limit can count. */
export type PastEvent = {
  readonly at: Date;
  readonly featureCode: string;
  readonly properties: EventProperties;
  readonly units: Exact;
  /** Recorded price in major units of `currency`. `null` if the price is 0 or in a custom unit. */
  readonly price: Exact | null;
  readonly currency: string;
  /** Deducted amount of `asset`. `null` if the units are invoiced. */
  readonly deducted: bigint | null;
  readonly asset: string | null;
  /** Whether the event counts as a call. False for further settlements of a hold, and for events that aren't charged at all. */
  readonly isCall: boolean;
};

const kinds: ReadonlySet<LimitWindowKind> = new Set([
  'day',
  'week',
  'month',
  'rolling',
  'fixed',
  'usage_window',
  'billing_period',
]);

/** Fields of a limit that determine the past usage that it counts. */
type PastTerms = Omit<
  LimitRow,
  'id' | 'name' | 'setBy' | 'thresholds' | 'share' | 'amounts' | 'notifyResolved' | 'replaces' | 'planId'
>;

/**
 * Returns true if a new limit has a gauge immediately: a limit on the usage of one customer or budget that applies now and bounds more than
 * single events.
 */
export const hasOwnGauge = (
  { customerId, each, measure, filter, window, validFrom }: PastTerms,
  now: Date,
): boolean =>
  filter.operations === undefined &&
  customerId !== null &&
  each === null &&
  measure !== 'remaining' &&
  measure !== 'level' &&
  window.kind !== 'event' &&
  validFrom <= now;

/** Returns true if the gauge of a new limit includes past usage: the window started before the limit, and its start is known. */
export const canIncludePast = ({ window }: PastTerms): boolean => kinds.has(window.kind);

/** Returns the time from which past usage is in the window of a new limit, or in the earlier days that its gauge keeps. */
export function pastFrom({ window, anomaly }: PastTerms, details: WindowDetails, now: Date): Date {
  const at = now.getTime();
  if (window.kind === 'rolling') return new Date(at - Math.ceil((lengthOf(window) * 13) / 12));
  const start = spanAt(window, details, at, null)?.start ?? at;
  return new Date(anomaly === null ? start : start - mostDays * dayMs);
}

/** Returns the amounts of the days with usage before the open window, oldest first. Events are in order of their times. */
export function pastDays(
  limit: PastTerms,
  events: readonly PastEvent[],
  details: WindowDetails,
  now: Date,
): readonly string[] {
  const startOf = (at: number): number => spanAt(limit.window, details, at, null)?.start ?? at;
  const today = startOf(now.getTime());
  const days = new Map<number, Exact>();
  for (const event of events) {
    const day = startOf(event.at.getTime());
    const delta = day < today ? pastDelta(limit, event) : null;
    if (delta !== null) days.set(day, plus(days.get(day) ?? zero, delta));
  }
  return [...days.values()].reduce<readonly string[]>(
    (earlier, used) => withDay(earlier, exactText(used)),
    [],
  );
}

/** Returns the number of an event that a limit counts. `null` if the limit doesn't count the event. */
export function pastDelta(limit: PastTerms, event: PastEvent): Exact | null {
  const { measure, filter, currency, asset } = limit;
  if (!matchesFilter(filter, event.featureCode, event.properties)) return null;
  if (currency !== null) {
    const isCounted = currency === event.currency && (measure === 'value' || event.asset === null);
    return isCounted && event.price !== null ? times(event.price, whole(minorPerUnit(currency))) : null;
  }
  if (measure === 'calls') return event.isCall ? whole(1n) : null;
  if (measure === 'units') return event.units;
  return asset === event.asset && event.deducted !== null ? whole(event.deducted) : null;
}

/** Returns the gauge of a new limit with past events, in order of their times, and the amount that open holds reserve. */
export function pastGauge(
  limit: PastTerms,
  events: readonly PastEvent[],
  held: Exact,
  details: WindowDetails,
  now: Date,
): StoredGauge {
  const at = now.getTime();
  const empty = gaugeAt(limit, null, details, { at, since: 0 });
  const days = limit.anomaly === null ? {} : { days: pastDays(limit, events, details, now) };
  let gauge: Gauge = empty;
  for (const event of events) {
    const time = event.at.getTime();
    const delta = pastDelta(limit, event);
    if (delta === null || (empty.span !== null && time < empty.span.start)) continue;
    gauge =
      limit.window.kind === 'rolling'
        ? movedGauge(limit, gauge, { used: delta, held: zero }, time)
        : { ...gauge, used: plus(gauge.used, delta) };
  }
  const { used } = gauge;
  return renewedGauge(
    limit,
    storedGauge({ ...gauge, ...days, peak: used, held, heldPeak: plus(used, held) }, at),
    details,
    now,
  );
}

/** Returns a stored gauge at the creation of another limit with the same value, so that the limit continues it. */
export function renewedGauge(
  limit: PastTerms,
  stored: StoredGauge,
  details: WindowDetails,
  now: Date,
): StoredGauge {
  const at = now.getTime();
  return storedGauge(
    gaugeAt(limit, stored, details, { at, since: 0, keepsDays: limit.anomaly !== null }),
    at,
  );
}
