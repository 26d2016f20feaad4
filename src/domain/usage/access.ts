// What a customer may do with a feature now, and how much of it is used (CON-50, CON-53, CON-55). Units and
// credits are counts, unit prices are at rate scale, what was spent is in minor units.

import type { FeatureType, SubscriptionStatus } from '../enums.ts';
import { maxOf, rateToMinor } from '../money.ts';
import type { Period } from '../period.ts';
import { excessOf } from '../pricing/terms.ts';
import type { Meter } from './admission.ts';
import { checkUnits } from './check.ts';
import { addSeats, futureCount, highWaterMark, setQuota } from './counts.ts';
import { creditsOf } from './pools.ts';
import type { FeatureCountRow } from './rows.ts';
import type { HeldUsage, UsageTerms } from './terms.ts';

/** A feature held by a subscription that gives access, with what decides about it. */
export type AccessDetails = HeldUsage & {
  readonly subscription: { readonly status: SubscriptionStatus };
  /** The consumption window, after which totals and pools begin again (GLO-21). */
  readonly window: Period;
  /** The span seats and quota are billed for; the window where a plan has no other. */
  readonly period: Period;
  /** The pools and the total of the open window. */
  readonly meter: Meter;
  /** Seats or quota the customer holds; at 0 for other features. */
  readonly count: FeatureCountRow;
};

/** A price of one unit; `amount` is at the scale said. */
export type UnitPrice = { readonly amount: bigint; readonly currency: string; readonly scale: 10_000 };

/**
 * How much of a limit is used. `remainingUnits` is absent without a limit, `unitPrice` where no unit beyond
 * it is sold.
 */
export type CountedUse = {
  readonly period: Period;
  readonly unitsUsed: bigint;
  readonly includedUnits: bigint;
  readonly remainingUnits?: bigint;
  readonly unlimited: boolean;
  readonly overage: { readonly enabled: boolean; readonly units: bigint; readonly unitPrice?: UnitPrice };
};

/** What a usage feature draws on, by how the plan is paid for. */
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
      /** Minor units of the currency, rounded. */
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

/** One feature as responses show it. A field that does not apply is absent. */
export type FeatureAccess = Named &
  (
    | { readonly type: 'boolean'; readonly enabled: boolean }
    | { readonly type: 'usage'; readonly consumption: ConsumptionUse }
    | { readonly type: 'seats'; readonly usage: CountedUse }
    | { readonly type: 'quota'; readonly usage: CountedUse & { readonly billedUnits: bigint } }
  );

const priceOf = ({ unitPriceRate, currency }: UsageTerms): { unitPrice?: UnitPrice } =>
  unitPriceRate === null ? {} : { unitPrice: { amount: unitPriceRate, currency, scale: 10_000 } };

const countedUse = (terms: UsageTerms, used: bigint, period: Period): CountedUse => ({
  period,
  unitsUsed: used,
  includedUnits: terms.includedAmount,
  ...(terms.unlimited ? {} : { remainingUnits: maxOf(0n, terms.includedAmount - used) }),
  unlimited: terms.unlimited,
  overage: {
    enabled: terms.allowsOverage,
    units: excessOf(terms, used),
    ...(terms.overageEnabled ? priceOf(terms) : {}),
  },
});

function consumptionUse({ terms, meter: { account, counter }, window }: AccessDetails): ConsumptionUse {
  const used = { period: window, unitsUsed: counter.total };
  if (terms.model === 'metered') return { model: 'metered', ...countedUse(terms, counter.total, window) };
  if (terms.model === 'credits') {
    const perUnit = terms.creditsPerUnit ?? 0n;
    const pool = creditsOf(account);
    // A unit that takes nothing is never short of credits: the pool stands for it.
    const availableUnits = perUnit === 0n ? pool : pool / perUnit;
    return {
      model: 'credits',
      ...used,
      creditsPerUnit: perUnit,
      creditsConsumed: counter.consumed,
      availableUnits,
    };
  }
  const spent = { amount: rateToMinor(counter.consumed, terms.currency), currency: terms.currency };
  if (terms.pricingMode === 'ai_model') return { model: 'balance', ...used, spent };
  const price = terms.unitPriceRate ?? 0n;
  const available = price === 0n ? {} : { availableUnits: maxOf(0n, account.balanceRate) / price };
  return { model: 'balance', ...used, spent, ...available, ...priceOf(terms) };
}

/** Whether a count leaves room below its limit, or units beyond it are sold. */
const hasRoom = (terms: UsageTerms, used: bigint): boolean =>
  terms.unlimited || used < terms.includedAmount || terms.allowsOverage;

/** Whether a unit that makes a count this high is billed. */
const isSold = (terms: UsageTerms, used: bigint): boolean =>
  !terms.unlimited && terms.allowsOverage && used > terms.includedAmount && (terms.unitPriceRate ?? 0n) > 0n;

/**
 * Whether one unit more could be used now, whether it would cost anything, and the code of the rejection
 * otherwise.
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
  if (terms.model === 'metered') return allowedWith(isSold(terms, meter.counter.total + 1n));
  if (terms.model === 'credits') return allowedWith((terms.creditsPerUnit ?? 0n) > 0n);
  return allowedWith(terms.pricingMode === 'ai_model' || (terms.unitPriceRate ?? 0n) > 0n);
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
 * Whether one unit more could be used now: a usage event of 1, one more seat or unit of quota, or the feature
 * at all (CON-55).
 */
export const canUse = (details: AccessDetails): CanUse =>
  details.terms.enabled ? tries[details.feature.type](details) : rejectedWith('feature_disabled');

/** What a customer may do with a feature and how much is used (CON-53). Reserves nothing. */
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
