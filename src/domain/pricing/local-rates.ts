// Rates in markets and currencies (PRM-110).
import {
  byCurrency,
  derivedList,
  isCardDocument,
  type PriceListDocument,
  type RateOverride,
} from '../rates/card.ts';
import { ownList, type PriceDocument } from '../rates/derived.ts';
import { type HeldRate, heldTogether, storedRate } from '../rates/held.ts';
import type { ExchangeRateRow } from './catalog.ts';

/** Price of a feature in US dollars, with the rates that replace the price in markets and currencies. */
export type PricedTerms = {
  readonly rate: PriceDocument | null;
  readonly overrides: readonly RateOverride[];
};

/** Currency and market of a customer. `exchangeRates` are the plan's rates for the currency. */
export type RatePlace = {
  readonly currency: string;
  readonly marketId: string | null;
  readonly exchangeRates: readonly Pick<ExchangeRateRow, 'rateE8' | 'validFrom' | 'validTo'>[];
};

/** Derived price lists by stored price list and exchange rate. Catalog rows are immutable and used for many decisions. */
const derived = new WeakMap<PriceListDocument, Map<bigint, HeldRate>>();

function derivedRates(list: PriceListDocument, rateE8: bigint): HeldRate {
  const known = derived.getOrInsertComputed(list, () => new Map());
  return known.getOrInsertComputed(rateE8, () => storedRate(list).map((usd) => derivedList(usd, rateE8)));
}

/** Returns the overrides that replace a price: rates for a rate, and cards for a card. */
export function overridesFitting(
  rate: PriceDocument | null,
  overrides: readonly RateOverride[],
): readonly RateOverride[] {
  const own = ownList(rate);
  return own === null
    ? overrides
    : overrides.filter((one) => isCardDocument(one.rate) === isCardDocument(own));
}

/** Returns the overrides with one override added or replaced, sorted by currency. */
export const withOverride = (
  overrides: readonly RateOverride[],
  override: RateOverride,
): readonly RateOverride[] =>
  [
    ...overrides.filter(
      ({ marketId, currency }) => marketId !== override.marketId || currency !== override.currency,
    ),
    override,
  ].toSorted(byCurrency);

/** Returns true if the price of a feature consists of rates by dimension. */
export function isCardRate(rate: PriceDocument | null): boolean {
  const own = ownList(rate);
  return own !== null && isCardDocument(own);
}

/** Returns the override for a market, or for a currency without an override for the market. `null` if the rate has neither override. */
export const overrideFor = (
  overrides: readonly RateOverride[],
  { currency, marketId }: Pick<RatePlace, 'currency' | 'marketId'>,
): RateOverride | null => {
  const inCurrency = overrides.filter((one) => one.currency === currency);
  return (
    inCurrency.find((one) => one.marketId !== null && one.marketId === marketId) ??
    inCurrency.find((one) => one.marketId === null) ??
    null
  );
};

/**
 * Returns the rates of a feature in a market and currency that apply at `from` or start before `until`: the override for the
 * market, else the override for the currency, else the rates that are derived with the exchange rates of the plan. `null` if
 * the feature has no price in the currency (CAT-28).
 */
export function localRates(
  { rate, overrides }: PricedTerms,
  place: RatePlace,
  from: Date,
  until: Date,
): HeldRate | null {
  const own = ownList(rate);
  if (own === null) return null;
  const override = overrideFor(overrides, place);
  if (override !== null) return storedRate(override.rate);
  if (place.currency === 'usd') return storedRate(own);
  return place.exchangeRates
    .filter(
      ({ validFrom, validTo }) =>
        (validFrom <= from && (validTo === null || validTo > from)) ||
        (validFrom > from && validFrom < until),
    )
    .map(({ rateE8 }) => derivedRates(own, rateE8))
    .reduce<HeldRate | null>(heldTogether, null);
}
