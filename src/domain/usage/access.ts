// Access to a customer's feature and its current usage (CON-50, CON-53, CON-55). Units and credits are
// counts, unit prices are at rate scale (10,000 = 1.00 in the currency), and spent amounts are in minor
// units.

import { amountOf } from '../lots/account.ts';
import { maxOf, rateToMinor } from '../money/money.ts';
import { isCustom } from '../pricing/pools.ts';
import { excessOf } from '../pricing/terms.ts';
import { isUnitCharged, unitsCovered } from '../rates/held.ts';
import type { SubscriptionStatus } from '../rows/enums.ts';
import type { FeatureCountRow } from '../rows/usage-rows.ts';
import type { Period } from '../time/period.ts';
import type { Meter } from './admission.ts';
import { checkUnits } from './check.ts';
import { futureCount, highWaterMark } from './counts.ts';
import { heldUnits } from './held-usage.ts';
import { shownUnits, unitScale } from './metered-terms.ts';
import { canChangeLevel } from './system-limits.ts';
import { type HeldUsage, type UsageTerms, unitPriceOf, wholeUnitPriceOf } from './terms.ts';
import { excessUnits, freeUnits, type WindowUse } from './window.ts';

/** Feature of a subscription that gives access, and the data that determines the access. */
export type AccessDetails = HeldUsage & {
  readonly subscription: { readonly status: SubscriptionStatus };
  /** Usage window. Totals, credits, and balance reset at its end (GLO-21). */
  readonly window: Period;
  /** Billing period for seats and quota. Equal to the window if the plan has no billing period. */
  readonly period: Period;
  /** Account of the subscription, and the total for the feature in the current window. */
  readonly meter: Meter;
  /** Number of seats or quota units that the customer has. 0 for other feature types. */
  readonly count: FeatureCountRow;
  /** Error code with which a limit rejects one more unit. Absent or `null` if all limits accept it. */
  readonly limitReason?: string | null;
};

export type UnitPrice = { readonly amount: bigint; readonly currency: string; readonly scale: 10_000 };

/**
 * Usage against a limit. `remainingUnits` is absent if there's no limit. `unitPrice` is absent if additional
 * units aren't sold.
 */
export type CountedUse = {
  readonly period: Period;
  readonly unitsUsed: bigint;
  readonly includedUnits: bigint;
  readonly remainingUnits?: bigint;
  readonly unlimited: boolean;
  readonly overage: { readonly enabled: boolean; readonly units: bigint; readonly unitPrice?: UnitPrice };
};

export type ConsumptionUse =
  | ({ readonly model: 'metered' } & CountedUse)
  | {
      readonly model: 'credits';
      readonly period: Period;
      readonly unitsUsed: bigint;
      readonly creditsPerUnit: bigint;
      readonly creditsConsumed: bigint;
      readonly availableUnits: bigint;
    }
  | {
      readonly model: 'balance';
      readonly period: Period;
      readonly unitsUsed: bigint;
      /** Amount spent, in minor units, rounded. */
      readonly spent: { readonly amount: bigint; readonly currency: string };
      readonly availableUnits?: bigint;
      readonly unitPrice?: UnitPrice;
    };

type Named = {
  readonly code: string;
  readonly name: string;
  readonly unitName: string | null;
  readonly allowed: boolean;
};

/** Feature access in API format. Fields that don't apply are absent. */
export type FeatureAccess = Named &
  (
    | { readonly type: 'boolean'; readonly enabled: boolean }
    | { readonly type: 'usage'; readonly consumption: ConsumptionUse }
    | { readonly type: 'seats'; readonly usage: CountedUse }
    | { readonly type: 'quota'; readonly usage: CountedUse & { readonly billedUnits: bigint } }
  );

function priceOf(terms: UsageTerms): { unitPrice?: UnitPrice } {
  const amount = unitPriceOf(terms);
  return amount === null ? {} : { unitPrice: { amount, currency: terms.currency, scale: 10_000 } };
}

const countedUse = (terms: UsageTerms, used: bigint, period: Period, held = 0n): CountedUse => ({
  period,
  unitsUsed: shownUnits(terms, used),
  includedUnits: shownUnits(terms, terms.includedAmount),
  ...(terms.unlimited
    ? {}
    : { remainingUnits: shownUnits(terms, maxOf(0n, terms.includedAmount - used - held)) }),
  unlimited: terms.unlimited,
  overage: {
    enabled: terms.allowsOverage,
    units: shownUnits(terms, excessOf(terms, used)),
    ...(terms.overageEnabled ? priceOf(terms) : {}),
  },
});

/**
 * Returns the number of units that an amount of a pool covers, and the free units that are left. `null` if it covers any number
 * or the feature has no price.
 */
