// Where the clock can be moved to by one press.

export const steps = ['day', 'week', 'month', 'year'] as const;
export type Step = (typeof steps)[number];

/** The instant some calendar months later in UTC; at the end of the month where that has no such day. */
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

/** The instant a step later than another. */
export function stepLater(instant: string, step: Step): string {
  if (step === 'month' || step === 'year')
    return monthsLater(instant, step === 'month' ? 1 : 12).toISOString();
  return new Date(new Date(instant).getTime() + (step === 'day' ? dayMs : 7 * dayMs)).toISOString();
}
