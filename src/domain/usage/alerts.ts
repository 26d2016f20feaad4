// Determines which alerts a change to credits, a balance, or a usage total triggers, from the values before
// and after the change (CON-57). Thresholds are inclusive.
import type { EventKind } from '../events/events.ts';
import { type Account, balanceOf, creditsOf } from '../lots/account.ts';
import type { Pool } from '../pricing/feature-cell.ts';
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
 * Returns the alert for a decrease in credits: no credits are left, or at most 10% of the last grant. The
 * alert for low credits is sent only once between two resets.
 */
function creditsAlert(before: Account, after: Account): PoolAlert | null {
  const [was, is] = [creditsOf(before), creditsOf(after)];
  if (was > 0n && is === 0n) return 'credits.depleted';
  const isLow = is > 0n && is * 10n <= before.grantedCredits && was * 10n > before.grantedCredits;
  return isLow && !before.isLowSent ? 'credits.low' : null;
}

/** Returns the alert for a decrease in the balance: nothing is left, or at most 10% of the last refill. */
function balanceAlert(before: Account, after: Account): PoolAlert | null {
  const [was, is] = [balanceOf(before), balanceOf(after)];
  if (was > 0n && is <= 0n) return 'balance.depleted';
  return is > 0n && is * 10n <= before.lastRefillRate && was * 10n > before.lastRefillRate
    ? 'balance.low'
    : null;
}

/** Returns the alert for a decrease in credits or a balance. */
export const poolAlert = (kind: Pool, before: Account, after: Account): PoolAlert | null =>
  kind === 'credits' ? creditsAlert(before, after) : balanceAlert(before, after);

/** Returns the account after an alert was sent. The alert for low credits is recorded, so that it's sent only once. */
export const alertedAccount = (account: Account, alert: PoolAlert | null): Account =>
  alert === 'credits.low' ? { ...account, isLowSent: true } : account;
