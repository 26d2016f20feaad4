import type { ErrorCode } from '../errors/errors.ts';
import { minorPerUnit } from '../money/money.ts';
import type { BillingInterval } from '../rows/enums.ts';
import { type Explanation, explain } from '../rows/explanation.ts';
import type {
  Catalog,
  IncludedUnits,
  PlanPriceRow,
  PlanPriceVersionRow,
  PriceOverrideRow,
  Validity,
} from './catalog.ts';
import { localMinor, localRate } from './regional.ts';

/**
 * Scope of a price lookup: the payer's country, or the market and currency of the subscription once they're
 * fixed (CAT-27, CAT-31).
 */
export type PriceScope =
  | { readonly country: string | null }
  | { readonly market: string | null; readonly currency: string };

/**
 * Price to charge, in minor units of `currency`. The included balance (in ten-thousandths of the currency
 * unit) and included credits apply per usage window.
 */
export type ResolvedPrice = {
  readonly price: PlanPriceRow;
  readonly currency: string;
  readonly market: string | null;
  readonly amountMinor: bigint;
  readonly trialDays: number;
  readonly includedBalanceRate: bigint | null;
  readonly includedCredits: bigint | null;
  readonly includedUnits: IncludedUnits;
  /** Minimum spend per billing period. `null` if the price has no minimum. */
  readonly minimumMinor: bigint | null;
};

export type PriceFailure = {
  readonly failure: Extract<ErrorCode, 'no_prices_configured' | 'price_not_found' | 'missing_regional_price'>;
};

/**
 * Returns the latest version that has started at a given time. `null` if no version has started. The versions must be
 * sorted by `validFrom` and `seq`.
 */
export function versionAt<T extends { readonly validFrom: Date }>(
  versions: readonly T[],
  at: Date,
): T | null {
  for (let index = versions.length - 1; index >= 0; index--) {
    const version = versions[index];
    if (version !== undefined && version.validFrom <= at) return version;
  }
  return null;
}

/**
 * Returns the amounts of a price at a given time. A price variant uses the amounts of its base price
 * (CAT-16). Throws if the price has no versions.
 */
export function amountsAt(catalog: Catalog, price: PlanPriceRow, at: Date): PlanPriceVersionRow {
  const versions = catalog.priceVersions.get(price.inheritsFromPriceId ?? price.id) ?? [];
  const version = versionAt(versions, at);
  if (version === null)
    throw new Error(`The price ${price.id} has no version in force at ${at.toISOString()}.`);
  return version;
}

/**
 * Returns the price for a new selection (CAT-17, CAT-32 step 1). A price selected by ID must belong to the plan, match
 * the interval, and not be archived. Without an ID, returns the base price of the interval, or the plan's default
 * price. Fails with `no_prices_configured` if the plan has no active prices.
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
    if (priceId !== null)
      return price.id === priceId && (billingInterval === null || price.billingInterval === billingInterval);
    if (billingInterval !== null)
      return price.inheritsFromPriceId === null && price.billingInterval === billingInterval;
    return price.isDefault;
  });
  return found ?? { failure: 'price_not_found' };
}

/** Returns the row that applies at a given time. `null` if no row applies. The rows must not overlap. */
export const validAt = <T extends Validity>(rows: readonly T[], at: Date): T | null =>
  rows.find(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo)) ?? null;

/**
 * Returns a plan's exchange rate for a currency at a given time, in hundred-millionths. `null` if the plan
 * has no rate (CAT-25).
 */
export const exchangeRateAt = (catalog: Catalog, planId: string, currency: string, at: Date): bigint | null =>
  validAt(
    (catalog.exchangeRates.get(planId) ?? []).filter((rate) => rate.currency === currency),
    at,
  )?.rateE8 ?? null;

/** Share of a period for which a price is charged, in days. `of` is the number of days in the period. */
export type DayShare = { readonly part: bigint; readonly of: bigint };

/**
 * Explains the amount of a price in US cents in the given currency, optionally for a share of a period. Converts to
 * currencies other than US dollars at the plan's exchange rate, and rounds once (CAT-44, GLO-11). Returns `null` if
 * the plan has no rate for the currency.
 */
export function planPrice(
  rule: string,
  catalog: Catalog,
  { planId, currency }: { readonly planId: string; readonly currency: string },
  at: Date,
  price: bigint,
  share?: DayShare,
): Explanation | null {
  const days = share === undefined ? null : { days: share.part, total_days: share.of };
  if (currency === 'usd')
    return days === null
      ? explain(rule, 'price', { price })
      : explain(rule, 'price_share', { price, ...days });
  const rateE8 = exchangeRateAt(catalog, planId, currency, at);
  if (rateE8 === null) return null;
  const exchanged = { price, exchange_rate: rateE8, minor_per_unit: minorPerUnit(currency) };
  return days === null
    ? explain(rule, 'exchanged_price', exchanged)
    : explain(rule, 'exchanged_price_share', { ...exchanged, ...days });
}

/** Sources of an amount, in the order in which they're searched. */
export type PricePlace = 'market' | 'currency' | 'usd';

/** Result of one step of the price lookup. */
export type PriceOutcome = 'found' | 'no_market' | 'no_currency' | 'no_amount' | 'other_currency';

