import type { Context } from '../../context.ts';
import { bucketsOf, type Day, type DayRange } from '../../domain/metrics/range.ts';
import { loadRates } from './load-rates.ts';
import type { RateOfDay } from './types.ts';

/** The rate of a currency on each day of a range that has one, the earliest day first. Throws `validation_error` as series by day do. */
export async function listRates(ctx: Context, currency: string, range: DayRange): Promise<RateOfDay[]> {
  const days: Day[] = bucketsOf(range, 'day').map(({ start }) => start);
  const rates = await loadRates(ctx, range);
  return days.flatMap((day) => {
    const rate = rates(currency, day);
    return rate === null ? [] : [{ currency, day, rate }];
  });
}
