// Whether a change of plan or interval happens at once or waits (SUB-37).
import type { BillingInterval } from '../../enums.ts';

/** What of a plan and interval decides about a direction; `interval` is null on free plans. */
export type Standing = {
  readonly isFree: boolean;
  readonly interval: BillingInterval | null;
  readonly sortOrder: number;
};

/**
 * `checkout`: at once, when a checkout is paid. `rejected`: it could only wait, and there is no renewal to
 * wait for.
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
 * The direction of a change between two plans or intervals, one of which differs: free and paid first, then
 * the interval, then the order of the group; prices are never compared (SUB-E9). What was bought once is
 * never mixed with what recurs.
 */
export function directionOf(current: Standing, target: Standing): Direction {
  if (current.isFree) return target.isFree ? 'immediate' : 'checkout';
  if (target.isFree) return current.interval === 'one_time' ? 'refused' : 'scheduled';
  const longer =
    (target.interval === null ? 0 : lengths[target.interval]) -
    (current.interval === null ? 0 : lengths[current.interval]);
  if (longer !== 0) return longer > 0 ? 'immediate' : 'scheduled';
  if (target.sortOrder > current.sortOrder) return 'immediate';
  return target.interval === 'one_time' ? 'refused' : 'scheduled';
}
