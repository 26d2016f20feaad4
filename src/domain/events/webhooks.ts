import { minuteMs } from '../time/period.ts';

// Retry schedule of webhook deliveries, and the rule that disables failing endpoints. Uses real time, even in a
// sandbox.

/** Delays between the starts of two consecutive attempts, by the number of attempts so far (PLT-44). */
const delaysMs: readonly number[] = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minuteMs);

/** Maximum number of attempts per webhook delivery. */
export const maxAttempts = delaysMs.length + 1;

/** Number of consecutive events with a failed delivery after which an endpoint is disabled (PLT-45). */
export const failuresBeforeDisabling = 3;

/**
 * Returns the time of the next attempt after a failed attempt. `attempts` is the number of attempts so far, and
 * `begunAt` is the time at which the latest attempt started. `null` after the last allowed attempt.
 */
export function nextAttemptAt(attempts: number, begunAt: Date): Date | null {
  const delayMs = delaysMs[attempts - 1];
  return delayMs === undefined ? null : new Date(begunAt.getTime() + delayMs);
}

/** Result of a webhook delivery: the endpoint accepted it, or all attempts failed. */
export type Ending = 'succeeded' | 'failed';

/**
 * Counts consecutive failed deliveries, starting from `failedInRow`, in the order of their completion. A success resets
 * the count. `isDisabled` is true once the endpoint reaches the limit; later results aren't counted (PLT-45).
 */
export function countEndings(
  failedInRow: number,
  endings: readonly Ending[],
): { readonly failedInRow: number; readonly isDisabled: boolean } {
  let count = failedInRow;
  for (const ending of endings) {
    count = ending === 'succeeded' ? 0 : count + 1;
    if (count >= failuresBeforeDisabling) return { failedInRow: count, isDisabled: true };
  }
  return { failedInRow: count, isDisabled: false };
}
