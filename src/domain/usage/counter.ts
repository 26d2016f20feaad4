import { isFinal, type MeterDocument } from '../meters/meter.ts';
import { totalOf } from '../meters/total.ts';
import type { MeasuredEventRow, UsageCounterRow } from '../rows/usage-rows.ts';
import type { Period } from '../time/period.ts';

export const counterId = (subscriptionId: string, featureId: string): string =>
  `${subscriptionId}:${featureId}`;

/** Returns the ID of a value that a meter counts, from the hash of the value. */
export const valueId = (subscriptionId: string, featureId: string, hash: string): string =>
  `${counterId(subscriptionId, featureId)}:${hash}`;

/**
 * Returns the counter of a feature for the window that starts at `windowStart`. If the stored counter
 * belongs to an earlier window, returns a new counter that starts at 0 and counts with `meter`. `level` is the level at the
 * start of the window.
 */
export function counterIn(
  stored: UsageCounterRow | null,
  of: Pick<UsageCounterRow, 'customerId' | 'subscriptionId' | 'featureId'>,
  windowStart: Date,
  meter: MeterDocument | null = null,
  level = stored?.level ?? null,
): UsageCounterRow {
  if (stored?.windowStart.getTime() === windowStart.getTime()) return stored;
  const id = counterId(of.subscriptionId, of.featureId);
  return {
    ...of,
    id,
    seq: stored?.seq ?? null,
    windowStart,
    total: 0n,
    consumed: 0n,
    waived: 0n,
    price: '0',
    recorded: '0',
    crossed: 0,
    covered: 0n,
    meter,
    latestAt: null,
    held: stored?.held ?? null,
    level,
  };
}

/**
 * Returns a counter with the total of the events in `window`, if the total is known only at the end of the window (PRM-121).
 * Returns other counters unchanged. `events` can also contain events of other counters.
 */
export function countedIn(
  counter: UsageCounterRow,
  events: readonly MeasuredEventRow[],
  window: Period,
): UsageCounterRow {
  const { meter, subscriptionId, featureId, windowStart } = counter;
  if (meter === null || !isFinal(meter)) return counter;
  const own = events.filter(
    (event) =>
      event.subscriptionId === subscriptionId &&
      event.featureId === featureId &&
      event.windowStart.getTime() === windowStart.getTime(),
  );
  const changed = own.reduce((sum, { levelChange }) => sum + (levelChange ?? 0n), 0n);
  return { ...counter, total: totalOf(meter, own, window, (counter.level ?? 0n) - changed) };
}
