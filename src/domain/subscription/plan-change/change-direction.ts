// Determines whether a plan or interval change is immediate or scheduled (SUB-37).
import type { BillingInterval } from '../../rows/enums.ts';

/** Plan properties that determine the direction of a change. `interval` is `null` if the plan is free. */
export type PlanPosition = {
  readonly isFree: boolean;
  readonly interval: BillingInterval | null;
  readonly sortOrder: number;
};

/**
 * Timing of a change. `checkout`: as soon as a checkout is paid. `refused`: not possible, because the
 * change would take effect at a renewal, but the plan never renews.
 */
export type Direction = 'checkout' | 'immediate' | 'scheduled' | 'refused';

const lengths: { readonly [interval in BillingInterval]: number } = {
  weekly: 1,
  monthly: 2,
  quarterly: 3,
  yearly: 4,
  one_time: 5,
};

/**
 * Returns the timing of a change. Compares free with paid plans first, then the intervals, then the ranks in
 * the plan group, but never the prices (SUB-E9). Changes between one-time and recurring intervals aren't
 * possible.
 */
export function directionOf(current: PlanPosition, target: PlanPosition): Direction {
  if (current.isFree) return target.isFree ? 'immediate' : 'checkout';
  if (target.isFree) return current.interval === 'one_time' ? 'refused' : 'scheduled';
  const longer =
    (target.interval === null ? 0 : lengths[target.interval]) -
    (current.interval === null ? 0 : lengths[current.interval]);
  if (longer !== 0) return longer > 0 ? 'immediate' : 'scheduled';
  if (target.sortOrder > current.sortOrder) return 'immediate';
  return target.interval === 'one_time' ? 'refused' : 'scheduled';
}
