// Limits in the customer portal.
import { minOf } from '../money/money.ts';
import { compare, type Exact, larger, whole } from '../rates/exact.ts';
import { isBlocking, mostOf, type Tried, takenOf } from './admission.ts';
import { isBefore } from './bound.ts';
import { type NodeLimit, nodeLimit, shownAmount } from './entry.ts';
import { thresholdAmount, thresholdsOf } from './thresholds.ts';

/** Threshold of a limit in API format. */
export type ThresholdEntry = {
  readonly amount: string;
  /** True if the value reached the threshold in the window. */
  readonly isReached: boolean;
};

/** Limit with the facts that only the portal shows. */
export type PortalNodeLimit = NodeLimit & {
  readonly thresholds: readonly ThresholdEntry[];
  readonly isEmailed: boolean;
};

/** Returns the value that is compared with thresholds: the highest value in the window, or the lowest available amount. */
function extremeOf({ limit, fall, gauge }: Tried): Exact {
  if (fall !== null) return whole(minOf(fall.after, fall.inWindow));
  return isBlocking(limit) ? larger(gauge.heldPeak, takenOf(gauge)) : larger(gauge.peak, gauge.used);
}

/** Returns the thresholds of a limit whose amounts are known, in their order. */
function thresholdEntries(tried: Tried): ThresholdEntry[] {
  const { limit, fall } = tried;
  const extreme = extremeOf(tried);
  return thresholdsOf(limit).flatMap((threshold) => {
    const amount = thresholdAmount(threshold, mostOf(tried), fall);
    if (amount === null) return [];
    const isReached = !isBefore(fall !== null, compare(extreme, amount));
    return [{ amount: shownAmount(limit, amount), isReached }];
  });
}

/** Returns a limit as the portal shows it. */
export const portalNodeLimit = (tried: Tried): PortalNodeLimit => ({
  ...nodeLimit(tried),
  thresholds: thresholdEntries(tried),
  isEmailed: tried.limit.channels.includes('customer_email'),
});
