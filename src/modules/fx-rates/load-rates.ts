import type { Context } from '../../context.ts';
import {
  Conversion,
  type DayRate,
  fxBounds,
  oldestRateDays,
  type RateLookup,
  rateLookup,
  settledRate,
} from '../../domain/metrics/conversion.ts';
import { addToDay, type Day, type DayRange, dayOf } from '../../domain/metrics/range.ts';
import { readSettledSums } from '../ledger-days/store.ts';
import { readPlanRates, readStoredRates } from './store.ts';

/** The rates that count on the days of a range. Three statements. */
export async function loadRates(ctx: Context, { from, to }: DayRange): Promise<RateLookup> {
  const first = addToDay(from, -oldestRateDays);
  const [stored, settled, plans] = await Promise.all([
    readStoredRates(ctx.sql, first, to),
    readSettledSums(ctx.sql, first, to),
    readPlanRates(ctx.sql, from, to),
  ]);
  const days: DayRate[] = stored.map((rate) => ({ ...rate, day: dayOf(rate.day) }));
  for (const { currency, day, amountMinor, usdMinor } of settled) {
    if (usdMinor <= 0n) continue;
    const unitsPerUsd = settledRate(amountMinor, usdMinor, currency);
    // What no rate can be comes from charges of a few cents.
    if (unitsPerUsd >= fxBounds.least && unitsPerUsd <= fxBounds.most)
      days.push({ currency, day: dayOf(day), unitsPerUsd, source: 'settlement' });
  }
  return rateLookup(days, plans);
}

/** The currency amounts are asked for in, and the day whose rates count for all, where there is one. */
export type ConversionChoice = {
  readonly currency?: string | null | undefined;
  readonly fx?: { readonly constant?: Day | null | undefined } | null | undefined;
};

/** What converts amounts of a range as a caller asks for; null without a currency. */
export async function loadConversion(
  ctx: Context,
  { currency, fx }: ConversionChoice,
  range: DayRange,
): Promise<Conversion | null> {
  if (currency === null || currency === undefined) return null;
  const constant = fx?.constant ?? null;
  const rates = await loadRates(ctx, constant === null ? range : { from: constant, to: constant });
  return new Conversion(currency, rates, constant);
}
