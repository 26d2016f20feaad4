// Shortcuts that advance the test clock by a fixed interval.

export const steps = ['day', 'week', 'month', 'year'] as const;
export type Step = (typeof steps)[number];

/** Adds calendar months in UTC. If the day doesn't exist in the resulting month, uses the last day of that month. */
function monthsLater(instant: string, months: number): Date {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date;
}

const dayMs = 86_400_000;

/** Adds the interval of a shortcut to a time. */
export function stepLater(instant: string, step: Step): string {
  if (step === 'month' || step === 'year')
    return monthsLater(instant, step === 'month' ? 1 : 12).toISOString();
  return new Date(new Date(instant).getTime() + (step === 'day' ? dayMs : 7 * dayMs)).toISOString();
}
