import { fxBounds, fxScale } from '../../../domain/metrics/conversion.ts';
import { dayOf } from '../../../domain/metrics/range.ts';
import { isCurrency } from '../../../domain/money/money.ts';
import { readTextSource } from '../../../platform/text-source.ts';
import type { App } from '../../../request/context.ts';
import { type FeedRate, storeFeedRates } from './store.ts';

/**
 * Parses a JSON object that maps currency codes (case-insensitive) to units per US dollar. Ignores unsupported currencies and US dollars.
 * Throws if the JSON is invalid or a rate is out of bounds.
 */
export function parseRates(text: string): FeedRate[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error("The exchange rates aren't a JSON object.");
  return Object.entries(value).flatMap(([code, units]) => {
    const currency = code.toLowerCase();
    if (!isCurrency(currency) || currency === 'usd') return [];
    const scaled = typeof units === 'number' ? Math.round(units * Number(fxScale)) : Number.NaN;
    if (!(scaled >= fxBounds.least && scaled <= fxBounds.most))
      throw new Error(`The exchange rate of ${code} is invalid: ${String(units)}.`);
    return [{ currency, unitsPerUsd: BigInt(scaled) }];
  });
}

/**
 * Reads exchange rates from a URL or file and stores them for the current day in real time. Replaces existing rates. Returns the number of
 * rates.
 */
export async function syncRates(
  { database, wall }: Pick<App, 'database' | 'wall'>,
  where: string,
): Promise<number> {
  const rates = parseRates(await readTextSource(where));
  await storeFeedRates(database.query, dayOf(wall.now()), rates);
  return rates.length;
}
