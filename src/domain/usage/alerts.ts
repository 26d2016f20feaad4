// Determines which alerts a change to credits, a balance, or a usage total triggers, from the values before
// and after the change (CON-57). Thresholds are inclusive.
import type { EventKind } from '../events/events.ts';
import { type Account, amountOf, amountsIn, balanceOf, withAmounts } from '../lots/account.ts';
import { isCustom, moneyPool, type Pool } from '../pricing/pools.ts';
import type { AlertLevel } from '../rows/usage-rows.ts';
import type { UsageTerms } from './terms.ts';

/** Alerts for credits, a balance, or a total that is almost or completely used. */
export type ConsumptionAlert = Extract<
  EventKind,
  | 'quota.threshold_reached'
  | 'quota.exceeded'
  | 'credits.low'
  | 'credits.depleted'
  | 'balance.low'
  | 'balance.depleted'
>;

/** Alerts for credits or a balance. All other alerts concern the units of a feature. */
export type PoolAlert = Extract<
  ConsumptionAlert,
  'credits.low' | 'credits.depleted' | 'balance.low' | 'balance.depleted'
>;

const reaches = (before: bigint, after: bigint, included: bigint): boolean =>
  before * 10n < included * 8n && after * 10n >= included * 8n;

/**
 * Returns the alert level of a metered feature after its total changes. The level never decreases within a
 * window, so each level triggers one alert. If a change exceeds both thresholds, only the higher one triggers
 * an alert. Features without a limit have no alerts.
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

/** Returns the event for a newly reached alert level. `null` if the level didn't change. */
export function usageAlert(before: AlertLevel, after: AlertLevel): ConsumptionAlert | null {
  if (after === before) return null;
  return after === 2 ? 'quota.exceeded' : 'quota.threshold_reached';
}

/**
 * Returns 10% of an amount, rounded down. Alerts for low credits or a low balance use it as their threshold.
 */
export const lowBound = (amount: bigint): bigint => amount / 10n;

/**
 * Returns the alert for a decrease in a custom unit: nothing is left, or at most 10% of the last grant. The alert for a low
 * amount is sent only once between two resets.
 */
function unitsAlert(pool: Pool, before: Account, after: Account): PoolAlert | null {
  const [was, is] = [amountOf(before, pool), amountOf(after, pool)];
  if (was > 0n && is <= 0n) return 'credits.depleted';
  const { granted, isLowSent } = amountsIn(before, pool);
  const isLow = is > 0n && is * 10n <= granted && was * 10n > granted;
  return isLow && !isLowSent ? 'credits.low' : null;
}

/** Returns the alert for a decrease in the balance: nothing is left, or at most 10% of the last refill. */
function balanceAlert(before: Account, after: Account): PoolAlert | null {
  const [was, is] = [balanceOf(before), balanceOf(after)];
  if (was > 0n && is <= 0n) return 'balance.depleted';
  const { lastRefill } = amountsIn(before, moneyPool);
  return is > 0n && is * 10n <= lastRefill && was * 10n > lastRefill ? 'balance.low' : null;
}

/** Returns the alert for a decrease in a pool. */
export const poolAlert = (pool: Pool, before: Account, after: Account): PoolAlert | null =>
  isCustom(pool) ? unitsAlert(pool, before, after) : balanceAlert(before, after);

/** Returns the account after an alert was sent. The alert for low credits is recorded, so that it's sent only once. */
export const alertedAccount = (account: Account, pool: Pool, alert: PoolAlert | null): Account =>
  alert === 'credits.low' ? withAmounts(account, pool, { isLowSent: true }) : account;
