import { type Clock, fixedClock } from '../../src/platform/clock.ts';

const dayMs = 86_400_000;

/**
 * A wall clock that stands at the last noon. What is due by the time of the machine, such as payouts at midnight and questions to providers, does
 * not happen while a file holds the database to standing still.
 */
export function standingNoon(): Clock {
  const now = Date.now();
  return fixedClock(new Date(now - ((now + dayMs / 2) % dayMs)));
}
