import type { MeterVersion } from '../meters/meter.ts';
import type { PriceListDocument, RateOverride } from '../rates/card.ts';
import type { CostDocument, PriceDocument } from '../rates/derived.ts';

import type { AddonConsumptionModel, BillingInterval, ConsumptionModel, FeatureType } from '../rows/enums.ts';
import type { PlanPool, Pool } from './pools.ts';

/** Capability of a product that plans and add-ons can include. */
export type FeatureRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly name: string;
  readonly type: FeatureType;
  readonly unitName: string | null;
  readonly deletedAt: Date | null;
  /** Versions of the meter, sorted by `validFrom`. Empty if the feature counts whole units. */
  readonly meters: readonly MeterVersion[];
};

/** Plan with its features and pools. */
export type PlanRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly name: string;
  /** Settlement of usage features without their own settlement. */
  readonly consumptionModel: ConsumptionModel;
  readonly isPublic: boolean;
  readonly isFree: boolean;
  /** Whether usage that exceeds the pool of money is rejected. */
  readonly blockOnExhaustion: boolean;
  /** Terms of the pools, in order. The default pool can be absent. Read them with `poolsOf`. */
  readonly pools: readonly PlanPool[];
  readonly sortOrder: number;
  readonly planGroupId: string | null;
  readonly deletedAt: Date | null;
};

/**
 * Base price of an interval, or a variant of a base price (CAT-14, CAT-16). Its versions contain the amounts.
 */
export type PlanPriceRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly isDefault: boolean;
  readonly inheritsFromPriceId: string | null;
  readonly introductoryOfferId: string | null;
  readonly archivedAt: Date | null;
};

/**
 * Amounts of a price from `validFrom` until the next version. Prices are in US cents, trials in days, and
 * the included balance in ten-thousandths of the currency unit. Included credits are a whole number.
 */
export type PlanPriceVersionRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly priceId: string;
  readonly validFrom: Date;
  readonly priceMinor: bigint;
  readonly trialDays: number;
  readonly includedBalanceRate: bigint | null;
  readonly includedCredits: bigint | null;
  /** Included amounts of other custom units by pool, in pool units. */
  readonly includedUnits: IncludedUnits;
  /** Minimum spend per billing period in US cents. `null` if the price has no minimum. */
  readonly minimumMinor: bigint | null;
};

/** Amounts by pool, as numbers up to 2^53. */
export type IncludedUnits = { readonly [pool: Pool]: number };

/**
 * Terms of a feature in a plan from `validFrom` until the next version. `attached` is false if the feature
 * was removed from the plan.
 */
export type PlanFeatureVersionRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly featureId: string;
  readonly validFrom: Date;
  readonly attached: boolean;
  readonly enabled: boolean;
  readonly includedAmount: bigint;
  readonly unlimited: boolean;
  readonly overageEnabled: boolean;
  /**
   * Price of additional units in US dollars. If usage is deducted from a pool, the price of all units, in US dollars or
   * credits. `null` if no price was set.
   */
  readonly rate: PriceDocument | null;
  /** Rates that replace `rate` in markets and currencies. */
  readonly overrides: readonly RateOverride[];
  /** Cost of a unit for the organization, in US dollars. `null` if no cost was set. */
  readonly costRate: CostDocument | null;
  /** `invoice`, or the pool on which usage draws. `null` selects the plan's default (PRM-160). */
  readonly settle: string | null;
};

/** Optional extension of a subscription by one feature (CAT-42). The versions contain the amounts. */
export type AddonRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly name: string;
  readonly slug: string;
  readonly featureId: string;
  readonly consumptionModel: AddonConsumptionModel;
  readonly deletedAt: Date | null;
};

/**
 * Amounts of an add-on from `validFrom` until the next version. The base price is in US cents per billing period. The
 * price of additional units is in US dollars or credits.
 */
export type AddonVersionRow = {
  readonly validFrom: Date;
  readonly basePriceMinor: bigint;
  readonly includedUnits: bigint | null;
  readonly rate: PriceListDocument | null;
  /** Rates that replace `rate` in markets and currencies. */
  readonly overrides: readonly RateOverride[];
};

export type StoredAddonVersionRow = AddonVersionRow & { readonly seq: bigint; readonly addonId: string };

/** Credit pack for plans with a pool of its asset (CAT-46). The price is in US cents. */
export type CreditPackRow = {
  readonly id: string;
  readonly name: string;
  /** Amount per purchase, in pool units of the asset. */
  readonly credits: bigint;
  /** Code of the custom unit. */
  readonly asset: string;
  readonly priceMinor: bigint;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  /** Number of days for which purchased credits are valid. `null` if they don't expire. */
  readonly validDays: number | null;
  /** True if refunds remove unused credits (PRM-23). */
  readonly refundTakesBack: boolean;
};

/**
 * Time range of a catalog row. `validFrom` is inclusive. `validTo` is exclusive, and `null` if the row is
 * still valid.
 */
export type Validity = { readonly validFrom: Date; readonly validTo: Date | null };

/**
 * Amount of a price in a market, or in a currency if `marketId` is `null` (CAT-16, CAT-23). The price is in
 * minor units, the included balance in ten-thousandths of the currency unit.
 */
