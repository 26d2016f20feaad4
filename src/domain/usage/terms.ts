// Effective terms of usage, seat, and quota features. They come from the plan or an add-on and depend on the
// state of the subscription.

import type { Catalog, FeatureRow, PlanRow } from '../pricing/catalog.ts';
import { isCustom, type PlanPool, type Pool, planPool, poolOf, scaleOf } from '../pricing/pools.ts';
import { exchangeRateAt } from '../pricing/resolve.ts';
import { type FeatureTerms, heldTerms, inPlace } from '../pricing/terms.ts';
import { firstUnitPrice, wholeUnitPrice } from '../rates/held.ts';
import type { AddonActivationRow, SubscriptionRow } from '../rows/rows.ts';
import { activationFor, addonById, termsByAddon } from './addon-terms.ts';
import { type MeterTerms, meterAt, type PricedTerms, ratesPerUnit, withMeter } from './metered-terms.ts';
import {
  type BaseAccess,
  baseAccessOf,
  type GrantView,
  grantedTerms,
  hasPlanGrant,
  widened,
  withoutGrant,
} from './plan-grant-terms.ts';

/** Pool on which usage of a feature draws. */
export type PoolTerms = {
  readonly pool: Pool;
  /** Number of pool units in one unit of the asset. */
  readonly scale: bigint;
  /** Number of decimals of a custom unit. 0 for money. */
  readonly decimals: number;
  /** True if usage that exceeds the pool is accepted, and no free plan, trial, or plan grant forbids it (CON-3, PRM-143). */
  readonly canOverdraw: boolean;
};

/** Terms of a feature, with its settlement and the subscription's restrictions. */
export type UsageTerms = FeatureTerms & {
  /** `null` if the units are invoiced. */
  readonly pool: PoolTerms | null;
  /** Lowercase currency code of the subscription, in which `rates` are stated unless they're in credits. */
  readonly currency: string;
  /**
   * Exchange rate of the plan for the currency, in hundred-millionths. `null` if there's no rate, or for US dollars.
   */
  readonly exchangeRateE8: bigint | null;
  /** True if the terms allow overage and no free plan, trial, or plan grant disables it (CON-3). */
  readonly allowsOverage: boolean;
  /** True if additional units are sold but have no price in the subscription's currency (CAT-28). */
  readonly isPriceMissing: boolean;
  /** Meter of the feature. `null` if the feature counts whole units. Otherwise `includedAmount` and `rates` are in counted units. */
  readonly meter: MeterTerms | null;
};

/** Returns the price of the first additional unit at rate scale (10,000 = 1.00). `null` if no price was set. */
export function unitPriceOf(terms: PricedTerms): bigint | null {
  const rates = ratesPerUnit(terms);
  return rates === null ? null : firstUnitPrice(rates);
}

/**
 * Returns the credits for the first unit as a whole number, at least 1. 0 if units cost nothing. The rates must be in
 * credits.
 */
export function wholeUnitPriceOf(terms: PricedTerms): bigint {
  const rates = ratesPerUnit(terms);
  return rates === null ? 0n : wholeUnitPrice(rates);
}

/** Data that can disable overage even if the terms allow it (CON-3). */
export type OverageDetails = {
  readonly plan: Pick<PlanRow, 'isFree' | 'blockOnExhaustion' | 'consumptionModel' | 'pools'>;
  readonly subscription: Pick<SubscriptionRow, 'seq' | 'status' | 'currency' | 'marketId' | 'termsFrom'> &
    GrantView;
  /** Add-on activations of the subscription. Only active add-ons provide features. */
  readonly addons: readonly AddonActivationRow[];
};

/** Returns true if a free plan, a trial, or a plan grant disables overage and overdrafts (CON-3). */
const isRestricted = ({ plan, subscription }: Pick<OverageDetails, 'plan' | 'subscription'>): boolean =>
  plan.isFree || subscription.status === 'trialing' || hasPlanGrant(subscription);

/** Returns true if a pool of a subscription can become negative (CON-3). A custom unit requires an overdraft rate (PRM-143). */
export function canOverdraw(
  { plan, subscription }: Pick<OverageDetails, 'plan' | 'subscription'>,
  pool: Pool,
): boolean {
  if (isRestricted({ plan, subscription })) return false;
  if (!isCustom(pool)) return !plan.blockOnExhaustion;
  const terms = planPool(plan, pool);
  return terms?.overdraftRate !== undefined && terms.rejects !== true;
}

/** Returns the terms of the pool on which usage of a feature draws. `null` if the units are invoiced. */
function poolTerms(
  details: Pick<OverageDetails, 'plan' | 'subscription'>,
  { settle }: FeatureTerms,
): PoolTerms | null {
  const pool = poolOf({ type: 'usage', settle }, details.plan);
  if (pool === null) return null;
  const terms: Pick<PlanPool, 'pool' | 'decimals'> = planPool(details.plan, pool) ?? { pool };
  const { decimals = 0 } = terms;
  return { pool, scale: scaleOf(terms), decimals, canOverdraw: canOverdraw(details, pool) };
}

/**
 * Returns the effective terms of a feature. `terms` must contain the rates in the subscription's currency.
 */
