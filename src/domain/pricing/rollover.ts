// Rollover of a plan's unused credits or balance to later usage windows (PRM-22).

import type { SubscriptionRow } from '../rows/rows.ts';
import { boundary, boundaryNumber, windowInterval } from '../time/period.ts';
import type { Catalog, PlanRow } from './catalog.ts';
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
 * Returns the time until which the unused amount of the window's plan lot can be used. `null` if it never expires, and
 * `undefined` if it doesn't roll over.
 */
export function rolloverEnd(
  { rollover }: Pick<PlanRow, 'rollover'>,
  subscription: Windowed & Pick<SubscriptionRow, 'windowEnd'>,
): Date | null | undefined {
  if (rollover === null || subscription.windowEnd === null) return undefined;
  return rollover.windows === null ? null : laterEnd(subscription, subscription.windowEnd, rollover.windows);
}

/** Rollover at a reset: the end of the new lot, and the maximum sum of all rollover lots in the account's unit. */
export type RolledOver = { readonly expiresAt: Date | null; readonly cap: bigint | null };

/**
 * Returns the rollover at the start of a subscription's usage window, which is the first of the windows to which the
 * amount rolls over. `null` if unused amounts expire. A maximum in US dollars is converted at the plan's exchange rate.
 */
export function rolloverAt(
  catalog: Catalog,
  plan: Pick<PlanRow, 'id' | 'rollover' | 'consumptionModel'>,
  subscription: Windowed & Pick<SubscriptionRow, 'windowEnd' | 'currency'>,
  at: Date,
): RolledOver | null {
  const { rollover } = plan;
  const { windowEnd, currency } = subscription;
  if (rollover === null || windowEnd === null) return null;
  const { windows, cap } = rollover;
  const expiresAt = windows === null ? null : laterEnd(subscription, windowEnd, windows - 1);
  if (cap === null) return { expiresAt, cap: null };
  if (plan.consumptionModel === 'credits' || currency === 'usd') return { expiresAt, cap: BigInt(cap) };
  const rateE8 = exchangeRateAt(catalog, plan.id, currency, at);
  return { expiresAt, cap: rateE8 === null ? null : localRate(BigInt(cap), rateE8) };
}
