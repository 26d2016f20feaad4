// When failed deliveries are tried again, and when their endpoint is disabled. Times are real ones.

const minuteMs = 60_000;

/** How long after an attempt began the next one is due, by the number of attempts made so far (PLT-44). */
const delaysMs: readonly number[] = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * minuteMs);

/** How many attempts a delivery has in all. */
export const maxAttempts = delaysMs.length + 1;

/** How many events in a row may fail for good before their endpoint is disabled (PLT-45). */
export const failuresBeforeDisabling = 3;

/**
 * When the next attempt is due after the `attempts`-th one, begun at `begunAt`, failed; null when it was the
 * last. `attempts` counts from 1.
 */
export function nextAttemptAt(attempts: number, begunAt: Date): Date | null {
  const delayMs = delaysMs[attempts - 1];
  return delayMs === undefined ? null : new Date(begunAt.getTime() + delayMs);
}

/** How a delivery ended: the receiver took it, or all attempts failed. */
export type Ending = 'succeeded' | 'failed';

/**
 * Counts events that failed permanently in a row, going on from `failedInRow`, in the order in which their
 * deliveries ended; a success begins again. `isDisabled` says that the endpoint has failed often enough to be
 * disabled; endings after that one are not counted (PLT-45).
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
