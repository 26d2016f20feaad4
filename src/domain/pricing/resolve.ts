import type { BillingInterval } from '../enums.ts';
import type { ErrorCode } from '../errors.ts';
import { type Explanation, explain } from '../invoicing/explanation.ts';
import { minorPerUnit } from '../money.ts';
import type { Catalog, PlanPriceRow, PlanPriceVersionRow, PriceOverrideRow, Validity } from './catalog.ts';
import { localRate } from './regional.ts';

/**
 * Where and in what a price is wanted: in the payer's country while nothing is fixed, afterwards in the
 * market and currency the subscription is fixed to (CAT-27, CAT-31).
 */
export type PriceScope =
  | { readonly country: string | null }
  | { readonly market: string | null; readonly currency: string };

/**
 * A price as it is charged: amount in minor units of `currency`, included balance at rate scale, included
 * credits whole, per window.
 */
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
export type PriceFailure = {
  readonly failure: Extract<ErrorCode, 'no_prices_configured' | 'price_not_found' | 'missing_regional_price'>;
};

/**
 * The version of a sequence ordered by (validFrom, seq) that is in force at an instant: the last that began
 * by then. Null before the first.
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
 * The amounts of a price row at an instant. A variant has those of its base (CAT-16). Throws for a row
 * without versions.
 */
export function amountsAt(catalog: Catalog, price: PlanPriceRow, at: Date): PlanPriceVersionRow {
  const versions = catalog.priceVersions.get(price.inheritsFromPriceId ?? price.id) ?? [];
  const version = versionAt(versions, at);
  if (version === null)
    throw new Error(`The price ${price.id} has no version in force at ${at.toISOString()}.`);
  return version;
}

/**
 * The row a new selection means (CAT-17, CAT-32 step 1): the price named, which must belong to the plan, fit
 * the interval and not be archived; else the base row of the interval; else the plan's default row. Fails
 * with `no_prices_configured` when the plan sells nothing.
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

/** The row in force at an instant, of rows of which no two are in force at once; null when none is. */
export const inForceAt = <T extends Validity>(rows: readonly T[], at: Date): T | null =>
  rows.find(({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo)) ?? null;

/**
 * The exchange rate of a plan for a currency at an instant, in hundred-millionths; null when it has none
 * (CAT-25).
 */
export const exchangeRateAt = (catalog: Catalog, planId: string, currency: string, at: Date): bigint | null =>
  inForceAt(
    (catalog.exchangeRates.get(planId) ?? []).filter((rate) => rate.currency === currency),
    at,
  )?.rateE8 ?? null;

/** A share of a price: the days that are paid for, of the days it is the price of. */
export type DayShare = { readonly part: bigint; readonly of: bigint };

/**
 * How US cents are charged in a currency, by a plan's exchange rate at an instant and times a share of a
 * period, rounded once (CAT-44, GLO-11). Null without a rate for the currency.
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

/** Where an amount is looked for, in this order: the market, the currency, US dollars. */
export type PricePlace = 'market' | 'currency' | 'usd';

/** Why a place answers a search for a price, or why it does not. */
export type PriceOutcome = 'found' | 'no_market' | 'no_currency' | 'no_amount' | 'other_currency';

/** One step of the search for a price: the place, and what was there. */
export type PriceStep = {
  readonly place: PricePlace;
  readonly outcome: PriceOutcome;
  readonly currency: string | null;
  /** The amount that was found, of the price or of its base; null for US dollars and where nothing was found. */
  readonly override: PriceOverrideRow | null;
};

/** The places an amount was looked for in, up to the first that has one; the last step failed where none has. */
export type PriceSearch = { readonly market: string | null; readonly steps: readonly PriceStep[] };

/** Looks for the amount of a price at an instant (CAT-32 steps 3 to 5). A variant falls back to its base at each step. */
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
 * What a price row costs at an instant (CAT-32 steps 2 to 6): the market's value, else the value in the fixed
 * or the country's currency, else US dollars unless another currency is fixed. Once a currency is fixed, a
 * market's value in another one does not count. A variant falls back to its base at each step. Archived rows
 * resolve: subscriptions bound to them renew (CAT-20).
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
    inForceAt((catalog.priceOverrides.get(id) ?? []).filter(isMeant), at);
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
 * The included balance in a currency: its own value, else the US dollar value converted where a rate exists,
 * else unchanged (CAT-32 step 6).
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
