import { createStore, useStore } from './store.ts';

// Time of the current environment: the system time, or the test clock's time.

/** Difference between the environment's time and the system time, in milliseconds. */
const ahead = createStore(0);

/** Returns the environment's time, which determines billing, periods and deadlines. */
export const now = (): Date => new Date(Date.now() + ahead.get());

/** Sets the environment's time to a time returned by the service. */
export const setNow = (instant: string): void => ahead.set(new Date(instant).getTime() - Date.now());

/** Resets the environment's time to the system time. */
export const resetNow = (): void => ahead.set(0);

const hourMs = 3_600_000;

/** Returns the start of the environment's current hour, in milliseconds since 1970. Rerenders the component when the test clock moves. */
export const useHour = (): number => Math.floor((Date.now() + useStore(ahead)) / hourMs) * hourMs;
