import { bucketsOf, type Day, type DayRange } from '../../../domain/metrics/range.ts';
import type { Context } from '../../../request/context.ts';
import { loadRates } from './load-rates.ts';
import type { RateOfDay } from './types.ts';

/** Returns a currency's exchange rates by day, earliest first. Omits days without a rate. Throws `validation_error` if the range is invalid. */
export async function listRates(ctx: Context, currency: string, range: DayRange): Promise<RateOfDay[]> {
  const days: Day[] = bucketsOf(range, 'day').map(({ start }) => start);
  const rates = await loadRates(ctx, range);
  return days.flatMap((day) => {
    const rate = rates(currency, day);
    return rate === null ? [] : [{ currency, day, rate }];
  });
}
