import { type Clock, fixedClock } from '../../src/platform/clock.ts';

const dayMs = 86_400_000;

/**
 * Returns a clock that is stopped at the most recent noon (UTC). It prevents work that is due in real time, such as payouts at midnight,
 * while a test expects an unchanged database.
 */
export function clockAtNoon(): Clock {
  const now = Date.now();
  return fixedClock(new Date(now - ((now + dayMs / 2) % dayMs)));
}
