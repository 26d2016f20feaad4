import {
  Conversion,
  type DayRate,
  fxBounds,
  oldestRateDays,
  type RateLookup,
  rateLookup,
  settledRate,
} from '../../../domain/metrics/conversion.ts';
import { addToDay, type Day, type DayRange, dayOf } from '../../../domain/metrics/range.ts';
import { readPlanRates, readStoredRates } from '../../../engine/load/fx-rates.ts';
import type { Context } from '../../../request/context.ts';
import { readSettledSums } from '../ledger-days/store.ts';

/** Returns a lookup of the effective exchange rates in a date range. Runs three SQL statements. */
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
    // Charges of a few cents can result in rates outside these bounds.
    if (unitsPerUsd >= fxBounds.least && unitsPerUsd <= fxBounds.most)
      days.push({ currency, day: dayOf(day), unitsPerUsd, source: 'settlement' });
  }
  return rateLookup(days, plans);
}

/** Target currency of the conversion, and optionally the day whose rates apply to all amounts. */
export type ConversionChoice = {
  readonly currency?: string | null | undefined;
  readonly fx?: { readonly constant?: Day | null | undefined } | null | undefined;
};

/** Returns the requested conversion for a date range. `null` if no currency was requested. */
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
