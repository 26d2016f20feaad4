// Effect of a correction on the lots of a pool, in open and ended usage windows (PRM-127, PRM-129).
import { type Account, amountOf } from '../lots/account.ts';
import { consume } from '../lots/movements.ts';
import type { Movement } from '../lots/posting.ts';
import { maxOf, minOf } from '../money/money.ts';
import type { Pool } from '../pricing/pools.ts';
import { deduction } from '../rates/price.ts';
import type { Meter } from './admission.ts';
import { priceSoFar, type WindowSoFar, windowOf } from './price-and-cost.ts';
import type { PoolTerms, UsageTerms } from './terms.ts';

/** Effect of a correction on credits or a balance. */
export type Settled = { readonly movement: Movement; readonly taken: bigint; readonly waived: bigint };

/** Change of a deduction in pool units, and of the waived amount as long as the lots aren't considered. */
export type Change = { readonly amount: bigint; readonly waived: bigint };

/**
 * Returns the difference of the rounded prices of two states of a window. A lower price first reduces the amount of earlier
 * waivers. 0 if the feature has no price in the currency.
 */
export function changeOfPrice(
  terms: UsageTerms,
  before: WindowSoFar,
  after: WindowSoFar,
  waivedBefore: bigint,
): Change {
  const [from, to] = [priceSoFar(terms, before), priceSoFar(terms, after)];
  const { pool } = terms;
  const difference = from === null || to === null || pool === null ? 0n : deduction(from, to, pool.scale);
  const waived = minOf(0n, maxOf(difference, -waivedBefore));
  return { amount: difference - waived, waived };
}

/** Takes an amount from the usable lots. Waives the part that they don't cover, unless the pool can be overdrawn. */
export function take(
  account: Account,
  { pool, canOverdraw }: { readonly pool: Pool; readonly canOverdraw: boolean },
  featureId: string,
  amount: bigint,
): Settled {
  const taken = canOverdraw ? amount : minOf(amount, maxOf(0n, amountOf(account, pool, featureId)));
  return { movement: consume(account, pool, taken, featureId), taken, waived: amount - taken };
}

/** Takes the difference of the rounded prices of an open window from the lots, or returns it. */
export function settle(
  terms: UsageTerms,
  pool: PoolTerms,
  before: Meter,
  after: Pick<Meter, 'counter' | 'cells'>,
  waivedBefore: bigint,
): Settled {
  const { account, counter } = before;
  const { amount, waived } = changeOfPrice(terms, windowOf(before), windowOf(after), waivedBefore);
  if (amount > 0n) return take(account, pool, counter.featureId, amount);
  const taken = maxOf(amount, -counter.consumed);
  return { movement: consume(account, pool.pool, taken, counter.featureId), taken, waived };
}
