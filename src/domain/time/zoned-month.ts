import type { Period } from './period.ts';

/** Returns the calendar month that contains a time in a time zone, such as `Europe/Berlin`. Starts and ends at local midnight. */
export function monthIn(timeZone: string, instant: Date): Period {
  const first = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .with({ day: 1 })
    .startOfDay();
  return {
    start: new Date(first.epochMilliseconds),
    end: new Date(first.add({ months: 1 }).startOfDay().epochMilliseconds),
  };
}
