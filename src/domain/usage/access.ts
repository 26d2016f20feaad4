// Access to a customer's feature and its current usage (CON-50, CON-53, CON-55). Units and credits are
// counts, unit prices are at rate scale (10,000 = 1.00 in the currency), and spent amounts are in minor
// units.

import { amountOf } from '../lots/account.ts';
import { maxOf, rateToMinor } from '../money/money.ts';
import { isCustom } from '../pricing/pools.ts';
import { excessOf } from '../pricing/terms.ts';
import { isUnitCharged, unitsCovered } from '../rates/held.ts';
import type { FeatureType, SubscriptionStatus } from '../rows/enums.ts';
import type { FeatureCountRow } from '../rows/usage-rows.ts';
import type { Period } from '../time/period.ts';
import type { Meter } from './admission.ts';
import { checkUnits } from './check.ts';
import { addSeats, futureCount, highWaterMark, setQuota } from './counts.ts';
import { heldUnits } from './held-usage.ts';
import { shownUnits, unitScale } from './metered-terms.ts';
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

/** Returns true if the count is below its limit or if additional units are sold. */
const hasRoom = (terms: UsageTerms, used: bigint): boolean =>
  terms.unlimited || used < terms.includedAmount || terms.allowsOverage;

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

const rejectedWith = (reason: string | null): CanUse => ({ allowed: false, willBeCharged: false, reason });
const allowedWith = (willBeCharged: boolean): CanUse => ({ allowed: true, willBeCharged, reason: null });

function canConsume(details: AccessDetails): CanUse {
  const { terms, meter } = details;
  const result = checkUnits(details, meter, 1n);
  if ('code' in result) return rejectedWith(result.code);
  if (!result.allowed) return rejectedWith(result.reason);
  if (details.limitReason != null) return rejectedWith(details.limitReason);
  const next = meter.counter.total + unitScale(terms);
  const { pool, derived, rates } = terms;
  if (pool === null) return allowedWith(isSold(terms, next));
  const unit = excessUnits(terms, { ...meter.counter, total: next });
  return allowedWith(derived !== null || (rates !== null && isUnitCharged(rates, unit)));
}

function canAdd({ feature, terms, count }: AccessDetails): CanUse {
  const wanted = feature.type === 'seats' ? futureCount(count) + 1n : count.count + 1n;
  const added =
    feature.type === 'seats'
      ? addSeats(terms, count, 1n, count.updatedAt)
      : setQuota(terms, count, wanted, count.updatedAt);
  return 'code' in added ? rejectedWith(added.code) : allowedWith(isSold(terms, wanted));
}

const tries: { readonly [type in FeatureType]: (details: AccessDetails) => CanUse } = {
  boolean: () => allowedWith(false),
  usage: canConsume,
  seats: canAdd,
  quota: canAdd,
};

/**
 * Returns whether one more unit can be used now: a usage event with the value 1, one more seat, one more unit
 * of quota, or access to a boolean feature (CON-55).
 */
export const canUse = (details: AccessDetails): CanUse =>
  details.terms.enabled ? tries[details.feature.type](details) : rejectedWith('feature_disabled');

/** Returns a customer's access to a feature, and the usage of the feature (CON-53). Reserves no units. */
export function featureAccess(details: AccessDetails): FeatureAccess {
  const { feature, terms, count, period } = details;
  const { code, name, unitName, type } = feature;
  const named = (isAllowed: boolean): Named => ({
    code,
    name,
    unitName,
    allowed: terms.enabled && isAllowed,
  });
  if (type === 'boolean') return { ...named(true), type, enabled: terms.enabled };
  if (type === 'usage')
    return { ...named(canConsume(details).allowed), type, consumption: consumptionUse(details) };
  const usage = countedUse(terms, count.count, period);
  const counted = named(hasRoom(terms, count.count));
  return type === 'seats'
    ? { ...counted, type, usage }
    : { ...counted, type, usage: { ...usage, billedUnits: highWaterMark(count) } };
}
