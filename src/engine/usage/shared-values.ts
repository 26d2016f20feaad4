import type { Tried } from '../../domain/limits/admission.ts';
import { convertedCurrencies } from '../../domain/limits/currencies.ts';
import { isShared, type LimitRow } from '../../domain/limits/limit.ts';
import { sharedGauges } from '../../domain/limits/shared.ts';
import { sharedValues } from '../../domain/limits/shared-values.ts';
import { addDays } from '../../domain/time/period.ts';
import type { Context } from '../../request/context.ts';
import { readConversion } from '../load/fx-rates.ts';
import { type CommonLimits, readCommonLimits } from './limit-templates.ts';
import { readShared } from './shared-gauges.ts';

/** Length of the longest window that opens at a time, in days. */
const longestDays = 32;

/** Returns the currencies of the amounts of limits. */
const listedCurrencies = (limits: readonly LimitRow[]): string[] => [
  ...new Set(limits.flatMap(({ amounts }) => amounts.map(({ currency }) => currency))),
];

/** Returns the current values of limits of the organization and of plans. */
export async function valuesOfShared(ctx: Context, { limits, raises }: CommonLimits): Promise<Tried[]> {
  const now = ctx.clock.now();
  const shared = limits.filter(isShared);
  const planIds = shared.flatMap(({ planId }) => planId ?? []);
  const currencies = listedCurrencies(shared);
  const missing = convertedCurrencies(shared, currencies);
  const [gauges, convert] = await Promise.all([
    readShared(ctx.sql, { names: sharedGauges(shared, planIds, currencies), customerIds: [], now }),
    missing.length === 0
      ? null
      : readConversion(ctx.sql, missing, { from: addDays(now, -longestDays), to: now }),
  ]);
  return sharedValues({ limits, raises, gauges, convert }, currencies, now);
}

/** Reads the current values of all limits of the organization and of plans. */
export const readSharedValues = async (ctx: Context): Promise<Tried[]> =>
  valuesOfShared(ctx, await readCommonLimits(ctx));
