// Rates that replace a rate in a currency or in a market (PRM-110).
import type { FieldProblem } from '../errors/errors.ts';
import { compareDecimals } from './decimal.ts';
import type { Rate } from './rate.ts';
import { type RateInput, readRate } from './read-rate.ts';

/** Rate in a market, or in a currency if `marketId` is `null`. */
export type RateOverride = {
  readonly currency: string;
  readonly marketId: string | null;
  readonly rate: Rate;
};

/** Values of an override. The values of its rate may be invalid. */
export type RateOverrideInput = RateInput & {
  readonly currency: string;
  readonly marketId?: string | null | undefined;
};

const hasSameBounds = (a: Rate, b: Rate): boolean =>
  a.tiers.length === b.tiers.length &&
  a.tiers.every(({ upTo }, index) => {
    const other = b.tiers[index]?.upTo ?? null;
    return upTo === null || other === null ? upTo === other : compareDecimals(upTo, other) === 0;
  });

/**
 * Reads the overrides of a rate. Each override is a complete rate with the same bounds of tiers. Returns the overrides, or
 * all problems with their paths below the rate, such as `overrides.0.tiers`. `decimals` is the number of decimals of the
 * meter.
 */
export function readOverrides(
  inputs: readonly RateOverrideInput[],
  base: Rate,
  decimals: number,
): { readonly overrides: readonly RateOverride[] } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const overrides = inputs.flatMap(({ currency, marketId = null, ...input }, index): RateOverride[] => {
    const add = (field: string, message: string): void => {
      problems.push({ field: `overrides.${index}${field === '' ? '' : `.${field}`}`, message });
    };
    const key = marketId ?? currency;
    if (seen.has(key)) add(marketId === null ? 'currency' : 'marketId', 'can have only one override');
    seen.add(key);
    if (marketId === null && currency === 'usd') add('currency', "can't be usd without a market");
    const read = readRate(input, { decimals });
    if ('problems' in read) {
      for (const { field, message } of read.problems) add(field, message);
      return [];
    }
    if (!hasSameBounds(base, read.rate)) add('tiers', 'must have the same bounds as the rate');
    return [{ currency, marketId, rate: read.rate }];
  });
  return problems.length > 0 ? { problems } : { overrides };
}