export type PriceOverrideRow = Validity & {
  readonly id: string;
  readonly seq: bigint;
  readonly priceId: string;
  readonly marketId: string | null;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** Included balance in the currency. `null` if the value in US dollars applies. */
  readonly includedBalanceRate: bigint | null;
};

/** Exchange rate of a plan: units of a currency per US dollar, in hundred-millionths (CAT-25). */
export type ExchangeRateRow = Validity & {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly currency: string;
  readonly rateE8: bigint;
};

export type MarketCountryRow = { readonly countryCode: string; readonly marketId: string };

/**
 * Catalog data for decisions. Immutable and shared by all aggregates of a batch. Versions are sorted by `validFrom`
 * and `seq`.
 */
export type Catalog = {
  readonly plans: ReadonlyMap<string, PlanRow>;
  readonly features: ReadonlyMap<string, FeatureRow>;
  readonly prices: ReadonlyMap<string, PlanPriceRow>;
  /** Prices by plan ID, sorted by `seq`. Includes archived prices. */
  readonly pricesOfPlan: ReadonlyMap<string, readonly PlanPriceRow[]>;
  /** Price versions by price ID. */
  readonly priceVersions: ReadonlyMap<string, readonly PlanPriceVersionRow[]>;
  /** Feature versions by plan ID, then by feature ID. */
  readonly featureVersions: ReadonlyMap<string, ReadonlyMap<string, readonly PlanFeatureVersionRow[]>>;
  /** Price overrides by price ID. */
  readonly priceOverrides: ReadonlyMap<string, readonly PriceOverrideRow[]>;
  /** Exchange rates by plan ID. */
  readonly exchangeRates: ReadonlyMap<string, readonly ExchangeRateRow[]>;
  /** Active add-ons of the subscriptions, and add-ons that the commands reference. */
  readonly addons: ReadonlyMap<string, AddonRow>;
  /** Add-on versions by add-on ID. */
  readonly addonVersions: ReadonlyMap<string, readonly StoredAddonVersionRow[]>;
  /** Market ID by country, for the countries that the commands need. */
  readonly marketOfCountry: ReadonlyMap<string, string>;
  /** Supported currency by country. Omits countries without a supported currency. */
  readonly currencyOfCountry: ReadonlyMap<string, string>;
};

/** Rows from which a catalog is built, in any order. */
export type CatalogRows = {
  readonly plans: readonly PlanRow[];
  readonly features: readonly FeatureRow[];
  readonly prices: readonly PlanPriceRow[];
  readonly priceVersions: readonly PlanPriceVersionRow[];
  readonly planFeatureVersions: readonly PlanFeatureVersionRow[];
  readonly priceOverrides: readonly PriceOverrideRow[];
  readonly exchangeRates: readonly ExchangeRateRow[];
  readonly addons: readonly AddonRow[];
  readonly addonVersions: readonly StoredAddonVersionRow[];
  readonly marketCountries: readonly MarketCountryRow[];
  readonly currencyOfCountry: ReadonlyMap<string, string>;
};

/** Empty defaults for a catalog that has rows of only some types. */
export const noCatalogRows: CatalogRows = {
  plans: [],
  features: [],
  prices: [],
  priceVersions: [],
  planFeatureVersions: [],
  priceOverrides: [],
  exchangeRates: [],
  addons: [],
  addonVersions: [],
  marketCountries: [],
  currencyOfCountry: new Map(),
};

const bySeq = (a: { readonly seq: bigint }, b: { readonly seq: bigint }): number =>
  a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0;

const byStart = (
  a: { readonly validFrom: Date; readonly seq: bigint },
  b: { readonly validFrom: Date; readonly seq: bigint },
): number => a.validFrom.getTime() - b.validFrom.getTime() || bySeq(a, b);

const byId = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

/** Indexes catalog rows. Sorts versions by the time from which they apply. */
export function catalogOf(rows: CatalogRows): Catalog {
  const planVersions = Map.groupBy(rows.planFeatureVersions.toSorted(byStart), (version) => version.planId);
  return {
    plans: byId(rows.plans),
    features: byId(rows.features),
    prices: byId(rows.prices),
    pricesOfPlan: Map.groupBy(rows.prices.toSorted(bySeq), (price) => price.planId),
    priceVersions: Map.groupBy(rows.priceVersions.toSorted(byStart), (version) => version.priceId),
    featureVersions: new Map(
      [...planVersions].map(([planId, versions]) => [
        planId,
        Map.groupBy(versions, (version) => version.featureId),
      ]),
    ),
    priceOverrides: Map.groupBy(rows.priceOverrides, (override) => override.priceId),
    exchangeRates: Map.groupBy(rows.exchangeRates, (rate) => rate.planId),
    addons: byId(rows.addons),
    addonVersions: Map.groupBy(rows.addonVersions.toSorted(byStart), (version) => version.addonId),
    marketOfCountry: new Map(
      rows.marketCountries.map(({ countryCode, marketId }) => [countryCode, marketId]),
    ),
    currencyOfCountry: rows.currencyOfCountry,
  };
}
