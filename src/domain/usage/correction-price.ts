import { amountOf } from '../lots/account.ts';
import { consume } from '../lots/movements.ts';
import type { Movement } from '../lots/posting.ts';
import { maxOf, minOf } from '../money/money.ts';
import { deduction } from '../rates/price.ts';
import type { Meter } from './admission.ts';
import { priceSoFar, type WindowSoFar, windowOf } from './price-and-cost.ts';
import type { PoolTerms, UsageTerms } from './terms.ts';

/** Effect of a correction on credits or a balance. */
export type Settled = { readonly movement: Movement; readonly taken: bigint; readonly waived: bigint };

/** Returns the difference of the rounded prices of two states of a window, in pool units. 0 if the feature has no price in the currency. */
export function deductionBetween(terms: UsageTerms, before: WindowSoFar, after: WindowSoFar): bigint {
  const [from, to] = [priceSoFar(terms, before), priceSoFar(terms, after)];
  return from === null || to === null || terms.pool === null ? 0n : deduction(from, to, terms.pool.scale);
}

/**
 * Takes the difference of the rounded prices from the lots, or returns it. Waives the part that the lots don't cover, unless
 * the balance can be negative. A returned amount first reduces the amount of earlier waivers.
 */
export function settle(
  terms: UsageTerms,
  { pool, canOverdraw }: PoolTerms,
  before: Meter,
  after: Pick<Meter, 'counter' | 'cells'>,
  waivedBefore: bigint,
): Settled {
  const { account, counter } = before;
  const difference = deductionBetween(terms, windowOf(before), windowOf(after));
  const usable = maxOf(0n, amountOf(account, pool, counter.featureId));
  const waived =
    difference < 0n ? -minOf(-difference, waivedBefore) : canOverdraw ? 0n : maxOf(0n, difference - usable);
  const taken = maxOf(difference - waived, -counter.consumed);
  return { movement: consume(account, pool, taken, counter.featureId), taken, waived };
}
