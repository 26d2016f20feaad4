import { createStore, useStore } from './store.ts';

// The time of the environment on screen: that of the machine, unless a test clock stands elsewhere.

/** How far the time of the environment is ahead of the machine's, in milliseconds. */
const ahead = createStore(0);

/** The time of the environment. Billing, periods and deadlines go by it. */
export const now = (): Date => new Date(Date.now() + ahead.get());

/** Sets the time of the environment, as the service says it. */
export const setNow = (instant: string): void => ahead.set(new Date(instant).getTime() - Date.now());

/** Goes by the machine's clock again. */
export const resetNow = (): void => ahead.set(0);

const hourMs = 3_600_000;

/** The hour of the environment that has begun, in milliseconds since 1970. A part that uses it is drawn again when the test clock moves. */
export const useHour = (): number => Math.floor((Date.now() + useStore(ahead)) / hourMs) * hourMs;
