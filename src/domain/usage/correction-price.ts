import { amountOf } from '../lots/account.ts';
import { consume } from '../lots/movements.ts';
import type { Movement } from '../lots/posting.ts';
import { maxOf, minOf } from '../money/money.ts';
import { deduction } from '../rates/price.ts';
import type { Meter } from './admission.ts';
import { priceSoFar, windowOf } from './price-and-cost.ts';
import type { PoolTerms, UsageTerms } from './terms.ts';

/** Effect of a correction on credits or a balance. */
export type Settled = { readonly movement: Movement; readonly taken: bigint; readonly waived: bigint };

/**
 * Takes the difference of the rounded prices from the lots, or returns it. Waives the part that the lots don't cover, unless
 * the balance can be negative. A returned amount first reduces the amount of earlier waivers.
 */
export function settle(
  terms: UsageTerms,
  { pool, scale, canOverdraw }: PoolTerms,
  before: Meter,
  after: Pick<Meter, 'counter' | 'cells'>,
  waivedBefore: bigint,
): Settled {
  const { account, counter } = before;
  const [from, to] = [priceSoFar(terms, windowOf(before)), priceSoFar(terms, windowOf(after))];
  const difference = from === null || to === null ? 0n : deduction(from, to, scale);
  const usable = maxOf(0n, amountOf(account, pool, counter.featureId));
  const waived =
    difference < 0n ? -minOf(-difference, waivedBefore) : canOverdraw ? 0n : maxOf(0n, difference - usable);
  const taken = maxOf(difference - waived, -counter.consumed);
  return { movement: consume(account, pool, taken, counter.featureId), taken, waived };
}
