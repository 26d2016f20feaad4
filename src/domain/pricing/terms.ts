// Plan feature terms that apply to a subscriber. The version that applied at the start of the period
// determines the terms. Later versions apply if they're better for the customer (CAT-48, CAT-49).

import { maxOf, minOf } from '../money/money.ts';
import {
  type CostDocument,
  type DerivedRate,
  isDerived,
  isFromModels,
  ownList,
  type PriceDocument,
} from '../rates/derived.ts';
import { type HeldRate, heldTogether, storedRate } from '../rates/held.ts';
import type { Catalog, FeatureRateRow, FeatureRow, PlanFeatureVersionRow } from './catalog.ts';
import { isCustom, poolOf } from './pools.ts';

/**
 * Feature terms that apply to a subscriber. `rates` is the price of units above the included amount, or of all units if
 * usage is deducted from a pool. `null` if no price was set.
 */
export type FeatureTerms = {
  readonly enabled: boolean;
  readonly includedAmount: bigint;
  readonly unlimited: boolean;
  readonly overageEnabled: boolean;
  readonly rates: HeldRate | null;
  /** Versions of a rate that is derived from the cost. `null` if `rates` is the price. */
  readonly derived: readonly DerivedRate[] | null;
  /** Cost of the units or tokens for the organization. `null` if no cost was set. */
  readonly cost: CostDocument | null;
  /** `invoice`, or the pool on which usage draws. `null` selects the plan's default (PRM-160). */
  readonly settle: string | null;
};

export type HeldFeature = { readonly feature: FeatureRow; readonly terms: FeatureTerms };

/** Terms of a feature as stored in the plan. */
export type StoredTerms = Omit<FeatureTerms, 'rates' | 'derived' | 'cost'> &
  Pick<PlanFeatureVersionRow, 'rate' | 'costRate'>;

const heldRateOf = (rate: PriceDocument | null): HeldRate | null => {
  const own = ownList(rate);
  return own === null ? null : storedRate(own);
};

export const termsOf = (version: StoredTerms): FeatureTerms => ({
  enabled: version.enabled,
  includedAmount: version.includedAmount,
  unlimited: version.unlimited,
  overageEnabled: version.overageEnabled,
  rates: heldRateOf(version.rate),
  derived: isDerived(version.rate) ? [version.rate] : null,
  cost: version.costRate,
  settle: version.settle,
});

/** Returns true if the price of a feature depends on the AI model of each event. */
export const isPricedByModel = ({ derived, cost }: Pick<FeatureTerms, 'derived' | 'cost'>): boolean =>
  derived !== null && isFromModels(cost);

/** Returns the cost after an edit. The source of a derived price stays the same until the next period. */
function heldCost({ derived, cost }: FeatureTerms, { costRate }: PlanFeatureVersionRow): CostDocument | null {
  if (derived === null) return costRate;
  return costRate !== null && isFromModels(costRate) === isFromModels(cost) ? costRate : cost;
}

/** Returns the versions of a rate after an edit. A rate in another asset applies from the next period. */
function heldRates(held: FeatureTerms, { rate, settle }: PlanFeatureVersionRow): HeldRate | null {
  if (held.derived !== null) return null;
  return settle === held.settle ? heldTogether(held.rates, heldRateOf(rate)) : held.rates;
}

const inFavour = (held: FeatureTerms, version: PlanFeatureVersionRow): FeatureTerms => ({
  enabled: held.enabled || version.enabled,
  includedAmount: maxOf(held.includedAmount, version.includedAmount),
  unlimited: held.unlimited || version.unlimited,
  // Changes to overage and settlement, and from a rate to a derived rate or back, apply from the next period.
  overageEnabled: held.overageEnabled,
  settle: held.settle,
  rates: heldRates(held, version),
  derived: held.derived !== null && isDerived(version.rate) ? [...held.derived, version.rate] : held.derived,
  cost: heldCost(held, version),
});

/**
 * Returns true if a version started after a period that opened at `termsFrom`. If both times are equal, which
 * can happen under a test clock, returns true if the version was written after the subscription.
 * `subscriptionSeq` is `null` if the subscription doesn't exist yet.
 */
export const beganAfter = (
  version: { readonly validFrom: Date; readonly seq: bigint },
  termsFrom: Date,
  subscriptionSeq: bigint | null,
): boolean =>
  version.validFrom > termsFrom ||
  (subscriptionSeq !== null &&
    version.seq > subscriptionSeq &&
    version.validFrom.getTime() === termsFrom.getTime());

/**
 * Returns the terms of a feature at `at` for a subscriber whose period opened at `termsFrom`. Versions that start
 * exactly at these times are included. `null` if the subscriber doesn't have the feature. A removed feature remains
 * until the next period. A new feature applies immediately. The versions must be sorted.
 */
