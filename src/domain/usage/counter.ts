import type { MeterDocument } from '../meters/meter.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';

export const counterId = (subscriptionId: string, featureId: string): string =>
  `${subscriptionId}:${featureId}`;

/** Returns the ID of a value that a meter counts, from the hash of the value. */
export const valueId = (subscriptionId: string, featureId: string, hash: string): string =>
  `${counterId(subscriptionId, featureId)}:${hash}`;

/**
 * Returns the counter of a feature for the window that starts at `windowStart`. If the stored counter
 * belongs to an earlier window, returns a new counter that starts at 0 and counts with `meter`.
 */
export function counterIn(
  stored: UsageCounterRow | null,
  of: Pick<UsageCounterRow, 'customerId' | 'subscriptionId' | 'featureId'>,
  windowStart: Date,
  meter: MeterDocument | null = null,
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
    price: '0',
    alertLevel: 0,
    covered: 0n,
    meter,
    latestAt: null,
  };
}
