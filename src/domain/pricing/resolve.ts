import type { ErrorCode } from '../errors.ts';
import type { BillingInterval } from '../words.ts';
import type { Catalog, PlanPriceRow, PlanPriceVersionRow } from './catalog.ts';

/** A price in one currency or market, overriding the US dollar value of its row (CAT-23, CAT-25). */
export type PriceOverride = {
  readonly priceId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly includedBalanceRate: bigint | null;
};

/** Overrides by market and by currency, and which country is in which market; all absent while neither is sold. */
export type PriceTables = {
  readonly marketOfCountry?: ReadonlyMap<string, string>;
  readonly currencyOfCountry?: ReadonlyMap<string, string>;
  /** By market id, then by price id. */
  readonly marketPrices?: ReadonlyMap<string, ReadonlyMap<string, PriceOverride>>;
  /** By currency, then by price id. */
  readonly regionalPrices?: ReadonlyMap<string, ReadonlyMap<string, PriceOverride>>;
};

/** Where and in what a price is wanted: the payer's country, and the market and currency the subscription is fixed to, if it is. */
export type PriceScope = { readonly country?: string | null; readonly market?: string | null; readonly currency?: string | null };

/** A price as it is charged: amount in minor units of `currency`, included balance at rate scale, included credits whole, per window. */
export type ResolvedPrice = {
  readonly price: PlanPriceRow;
  readonly currency: string;
  readonly market: string | null;
  readonly amountMinor: bigint;
  readonly trialDays: number;
  readonly includedBalanceRate: bigint | null;
  readonly includedCredits: bigint | null;
};

/** Why no price could be found. */
export type PriceFailure = { readonly failure: Extract<ErrorCode, 'no_prices_configured' | 'price_not_found' | 'missing_regional_price'> };

/** The version of a sequence ordered by (validFrom, seq) that is in force at an instant: the last that began by then. Null before the first. */
export function versionAt<T extends { readonly validFrom: Date }>(versions: readonly T[], at: Date): T | null {
  for (let index = versions.length - 1; index >= 0; index--) {
    const version = versions[index];
    if (version !== undefined && version.validFrom <= at) return version;
  }
  return null;
}

/** The amounts of a price row at an instant. A variant has those of its base (CAT-16). Throws for a row without versions. */
export function amountsAt(catalog: Catalog, price: PlanPriceRow, at: Date): PlanPriceVersionRow {
  const versions = catalog.priceVersions.get(price.inheritsFromPriceId ?? price.id) ?? [];
  const version = versionAt(versions, at);
  if (version === null) throw new Error(`The price ${price.id} has no version in force at ${at.toISOString()}.`);
  return version;
}

/**
 * The row a new selection means (CAT-17, CAT-32 step 1): the price named, which must belong to the plan, fit the interval and not be
 * archived; else the base row of the interval; else the plan's default row. Fails with `no_prices_configured` when the plan sells nothing.
 */
export function selectPriceRow(
  catalog: Catalog,
  planId: string,
  choice: { readonly priceId?: string | null; readonly billingInterval?: BillingInterval | null },
): PlanPriceRow | PriceFailure {
  const rows = (catalog.pricesOfPlan.get(planId) ?? []).filter((price) => price.archivedAt === null);
  if (rows.length === 0) return { failure: 'no_prices_configured' };
  const { priceId = null, billingInterval = null } = choice;
  const found = rows.find((price) => {
    if (priceId !== null) return price.id === priceId && (billingInterval === null || price.billingInterval === billingInterval);
    if (billingInterval !== null) return price.inheritsFromPriceId === null && price.billingInterval === billingInterval;
    return price.isDefault;
  });
  return found ?? { failure: 'price_not_found' };
}

/**
 * What a price row costs at an instant (CAT-32 steps 2 to 6): the market's value, else the value in the fixed or the country's currency,
 * else US dollars unless another currency is fixed. A variant falls back to its base at each step. Archived rows resolve: subscriptions
 * bound to them renew (CAT-20).
 */
export function priceAt(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  scope: PriceScope = {},
  tables: PriceTables = {},
): ResolvedPrice | PriceFailure {
  const amounts = amountsAt(catalog, price, at);
  const { country = null, currency = null } = scope;
  const market = scope.market ?? (country === null ? null : (tables.marketOfCountry?.get(country) ?? null));
  const override = marketOverride(price, market, tables) ?? regionalOverride(price, currency, country, tables);
  if (override === null && currency !== null && currency !== 'usd') return { failure: 'missing_regional_price' };
  return {
    price,
    currency: override?.currency ?? 'usd',
    market,
    amountMinor: override?.amountMinor ?? amounts.priceMinor,
    trialDays: amounts.trialDays,
    includedBalanceRate: override?.includedBalanceRate ?? amounts.includedBalanceRate,
    includedCredits: amounts.includedCredits,
  };
}

const ofRowOrBase = (values: ReadonlyMap<string, PriceOverride> | undefined, price: PlanPriceRow): PriceOverride | null =>
  values?.get(price.id) ?? (price.inheritsFromPriceId === null ? null : (values?.get(price.inheritsFromPriceId) ?? null));

const marketOverride = (price: PlanPriceRow, market: string | null, tables: PriceTables): PriceOverride | null =>
  market === null ? null : ofRowOrBase(tables.marketPrices?.get(market), price);

function regionalOverride(price: PlanPriceRow, fixed: string | null, country: string | null, tables: PriceTables): PriceOverride | null {
  const currency = fixed ?? (country === null ? undefined : tables.currencyOfCountry?.get(country));
  return currency === undefined ? null : ofRowOrBase(tables.regionalPrices?.get(currency), price);
}