function unitsAvailable(terms: UsageTerms, use: WindowUse, amount: bigint, scale: bigint): bigint | null {
  if (terms.rates === null || terms.unlimited) return null;
  const covered = unitsCovered(terms.rates, excessUnits(terms, use), amount, scale);
  if (covered === null) return null;
  return (covered + maxOf(0n, freeUnits(terms, use) - use.total)) / unitScale(terms);
}

function consumptionUse({ terms, meter: { account, counter }, window }: AccessDetails): ConsumptionUse {
  const used = { period: window, unitsUsed: shownUnits(terms, counter.total) };
  const { pool } = terms;
  if (pool === null)
    return { model: 'metered', ...countedUse(terms, counter.total, window, heldUnits(counter)) };
  const amount = amountOf(account, pool.pool, counter.featureId);
  if (isCustom(pool.pool)) {
    // If a unit costs nothing, usage never exhausts the credits. The number of available units is then the
    // number of credits.
    const availableUnits = unitsAvailable(terms, counter, amount, pool.scale) ?? amount;
    return {
      model: 'credits',
      ...used,
      creditsPerUnit: wholeUnitPriceOf(terms),
      creditsConsumed: counter.consumed,
      availableUnits,
    };
  }
  const spent = { amount: rateToMinor(counter.consumed, terms.currency), currency: terms.currency };
  if (terms.derived !== null) return { model: 'balance', ...used, spent };
  const covered = unitsAvailable(terms, counter, maxOf(0n, amount), pool.scale);
  const available = covered === null ? {} : { availableUnits: covered };
  return { model: 'balance', ...used, spent, ...available, ...priceOf(terms) };
}

/** Returns true if the last used unit is charged as overage. */
const isSold = ({ unlimited, allowsOverage, includedAmount, rates }: UsageTerms, used: bigint): boolean =>
  !unlimited && allowsOverage && rates !== null && isUnitCharged(rates, used - includedAmount);

/**
 * Result of checking whether one more unit can be used now, and whether the unit would be charged. `reason`
 * is the error code if the unit can't be used.
 */
export type CanUse = {
  readonly allowed: boolean;
  readonly willBeCharged: boolean;
  readonly reason: string | null;
};

/** Returns the number of seats or quota units with one more unit. Seats that will be removed are replaced first. */
export const nextLevel = ({ feature, count }: Pick<AccessDetails, 'feature' | 'count'>): bigint =>
  (feature.type === 'seats' ? futureCount(count) : count.count) + 1n;

/** Returns the error code with which a limit rejects one more unit. `null` if all limits accept it. */
function rejectionOf(details: AccessDetails): string | null {
  const { feature, terms, meter, count, limitReason = null } = details;
  if (!terms.enabled) return 'feature_disabled';
  if (feature.type === 'boolean') return null;
  if (feature.type === 'usage') {
    const result = checkUnits(details, meter, 1n);
    return 'code' in result ? result.code : (result.reason ?? limitReason);
  }
  return canChangeLevel(terms, count.count, nextLevel(details)) ? limitReason : 'included_limit_reached';
}

/** Returns true if one more unit is charged. */
function isCharged(details: AccessDetails): boolean {
  const { feature, terms, meter } = details;
  if (feature.type === 'boolean') return false;
  if (feature.type !== 'usage') return isSold(terms, nextLevel(details));
  const { pool, derived, rates } = terms;
  const total = meter.counter.total + unitScale(terms);
  if (pool === null) return isSold(terms, total);
  const unit = excessUnits(terms, { ...meter.counter, total });
  return derived !== null || (rates !== null && isUnitCharged(rates, unit));
}

/**
 * Returns whether one more unit can be used now: a usage event with the value 1, one more seat, one more unit
 * of quota, or access to a boolean feature (CON-55).
 */
export function canUse(details: AccessDetails): CanUse {
  const reason = rejectionOf(details);
  return { allowed: reason === null, willBeCharged: reason === null && isCharged(details), reason };
}

/** Returns a customer's access to a feature, and the usage of the feature (CON-53). Reserves no units. */
export function featureAccess(details: AccessDetails): FeatureAccess {
  const { feature, terms, count, period, limitReason = null } = details;
  const { code, name, unitName, type } = feature;
  const named = (isAllowed: boolean): Named => ({
    code,
    name,
    unitName,
    allowed: terms.enabled && isAllowed,
  });
  if (type === 'boolean') return { ...named(true), type, enabled: terms.enabled };
  if (type === 'usage')
    return { ...named(rejectionOf(details) === null), type, consumption: consumptionUse(details) };
  const usage = countedUse(terms, count.count, period);
  const counted = named(limitReason === null && canChangeLevel(terms, count.count, count.count + 1n));
  return type === 'seats'
    ? { ...counted, type, usage }
    : { ...counted, type, usage: { ...usage, billedUnits: highWaterMark(count) } };
}
