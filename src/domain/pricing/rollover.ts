// Rollover of unused amounts of a plan's pools to later usage windows (PRM-22).

import type { SubscriptionRow } from '../rows/rows.ts';
import { boundary, boundaryNumber, windowInterval } from '../time/period.ts';
import type { Catalog } from './catalog.ts';
import { isCustom, type PlanPool, type Pool, type Pooled, poolsOf } from './pools.ts';
import { localRate } from './regional.ts';
import { exchangeRateAt } from './resolve.ts';

/** Largest number of windows to which an amount can roll over. */
export const maxRolloverWindows = 12;

type Windowed = Pick<SubscriptionRow, 'billingInterval'> & { readonly anchorDate?: Date | null };

/**
 * Returns the end of the `count`th usage window after the window that ends at `windowEnd`. Uses the end of the window
 * as the anchor if the anchor isn't known.
 */
function laterEnd({ billingInterval, anchorDate }: Windowed, windowEnd: Date, count: number): Date {
  const interval = windowInterval(billingInterval);
  const anchor = anchorDate ?? windowEnd;
  return boundary(anchor, interval, boundaryNumber(anchor, interval, windowEnd) + count);
}

/**
 * Returns the times until which the unused amounts of the window's plan lots can be used, by pool. `null` if they never
 * expire. Contains only pools with a rollover.
 */
export function rolloverEnds(
  plan: Pooled,
  subscription: Windowed & Pick<SubscriptionRow, 'windowEnd'>,
): ReadonlyMap<Pool, Date | null> {
  const { windowEnd } = subscription;
  const ends = new Map<Pool, Date | null>();
  if (windowEnd === null) return ends;
  for (const { pool, rollover } of poolsOf(plan)) {
    if (rollover === null) continue;
    ends.set(pool, rollover.windows === null ? null : laterEnd(subscription, windowEnd, rollover.windows));
  }
  return ends;
}

/** Rollover at a reset: the end of the new lot, and the maximum sum of all rollover lots in pool units. */
export type RolledOver = { readonly expiresAt: Date | null; readonly cap: bigint | null };

/**
 * Returns the rollover of a pool at the start of a subscription's usage window, which is the first of the windows to which
 * the amount rolls over. `null` if unused amounts expire. A maximum in US dollars is converted at the plan's exchange rate.
 */
export function rolloverAt(
  catalog: Catalog,
  planId: string,
  { pool, rollover }: PlanPool,
  subscription: Windowed & Pick<SubscriptionRow, 'windowEnd' | 'currency'>,
  at: Date,
): RolledOver | null {
  const { windowEnd, currency } = subscription;
  if (rollover === null || windowEnd === null) return null;
  const { windows, cap } = rollover;
  const expiresAt = windows === null ? null : laterEnd(subscription, windowEnd, windows - 1);
  if (cap === null) return { expiresAt, cap: null };
  if (isCustom(pool) || currency === 'usd') return { expiresAt, cap: BigInt(cap) };
  const rateE8 = exchangeRateAt(catalog, planId, currency, at);
  return { expiresAt, cap: rateE8 === null ? null : localRate(BigInt(cap), rateE8) };
}
