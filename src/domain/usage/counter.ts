import type { UsageCounterRow } from '../rows/usage-rows.ts';

export const counterId = (subscriptionId: string, featureId: string): string =>
  `${subscriptionId}:${featureId}`;

/**
 * Returns the counter of a feature for the window that starts at `windowStart`. If the stored counter
 * belongs to an earlier window, returns a new counter that starts at 0.
 */
export function counterIn(
  stored: UsageCounterRow | null,
  of: Pick<UsageCounterRow, 'customerId' | 'subscriptionId' | 'featureId'>,
  windowStart: Date,
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
  };
}
