// Rates that replace a rate or a card in a currency or in a market (PRM-110).
import type { FieldProblem } from '../errors/errors.ts';
import { byCurrency, type Card, type Condition, cardOf, isCard, type PriceList } from './card.ts';
import { compareDecimals } from './decimal.ts';
import type { Rate } from './rate.ts';
import { type CardInput, readList } from './read-card.ts';
import type { RateInput } from './read-rate.ts';

/** Rate or card in a market, or in a currency if `marketId` is `null`. */
type ReadOverride = {
  readonly currency: string;
  readonly marketId: string | null;
  readonly list: PriceList;
};

/** Values of an override. The values of its rates may be invalid. */
export type RateOverrideInput = RateInput &
  CardInput & {
    readonly currency: string;
    readonly marketId?: string | null | undefined;
  };

const hasSameBounds = (a: Rate, b: Rate): boolean =>
  a.tiers.length === b.tiers.length &&
  a.tiers.every(({ upTo }, index) => {
    const other = b.tiers[index]?.upTo ?? null;
    return upTo === null || other === null ? upTo === other : compareDecimals(upTo, other) === 0;
  });

const conditionText = (when: Condition): string => JSON.stringify(Object.entries(when).toSorted());

/** Returns true if two cards have the same conditions in the same order, and rates with the same bounds. */
const hasSameCells = (a: Card, b: Card): boolean =>
  a.cells.length === b.cells.length &&
  a.cells.every(({ when, rate }, index) => {
    const other = b.cells[index];
    return (
      other !== undefined &&
      conditionText(when) === conditionText(other.when) &&
      hasSameBounds(rate, other.rate)
    );
  }) &&
  (a.default === null || b.default === null ? a.default === b.default : hasSameBounds(a.default, b.default));

/** Returns the problem of an override whose rates have other conditions or bounds than the base. `null` if the rates fit. */
function fitProblem(base: PriceList, list: PriceList): FieldProblem | null {
  if (hasSameCells(cardOf(base), cardOf(list))) return null;
  return isCard(base) || isCard(list)
    ? { field: 'cells', message: 'must have the same conditions and bounds as the rate' }
    : { field: 'tiers', message: 'must have the same bounds as the rate' };
}

/**
 * Reads the overrides of a rate or card. Each override is complete and has the same conditions and the same bounds of tiers.
 * Returns the overrides sorted by currency, or all problems with their paths below the rate, such as `overrides.0.tiers`.
 * `decimals` is the number of decimals of the meter.
 */
export function readOverrides(
  inputs: readonly RateOverrideInput[],
  base: PriceList,
  decimals: number,
): { readonly overrides: readonly ReadOverride[] } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  const overrides = inputs.flatMap(({ currency, marketId = null, ...input }, index): ReadOverride[] => {
    const add = (field: string, message: string): void => {
      problems.push({ field: `overrides.${index}${field === '' ? '' : `.${field}`}`, message });
    };
    const key = marketId ?? currency;
    if (seen.has(key)) add(marketId === null ? 'currency' : 'marketId', 'can have only one override');
    seen.add(key);
    if (marketId === null && currency === 'usd') add('currency', "can't be usd without a market");
    const read = readList(input, decimals);
    if ('problems' in read) {
      for (const { field, message } of read.problems) add(field, message);
      return [];
    }
    const problem = fitProblem(base, read.list);
    if (problem !== null) add(problem.field, problem.message);
    return [{ currency, marketId, list: read.list }];
  });
  return problems.length > 0 ? { problems } : { overrides: overrides.toSorted(byCurrency) };
}
