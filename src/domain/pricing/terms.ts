// Plan feature terms that apply to a subscriber. The version that applied at the start of the period
// determines the terms. Later versions apply if they're better for the customer (CAT-48, CAT-49).

import { maxOf } from '../money/money.ts';
import {
  type CostDocument,
  type DerivedRate,
  isDerived,
  isFromModels,
  ownList,
  type PriceDocument,
} from '../rates/derived.ts';
import { type HeldRate, heldTogether, storedRate } from '../rates/held.ts';
import type { Catalog, FeatureRow, PlanFeatureVersionRow } from './catalog.ts';
import { localRates, type PricedTerms, type RatePlace } from './local-rates.ts';
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
  Pick<PlanFeatureVersionRow, 'rate' | 'overrides' | 'costRate'>;

const heldRateOf = (rate: PriceDocument | null): HeldRate | null => {
  const own = ownList(rate);
  return own === null ? null : storedRate(own);
};

/** Returns the rates of a version that apply at `from` or start before `until`. */
type RatesOf = (version: PricedTerms, from: Date, until: Date) => HeldRate | null;

const inDollars: RatesOf = ({ rate }) => heldRateOf(rate);

export const termsOf = (version: StoredTerms, rates = heldRateOf(version.rate)): FeatureTerms => ({
  enabled: version.enabled,
  includedAmount: version.includedAmount,
  unlimited: version.unlimited,
  overageEnabled: version.overageEnabled,
  rates,
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
function heldRates(
  held: FeatureTerms,
  { settle }: PlanFeatureVersionRow,
  rates: HeldRate | null,
): HeldRate | null {
  if (held.derived !== null) return null;
  return settle === held.settle ? heldTogether(held.rates, rates) : held.rates;
}

const inFavour = (
  held: FeatureTerms,
  version: PlanFeatureVersionRow,
  rates: HeldRate | null,
): FeatureTerms => ({
  enabled: held.enabled || version.enabled,
  includedAmount: maxOf(held.includedAmount, version.includedAmount),
  unlimited: held.unlimited || version.unlimited,
  // Changes to overage and settlement, and from a rate to a derived rate or back, apply from the next period.
  overageEnabled: held.overageEnabled,
  settle: held.settle,
  rates: heldRates(held, version, rates),
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
 * until the next period. A new feature applies immediately. The versions must be sorted. `ratesOf` determines the rates, which
 * are in US dollars by default.
 */
export function heldTerms(
  versions: readonly PlanFeatureVersionRow[],
  termsFrom: Date,
  at: Date,
  subscriptionSeq: bigint | null = null,
  ratesOf = inDollars,
): FeatureTerms | null {
  const isLater = (version: PlanFeatureVersionRow): boolean =>
    beganAfter(version, termsFrom, subscriptionSeq);
  const opening = versions.findLastIndex((version) => !isLater(version));
  const endOfHeld = new Date(at.getTime() + 1);
  let held: FeatureTerms | null = null;
  for (let index = Math.max(opening, 0); index < versions.length; index++) {
    const version = versions[index];
    if (version === undefined || (index !== opening && version.validFrom > at)) break;
    if (!version.attached) continue;
    const from = index === opening ? termsFrom : version.validFrom;
    const next = versions[index + 1]?.validFrom ?? endOfHeld;
    const rates = ratesOf(version, from, next < endOfHeld ? next : endOfHeld);
    held = held === null ? termsOf(version, rates) : inFavour(held, version, rates);
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
type RatePeriod = Pick<RatePlace, 'currency' | 'marketId'> & {
  readonly planId: string;
  readonly termsFrom: Date;
  readonly at: Date;
  readonly subscriptionSeq?: bigint | null;
};

/**
 * Replaces the rates of features with the rates in a market and currency: all versions that have applied since the period
 * opened (CAT-49, CAT-50). A rate is `null` if the feature has no price in the currency or isn't sold per unit. Rates in custom
 * units are the same everywhere (PRM-110). The plan and the period must be those for which `held` was determined.
 */
export function inPlace(catalog: Catalog, held: readonly HeldFeature[], period: RatePeriod): HeldFeature[] {
  const { planId, currency, marketId, termsFrom, at, subscriptionSeq = null } = period;
  if (currency === 'usd' && marketId === null) return [...held];
  const exchangeRates = (catalog.exchangeRates.get(planId) ?? []).filter((one) => one.currency === currency);
  const place = { currency, marketId, exchangeRates };
  const plan = catalog.plans.get(planId);
  return held.map(({ feature, terms }) => {
    const pool = plan === undefined ? null : poolOf({ type: feature.type, settle: terms.settle }, plan);
    if (terms.rates === null || isCustom(pool)) return { feature, terms };
    const versions = catalog.featureVersions.get(planId)?.get(feature.id) ?? [];
    const local = heldTerms(versions, termsFrom, at, subscriptionSeq, (version, from, until) =>
      localRates(version, place, from, until),
    );
    return { feature, terms: { ...terms, rates: local?.rates ?? null } };
  });
}

/** Returns the units above the included amount. 0 if the feature is unlimited. */
export const excessOf = (terms: FeatureTerms, count: bigint): bigint =>
  terms.unlimited ? 0n : maxOf(0n, count - terms.includedAmount);