/** Step of the price lookup. */
export type PriceStep = {
  readonly place: PricePlace;
  readonly outcome: PriceOutcome;
  readonly currency: string | null;
  /**
   * Override that the step found for the price or its base price, even if the override's currency doesn't
   * match. `null` in the US dollar step, or if there is no override.
   */
  readonly override: PriceOverrideRow | null;
};

/**
 * Steps of the price lookup up to the first source with an amount. If no source has an amount, no step
 * has the outcome `found`.
 */
export type PriceSearch = { readonly market: string | null; readonly steps: readonly PriceStep[] };

/**
 * Searches for the amount of a price at a given time (CAT-32 steps 3 to 5). In each step, a price variant
 * falls back to its base price.
 */
export function searchPrice(catalog: Catalog, price: PlanPriceRow, at: Date, scope: PriceScope): PriceSearch {
  const market = 'market' in scope ? scope.market : ofCountry(catalog.marketOfCountry, scope.country);
  const fixed = 'currency' in scope ? scope.currency : null;
  const wanted = fixed ?? ofCountry(catalog.currencyOfCountry, 'country' in scope ? scope.country : null);
  const steps = [marketStep(catalog, price, at, market, fixed)];
  if (steps[0]?.outcome !== 'found' && wanted !== 'usd') steps.push(currencyStep(catalog, price, at, wanted));
  if (steps.at(-1)?.outcome !== 'found' && (fixed === null || fixed === 'usd'))
    steps.push({ place: 'usd', outcome: 'found', currency: 'usd', override: null });
  return { market, steps };
}

function marketStep(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  market: string | null,
  fixed: string | null,
): PriceStep {
  if (market === null) return { place: 'market', outcome: 'no_market', currency: null, override: null };
  const override = overrideOf(catalog, price, at, (row) => row.marketId === market);
  const isOther = override !== null && fixed !== null && override.currency !== fixed;
  const outcome = override === null ? 'no_amount' : isOther ? 'other_currency' : 'found';
  return { place: 'market', outcome, currency: override?.currency ?? null, override };
}

function currencyStep(catalog: Catalog, price: PlanPriceRow, at: Date, currency: string | null): PriceStep {
  const override = regionalOf(catalog, price, at, currency);
  const outcome = currency === null ? 'no_currency' : override === null ? 'no_amount' : 'found';
  return { place: 'currency', outcome, currency, override };
}

/**
 * Returns the amount of a price at a given time (CAT-32 steps 2 to 6). Uses the amount of the market. Falls back to the
 * amount in the fixed currency or the country's currency, then to the US dollar amount unless a different currency is
 * fixed. Ignores a market amount in a currency other than the fixed currency. In each step, a price variant falls back
 * to its base price. Works for archived prices, because existing subscriptions renew at archived prices (CAT-20).
 */
export function priceAt(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  scope: PriceScope,
): ResolvedPrice | PriceFailure {
  const amounts = amountsAt(catalog, price, at);
  const { market, steps } = searchPrice(catalog, price, at, scope);
  const last = steps.at(-1);
  if (last?.outcome !== 'found') return { failure: 'missing_regional_price' };
  const { override } = last;
  const currency = override?.currency ?? 'usd';
  return {
    price,
    currency,
    market,
    amountMinor: override?.amountMinor ?? amounts.priceMinor,
    trialDays: amounts.trialDays,
    includedBalanceRate: includedBalance(catalog, price, at, currency, amounts.includedBalanceRate),
    includedCredits: amounts.includedCredits,
    includedUnits: amounts.includedUnits,
    minimumMinor: minimumIn(catalog, price, at, currency, amounts.minimumMinor),
  };
}

const ofCountry = (values: ReadonlyMap<string, string>, country: string | null): string | null =>
  country === null ? null : (values.get(country) ?? null);

function overrideOf(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  isMeant: (row: PriceOverrideRow) => boolean,
): PriceOverrideRow | null {
  const of = (id: string): PriceOverrideRow | null =>
    validAt((catalog.priceOverrides.get(id) ?? []).filter(isMeant), at);
  return of(price.id) ?? (price.inheritsFromPriceId === null ? null : of(price.inheritsFromPriceId));
}

const regionalOf = (
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  currency: string | null,
): PriceOverrideRow | null =>
  currency === null
    ? null
    : overrideOf(catalog, price, at, (row) => row.marketId === null && row.currency === currency);

/**
 * Returns the included balance in a currency, which is the value that is set for the currency. Falls back to the US
 * dollar value converted at the exchange rate, then to the unconverted value (CAT-32 step 6).
 */
function includedBalance(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  currency: string,
  usdRate: bigint | null,
): bigint | null {
  if (currency === 'usd') return usdRate;
  const own = regionalOf(catalog, price, at, currency)?.includedBalanceRate ?? null;
  if (own !== null || usdRate === null) return own;
  const rateE8 = exchangeRateAt(catalog, price.planId, currency, at);
  return rateE8 === null ? usdRate : localRate(usdRate, rateE8);
}

/**
 * Returns the minimum spend in a currency, converted at the plan's exchange rate. `null` if there's no minimum or no
 * rate (PRM-33).
 */
function minimumIn(
  catalog: Catalog,
  price: PlanPriceRow,
  at: Date,
  currency: string,
  usdAmount: bigint | null,
): bigint | null {
  if (currency === 'usd' || usdAmount === null) return usdAmount;
  const rateE8 = exchangeRateAt(catalog, price.planId, currency, at);
  return rateE8 === null ? null : localMinor(usdAmount, rateE8, currency);
}
