/** Source of the current time: either the environment's time or real time. */
export type Clock = { readonly now: () => Date };

/** Clock that shows real time. Only this clock may read the system time; all other code must use a clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Clock with a fixed time, for a test clock, a deadline that is being processed, or a test. */
export const fixedClock = (instant: Date): Clock => ({ now: () => instant });

/** Returns a monotonic time in milliseconds, for measuring durations. */
export const monotonicMs = (): number => performance.now();
