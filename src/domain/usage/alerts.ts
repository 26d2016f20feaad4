// Which alert a movement causes (CON-57): a function of the values before and after it. Limits include their
// bound.
import type { EventKind } from '../events.ts';
import type { AlertLevel, ConsumptionAccountRow } from './rows.ts';
import type { UsageTerms } from './terms.ts';

/** Alerts about a pool or a total that runs out. */
export type ConsumptionAlert = Extract<
  EventKind,
  | 'quota.threshold_reached'
  | 'quota.exceeded'
  | 'credits.low'
  | 'credits.depleted'
  | 'balance.low'
  | 'balance.depleted'
>;

/** Those of a pool; the others are of a feature's units. */
export type PoolAlert = Extract<
  ConsumptionAlert,
  'credits.low' | 'credits.depleted' | 'balance.low' | 'balance.depleted'
>;

const reaches = (before: bigint, after: bigint, included: bigint): boolean =>
  before * 10n < included * 8n && after * 10n >= included * 8n;

/**
 * The alert level of a metered feature after its total moved, at least the level before: each level emits
 * once a window, and a jump over both emits only the stronger. Features without a limit emit nothing.
 */
export function usageAlertLevel(
  terms: UsageTerms,
  before: bigint,
  after: bigint,
  level: AlertLevel,
): AlertLevel {
  const included = terms.includedAmount;
  if (terms.unlimited || level === 2) return level;
  const isExceeded = terms.allowsOverage
    ? before <= included && after > included
    : before < included && after >= included;
  if (isExceeded) return 2;
  return level === 0 && reaches(before, after, included) && after <= included ? 1 : level;
}

/** The event of a level that was reached now; null when it was reached before. */
export function usageAlert(before: AlertLevel, after: AlertLevel): ConsumptionAlert | null {
  if (after === before) return null;
  return after === 2 ? 'quota.exceeded' : 'quota.threshold_reached';
}

/** A tenth, floored: the bound of the low alerts. */
export const lowBound = (amount: bigint): bigint => amount / 10n;

const poolOf = (account: ConsumptionAccountRow): bigint => account.planCredits + account.purchasedCredits;

/**
 * The alert of a movement that lowers the credits: all used up, or a tenth of the last grant left. The latter
 * once between two resets.
 */
export function creditsAlert(before: ConsumptionAccountRow, after: ConsumptionAccountRow): PoolAlert | null {
  const [was, is] = [poolOf(before), poolOf(after)];
  if (was > 0n && is === 0n) return 'credits.depleted';
  const isLow = is > 0n && is * 10n <= before.grantedCredits && was * 10n > before.grantedCredits;
  return isLow && !before.isLowSent ? 'credits.low' : null;
}

/** The alert of a movement that lowers the balance: nothing left, or a tenth of the last refill. */
export function balanceAlert(before: ConsumptionAccountRow, after: ConsumptionAccountRow): PoolAlert | null {
  const [was, is] = [before.balanceRate, after.balanceRate];
  if (was > 0n && is <= 0n) return 'balance.depleted';
  return is > 0n && is * 10n <= before.lastRefillRate && was * 10n > before.lastRefillRate
    ? 'balance.low'
    : null;
}