export function heldTerms(
  versions: readonly PlanFeatureVersionRow[],
  termsFrom: Date,
  at: Date,
  subscriptionSeq: bigint | null = null,
): FeatureTerms | null {
  const isLater = (version: PlanFeatureVersionRow): boolean =>
    beganAfter(version, termsFrom, subscriptionSeq);
  const opening = versions.findLast((version) => !isLater(version));
  let held = opening?.attached === true ? termsOf(opening) : null;
  for (const version of versions) {
    if (!isLater(version) || version.validFrom > at || !version.attached) continue;
    held = held === null ? termsOf(version) : inFavour(held, version);
  }
  return held;
}

/**
 * Returns the terms of a feature in a release of its plan. Ignores versions with a higher `seq` than the release.
 * `null` if the release doesn't include the feature. The versions must be sorted.
 */
export function releasedTerms(
  versions: readonly PlanFeatureVersionRow[],
  releaseSeq: bigint,
): FeatureTerms | null {
  const released = versions.findLast(({ seq }) => seq <= releaseSeq);
  return released?.attached === true ? termsOf(released) : null;
}

/**
 * Returns all features of a plan at `at` for a subscriber whose period opened at `termsFrom`, sorted by code.
 */
export function heldFeatures(catalog: Catalog, planId: string, termsFrom: Date, at: Date): HeldFeature[] {
  const held: HeldFeature[] = [];
  for (const [featureId, versions] of catalog.featureVersions.get(planId) ?? []) {
    const feature = catalog.features.get(featureId);
    if (feature === undefined) throw new Error(`The plan ${planId} holds the unknown feature ${featureId}.`);
    const terms = heldTerms(versions, termsFrom, at);
    if (terms !== null) held.push({ feature, terms });
  }
  return held.sort((a, b) => (a.feature.code < b.feature.code ? -1 : 1));
}

/** Plan and period whose rates apply, and the currency and market of the customer. */
type RatePlace = {
  readonly planId: string;
  readonly currency: string;
  readonly marketId: string | null;
  readonly termsFrom: Date;
  readonly at: Date;
};

/**
 * Returns the rate of a plan's feature in a market and currency for a subscriber whose period opened at `termsFrom`: all
 * versions that have applied since that time (CAT-49, CAT-50). At each time, the rate of the market takes precedence over
 * the rate of the currency, and the latter over `base` (PRM-110). `null` if the feature has no price (CAT-28).
 */
function heldRate(
  rates: readonly FeatureRateRow[],
  base: HeldRate | null,
  { marketId, termsFrom, at }: RatePlace,
): HeldRate | null {
  const isValid = ({ validFrom, validTo }: FeatureRateRow, time: Date): boolean =>
    validFrom <= time && (validTo === null || time < validTo);
  const inForce = (scope: string | null): FeatureRateRow[] =>
    rates.filter(
      (rate) =>
        rate.marketId === scope &&
        (isValid(rate, termsFrom) || (rate.validFrom > termsFrom && rate.validFrom <= at)),
    );
  const own = marketId === null ? [] : inForce(marketId);
  const ends = own.flatMap(({ validTo }) =>
    validTo !== null && validTo > termsFrom && validTo <= at ? [validTo] : [],
  );
  // The rates of the currency apply at the times at which the market has no rate.
  const isCovered = [termsFrom, ...ends].every((time) => own.some((rate) => isValid(rate, time)));
  const others = isCovered ? [] : inForce(null);
  const held = [...others, ...own]
    .map(({ rate }) => storedRate(rate))
    .reduce<HeldRate | null>(heldTogether, null);
  return isCovered ? held : heldTogether(base, held);
}

/**
 * Replaces the rates of features with the rates in a market and currency. A rate is `null` if the feature has no price in
 * the currency or isn't sold per unit. Rates in custom units are the same everywhere (PRM-110). `planId`, `termsFrom` and `at`
 * must be those for which `held` was determined.
 */
export function inPlace(catalog: Catalog, held: readonly HeldFeature[], place: RatePlace): HeldFeature[] {
  const { planId, currency, marketId } = place;
  if (currency === 'usd' && marketId === null) return [...held];
  const rates = Map.groupBy(
    (catalog.featureRates.get(planId) ?? []).filter((rate) => rate.currency === currency),
    (rate) => rate.featureId,
  );
  const plan = catalog.plans.get(planId);
  return held.map(({ feature, terms }) => {
    const pool = plan === undefined ? null : poolOf({ type: feature.type, settle: terms.settle }, plan);
    if (terms.rates === null || isCustom(pool)) return { feature, terms };
    const base = currency === 'usd' ? terms.rates : null;
    return { feature, terms: { ...terms, rates: heldRate(rates.get(feature.id) ?? [], base, place) } };
  });
}

/** Returns the units above the included amount. 0 if the feature is unlimited. */
export const excessOf = (terms: FeatureTerms, count: bigint): bigint =>
  terms.unlimited ? 0n : maxOf(0n, count - terms.includedAmount);

/**
 * Limits a number of units to the included amount if overage isn't allowed. Doesn't limit unlimited features
 * (CON-52).
 */
export const allowedCount = (terms: FeatureTerms, count: bigint): bigint =>
  terms.unlimited || terms.overageEnabled ? count : minOf(count, terms.includedAmount);
