import type { App } from '../../context.ts';
import { fxBounds, fxScale } from '../../domain/metrics/conversion.ts';
import { dayOf } from '../../domain/metrics/range.ts';
import { isCurrency } from '../../domain/money.ts';
import { readTextSource } from '../../platform/text-source.ts';
import { type FeedRate, storeFeedRates } from './store.ts';

/**
 * The rates in a JSON object from currency codes, in upper or lower case, to units for one US dollar. Codes that cannot be charged in and US dollars are
 * left out. Throws for anything else and for a rate that is no number within the bounds.
 */
export function parseRates(text: string): FeedRate[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The exchange rates are no JSON object.');
  return Object.entries(value).flatMap(([code, units]) => {
    const currency = code.toLowerCase();
    if (!isCurrency(currency) || currency === 'usd') return [];
    const scaled = typeof units === 'number' ? Math.round(units * Number(fxScale)) : Number.NaN;
    if (!(scaled >= fxBounds.least && scaled <= fxBounds.most))
      throw new Error(`The exchange rate of ${code} is none: ${String(units)}.`);
    return [{ currency, unitsPerUsd: BigInt(scaled) }];
  });
}

/** Reads exchange rates at an address or in a file and stores them for the day of operational time, in place of those it had. Answers how many. */
export async function syncRates(
  { database, wall }: Pick<App, 'database' | 'wall'>,
  where: string,
): Promise<number> {
  const rates = parseRates(await readTextSource(where));
  await storeFeedRates(database.query, dayOf(wall.now()), rates);
  return rates.length;
}