function usageTerms(
  catalog: Catalog,
  terms: FeatureTerms,
  { plan, subscription }: Omit<HoldingDetails, 'addons'>,
  at: Date,
): Omit<UsageTerms, 'isPriceMissing'> {
  return {
    ...terms,
    pool: poolTerms({ plan, subscription }, terms),
    currency: subscription.currency,
    exchangeRateE8: exchangeRateAt(catalog, plan.id, subscription.currency, at),
    allowsOverage: terms.overageEnabled && !isRestricted({ plan, subscription }),
    meter: null,
  };
}

export type HoldingDetails = OverageDetails & { readonly plan: { readonly id: string } };

/**
 * Returns the effective terms of the feature that an add-on activation provides, even if the activation has
 * ended.
 */
export function addonUsageTerms(
  catalog: Catalog,
  details: Omit<HoldingDetails, 'addons'>,
  activation: AddonActivationRow,
  at: Date,
): UsageTerms {
  const { plan, subscription } = details;
  const { terms, isPriceMissing } = termsByAddon(
    catalog,
    { ...subscription, planId: plan.id },
    activation,
    at,
  );
  const feature = catalog.features.get(addonById(catalog, activation.addonId).featureId);
  const own = { ...usageTerms(catalog, terms, details, at), isPriceMissing };
  return feature === undefined ? own : withMeter(own, meterAt(feature, subscription, at));
}

/** Returns the activations that haven't ended. */
export const activeAddons = (addons: readonly AddonActivationRow[]): AddonActivationRow[] =>
  addons.filter(({ status }) => status === 'active');

/**
 * Returns the effective terms of a subscription's feature, with the rates in the subscription's currency. An active add-on overrides the plan and its plan grant. `null` if no add-on or plan includes the
 * feature (CAT-48, CAT-49, CON-16, SUB-54).
 */
export function heldUsageTerms(
  catalog: Catalog,
  details: HoldingDetails,
  feature: FeatureRow,
  at: Date,
): UsageTerms | null {
  const activation = activationFor(catalog, activeAddons(details.addons), feature.id);
  if (activation !== null) return addonUsageTerms(catalog, details, activation, at);
  const own = planUsageTerms(catalog, details, feature, at);
  const meter = meterAt(feature, details.subscription, at);
  if (!hasPlanGrant(details.subscription)) return own === null ? null : withMeter(own, meter);
  const terms = widened(own, grantedTerms(catalog, details.subscription, feature.id));
  return terms === null
    ? null
    : withMeter({ ...usageTerms(catalog, terms, details, at), isPriceMissing: false }, meter);
}

/** Returns the terms of a feature from the plan, without add-ons. */
function planUsageTerms(
  catalog: Catalog,
  details: Omit<HoldingDetails, 'addons'>,
  feature: FeatureRow,
  at: Date,
): UsageTerms | null {
  const versions = catalog.featureVersions.get(details.plan.id)?.get(feature.id) ?? [];
  const { currency, marketId, termsFrom: opened } = details.subscription;
  const termsFrom = opened ?? at;
  const terms = heldTerms(versions, termsFrom, at, details.subscription.seq);
  if (terms === null) return null;
  const [local] = inPlace(catalog, [{ feature, terms }], {
    planId: details.plan.id,
    currency,
    marketId,
    termsFrom,
    at,
    subscriptionSeq: details.subscription.seq,
  });
  if (local === undefined) throw new Error(`The feature ${feature.id} lost its terms.`);
  const isPriceMissing = terms.rates !== null && local.terms.rates === null;
  return { ...usageTerms(catalog, local.terms, details, at), isPriceMissing };
}

/**
 * Feature of a subscription with its effective terms. `base` is the access without the plan grant. `null` if
 * there is no plan grant.
 */
export type HeldUsage = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly base: BaseAccess | null;
};

/**
 * Returns the IDs of all features that the plan or granted plan has ever included, and of all features that
 * the add-ons provide.
 */
export const heldFeatureIds = (
  catalog: Catalog,
  { planId, grantedPlanId }: Pick<SubscriptionRow, 'planId' | 'grantedPlanId'>,
  addons: readonly AddonActivationRow[],
): ReadonlySet<string> =>
  new Set([
    ...(catalog.featureVersions.get(planId)?.keys() ?? []),
    ...(grantedPlanId === null ? [] : (catalog.featureVersions.get(grantedPlanId)?.keys() ?? [])),
    ...addons.map(({ addonId }) => addonById(catalog, addonId).featureId),
  ]);

/** Returns all features of a subscription, including boolean features, sorted by code. */
export function heldUsageFeatures(catalog: Catalog, details: HoldingDetails, at: Date): HeldUsage[] {
  const { grantedPlanId } = details.subscription;
  const without = { ...details, subscription: withoutGrant(details.subscription) };
  return [
    ...heldFeatureIds(catalog, { planId: details.plan.id, grantedPlanId }, activeAddons(details.addons)),
  ]
    .flatMap((featureId): HeldUsage[] => {
      const feature = catalog.features.get(featureId);
      if (feature === undefined)
        throw new Error(`The plan ${details.plan.id} holds the unknown feature ${featureId}.`);
      const terms = heldUsageTerms(catalog, details, feature, at);
      if (terms === null) return [];
      if (grantedPlanId === null) return [{ feature, terms, base: null }];
      const own = heldUsageTerms(catalog, without, feature, at);
      // Without the meter, the included amount is in units.
      return [{ feature, terms, base: baseAccessOf(own === null ? null : withMeter(own, null)) }];
    })
    .sort((a, b) => (a.feature.code < b.feature.code ? -1 : 1));
}
