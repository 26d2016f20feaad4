import type { UsageCounterRow } from './rows.ts';

/** The id of the counter of a subscription's feature. */
export const counterId = (subscriptionId: string, featureId: string): string =>
  `${subscriptionId}:${featureId}`;

/**
 * The counter of a feature in the window that opened at `windowStart`: the stored one where it is of that
 * window, else one at 0.
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
    alertLevel: 0,
    covered: 0n,
  };
}
