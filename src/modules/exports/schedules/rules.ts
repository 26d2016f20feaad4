import { addToDay, dayOf, intervalEnd, midnightOf } from '../../../domain/metrics/range.ts';

export type ExportFrequency = 'daily' | 'weekly' | 'monthly';

const intervals = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** Returns the next run of a schedule: the first start of a day, week, or month (00:00 UTC) after the given time. */
export const nextRun = (frequency: ExportFrequency, after: Date): Date =>
  midnightOf(addToDay(intervalEnd(dayOf(after), intervals[frequency]), 1));
