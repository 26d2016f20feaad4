/** Tells the time. Business time and operational time are two of these. */
export type Clock = { readonly now: () => Date };

/** The machine's time. The only place that asks the machine. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still at an instant: a moved test clock, a deadline being executed, a test. */
export const fixedClock = (instant: Date): Clock => ({ now: () => instant });

/** Milliseconds since some fixed moment, for measuring durations; never for business time. */
export const monotonicMs = (): number => performance.now();
