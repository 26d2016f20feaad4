// What a subscriber holds of a plan's features: the version in force when the period opened, and every later
// one as far as it is better for the customer (CAT-48, CAT-49).

import type { PricingMode } from '../enums.ts';
import { maxOf, minOf } from '../money.ts';
import type { Catalog, FeatureRateRow, FeatureRow, PlanFeatureVersionRow } from './catalog.ts';

/** Terms of one feature for one subscriber; unit prices at rate scale. */
export type FeatureTerms = {
  readonly enabled: boolean;
  readonly includedAmount: bigint;
  readonly unlimited: boolean;
  readonly overageEnabled: boolean;
  readonly unitPriceRate: bigint | null;
  readonly creditsPerUnit: bigint | null;
  readonly pricingMode: PricingMode;
  readonly marginBps: number | null;
};

/** A feature with the terms it is held at. */
export type HeldFeature = { readonly feature: FeatureRow; readonly terms: FeatureTerms };

const termsOf = (version: PlanFeatureVersionRow): FeatureTerms => ({
  enabled: version.enabled,
  includedAmount: version.includedAmount,
  unlimited: version.unlimited,
  overageEnabled: version.overageEnabled,
  unitPriceRate: version.unitPriceRate,
  creditsPerUnit: version.creditsPerUnit,
  pricingMode: version.pricingMode,
  marginBps: version.marginBps,
});

/** The smaller of two values, or the one there is; null when neither is. */
export const lower = <T extends bigint | number>(a: T | null, b: T | null): T | null =>
  a === null ? b : b === null || a <= b ? a : b;

const inFavour = (held: FeatureTerms, version: PlanFeatureVersionRow): FeatureTerms => ({
  enabled: held.enabled || version.enabled,
  includedAmount: maxOf(held.includedAmount, version.includedAmount),
  unlimited: held.unlimited || version.unlimited,
  // Switching overage on or off waits for the next period, and so does another way of pricing.
  overageEnabled: held.overageEnabled,
  unitPriceRate: lower(held.unitPriceRate, version.unitPriceRate),
  creditsPerUnit: lower(held.creditsPerUnit, version.creditsPerUnit),
  pricingMode: held.pricingMode,
  marginBps: lower(held.marginBps, version.marginBps),
});

/**
 * Whether a version began after a period that opened at `termsFrom`. A clock that stands still lets a period
 * open and the catalog change at one instant: then the version came later if it was written after the
 * subscription, which `subscriptionSeq` tells. Null for a subscription that does not exist
 * yet.
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
 * The terms of one feature held at `at` by a subscriber whose period opened at `termsFrom`, both inclusive;
 * null while the feature is not held. A detachment is not felt before the next period; a feature attached
 * meanwhile is held from then on. Versions are ordered.
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
 * The terms of one feature in the release of its plan that ends with the version with this seq, whatever came
 * after; null where the release lacks the feature. Versions are ordered.
 */
export function releasedTerms(
  versions: readonly PlanFeatureVersionRow[],
  releaseSeq: bigint,
): FeatureTerms | null {
  const released = versions.findLast(({ seq }) => seq <= releaseSeq);
  return released?.attached === true ? termsOf(released) : null;
}

/**
 * All features of a plan held at `at` by a subscriber whose period opened at `termsFrom`, in order of their
 * codes.
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

/**
 * The unit price of a plan's feature in a currency, at rate scale, as held at `at` by a subscriber whose
 * period opened at `termsFrom`: the lowest that was in force at the opening or began since (CAT-49, CAT-50).
 * Null when there is none in the currency (CAT-28).
 */
function heldRate(rates: readonly FeatureRateRow[], termsFrom: Date, at: Date): bigint | null {
  const held = rates.filter(({ validFrom, validTo }) =>
    validFrom <= termsFrom ? validTo === null || termsFrom < validTo : validFrom <= at,
  );
  return held.map(({ unitPriceRate }) => unitPriceRate).reduce<bigint | null>(lower, null);
}

/**
 * Held features with their unit prices in a currency instead of USD; null for those that have none in it, and
 * where none was sold. The arguments are those the features were found with.
 */
export function inCurrency(
  catalog: Catalog,
  held: readonly HeldFeature[],
  {
    planId,
    currency,
    termsFrom,
    at,
  }: { readonly planId: string; readonly currency: string; readonly termsFrom: Date; readonly at: Date },
): HeldFeature[] {
  if (currency === 'usd') return [...held];
  const rates = Map.groupBy(
    (catalog.featureRates.get(planId) ?? []).filter((rate) => rate.currency === currency),
    (rate) => rate.featureId,
  );
  return held.map(({ feature, terms }) => ({
    feature,
    terms: {
      ...terms,
      unitPriceRate:
        terms.unitPriceRate === null ? null : heldRate(rates.get(feature.id) ?? [], termsFrom, at),
    },
  }));
}

/** Units of a count beyond what is included and free of charge; 0 when unlimited. */
export const excessOf = (terms: FeatureTerms, count: bigint): bigint =>
  terms.unlimited ? 0n : maxOf(0n, count - terms.includedAmount);

/**
 * The smaller of the count and what may be used without overage; equal to the count when overage is on or the
 * feature unlimited (CON-52).
 */
export const allowedCount = (terms: FeatureTerms, count: bigint): bigint =>
  terms.unlimited || terms.overageEnabled ? count : minOf(count, terms.includedAmount);
