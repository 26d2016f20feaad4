import { addToDay, dayOf, intervalEnd, midnightOf } from '../../domain/metrics/range.ts';

/** How often a schedule runs. */
export type ExportFrequency = 'daily' | 'weekly' | 'monthly';

const intervals = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** When a schedule runs next: the first 00:00Z after an instant that begins a day, a week or a month. */
export const nextRun = (frequency: ExportFrequency, after: Date): Date =>
  midnightOf(addToDay(intervalEnd(dayOf(after), intervals[frequency]), 1));
