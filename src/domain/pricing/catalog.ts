import type {
  AddonConsumptionModel,
  BillingInterval,
  ConsumptionModel,
  FeatureType,
  PricingMode,
} from '../enums.ts';

/** A capability that can be sold. */
export type FeatureRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly name: string;
  readonly type: FeatureType;
  readonly unitName: string | null;
  readonly deletedAt: Date | null;
};

/** A package of features with one consumption model. */
export type PlanRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly code: string;
  readonly name: string;
  readonly consumptionModel: ConsumptionModel;
  readonly isPublic: boolean;
  readonly isFree: boolean;
  readonly blockOnExhaustion: boolean;
  readonly sortOrder: number;
  readonly planGroupId: string | null;
  readonly deletedAt: Date | null;
};

/** A base price of one interval, or a variant of one (CAT-14, CAT-16). Its amounts are in its versions. */
export type PlanPriceRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly billingInterval: BillingInterval;
  readonly isDefault: boolean;
  readonly inheritsFromPriceId: string | null;
  /** The introductory offer for new subscribers; on base prices only (CAT-54). */
  readonly introductoryOfferId: string | null;
  readonly archivedAt: Date | null;
};

/**
 * The amounts of a price from `validFrom` until its next version: US cents, days, balance at
 * rate scale, whole credits.
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
};

/**
 * The terms of a feature in a plan from `validFrom` until the next version; `attached` is false from a
 * detachment on.
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
  readonly unitPriceRate: bigint | null;
  readonly creditsPerUnit: bigint | null;
  readonly pricingMode: PricingMode;
  readonly marginBps: number | null;
};

/**
 * An extension of subscriptions by one feature (CAT-42); `creditCost` on the model `credits` only. Other
 * amounts are in its versions.
 */
export type AddonRow = {
  readonly id: string;
  readonly seq: bigint;
  readonly name: string;
  readonly slug: string;
  readonly featureId: string;
  readonly consumptionModel: AddonConsumptionModel;
  readonly creditCost: bigint | null;
  readonly deletedAt: Date | null;
};

/**
 * The amounts of an add-on from `validFrom` until its next version: US cents per billing period, units, price
 * of a further unit at rate scale.
 */
export type AddonVersionRow = {
  readonly validFrom: Date;
  readonly basePriceMinor: bigint;
  readonly includedUnits: bigint | null;
  readonly overageRate: bigint | null;
};

/** Such a version with its add-on. */
export type StoredAddonVersionRow = AddonVersionRow & { readonly seq: bigint; readonly addonId: string };

/** A block of credits for sale on credits plans (CAT-46); price in US cents. */
export type CreditPackRow = {
  readonly id: string;
  readonly name: string;
  readonly credits: bigint;
  readonly priceMinor: bigint;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
};

/**
 * When a row of the catalog is in force: from `validFrom`, inclusive, to `validTo`, exclusive; null while it
 * is the current one.
 */
export type Validity = { readonly validFrom: Date; readonly validTo: Date | null };

/**
 * An amount of a price in a market, or in a currency where `marketId` is null (CAT-16, CAT-23); minor units,
 * balance at rate scale.
 */
export type PriceOverrideRow = Validity & {
  readonly id: string;
  readonly seq: bigint;
  readonly priceId: string;
  readonly marketId: string | null;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** Null where the US dollar value counts. */
  readonly includedBalanceRate: bigint | null;
};

/** The unit price of a plan's feature in another currency than USD, at rate scale (CAT-23). */
export type FeatureRateRow = Validity & {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly featureId: string;
  readonly currency: string;
  readonly unitPriceRate: bigint;
};

/** Units of a currency for 1 USD, in hundred-millionths (CAT-25). */
export type ExchangeRateRow = Validity & {
  readonly id: string;
  readonly seq: bigint;
  readonly planId: string;
  readonly currency: string;
  readonly rateE8: bigint;
};

/** A country and the market it is in (CAT-29). */
export type MarketCountryRow = { readonly countryCode: string; readonly marketId: string };

/**
 * What decisions need of the catalog, shared by all aggregates of a batch and never changed. Versions are
 * ordered by (validFrom, seq).
 */
export type Catalog = {
  readonly plans: ReadonlyMap<string, PlanRow>;
  readonly features: ReadonlyMap<string, FeatureRow>;
  readonly prices: ReadonlyMap<string, PlanPriceRow>;
  /** By plan id, in order of seq; archived ones included. */
  readonly pricesOfPlan: ReadonlyMap<string, readonly PlanPriceRow[]>;
  /** By price id. */
  readonly priceVersions: ReadonlyMap<string, readonly PlanPriceVersionRow[]>;
  /** By plan id, then by feature id. */
  readonly featureVersions: ReadonlyMap<string, ReadonlyMap<string, readonly PlanFeatureVersionRow[]>>;
  /** By price id. */
  readonly priceOverrides: ReadonlyMap<string, readonly PriceOverrideRow[]>;
  /** By plan id. */
  readonly featureRates: ReadonlyMap<string, readonly FeatureRateRow[]>;
  /** By plan id. */
  readonly exchangeRates: ReadonlyMap<string, readonly ExchangeRateRow[]>;
  /** Those active on the subscriptions, and those named. */
  readonly addons: ReadonlyMap<string, AddonRow>;
  /** By add-on id. */
  readonly addonVersions: ReadonlyMap<string, readonly StoredAddonVersionRow[]>;
  /** Market ids by country, as far as prices can be asked for there. */
  readonly marketOfCountry: ReadonlyMap<string, string>;
  /** The supported currency of each country that has one. */
  readonly currencyOfCountry: ReadonlyMap<string, string>;
};

/** The rows a catalog is made of, in any order. */
export type CatalogRows = {
  readonly plans: readonly PlanRow[];
  readonly features: readonly FeatureRow[];
  readonly prices: readonly PlanPriceRow[];
  readonly priceVersions: readonly PlanPriceVersionRow[];
  readonly planFeatureVersions: readonly PlanFeatureVersionRow[];
  readonly priceOverrides: readonly PriceOverrideRow[];
  readonly featureRates: readonly FeatureRateRow[];
  readonly exchangeRates: readonly ExchangeRateRow[];
  readonly addons: readonly AddonRow[];
  readonly addonVersions: readonly StoredAddonVersionRow[];
  readonly marketCountries: readonly MarketCountryRow[];
  readonly currencyOfCountry: ReadonlyMap<string, string>;
};

/** No rows: what a catalog of a few kinds of rows is made of besides them. */
export const noCatalogRows: CatalogRows = {
  plans: [],
  features: [],
  prices: [],
  priceVersions: [],
  planFeatureVersions: [],
  priceOverrides: [],
  featureRates: [],
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

/** Arranges catalog rows for look-ups; versions come out in the order they took effect. */
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
    featureRates: Map.groupBy(rows.featureRates, (rate) => rate.planId),
    exchangeRates: Map.groupBy(rows.exchangeRates, (rate) => rate.planId),
    addons: byId(rows.addons),
    addonVersions: Map.groupBy(rows.addonVersions.toSorted(byStart), (version) => version.addonId),
    marketOfCountry: new Map(
      rows.marketCountries.map(({ countryCode, marketId }) => [countryCode, marketId]),
    ),
    currencyOfCountry: rows.currencyOfCountry,
  };
}
