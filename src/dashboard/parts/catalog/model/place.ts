import { convertedMinor } from './exchange.ts';
import type { PlanDraft, PriceDraft } from './plan-draft.ts';

/** Market with its countries. The countries of a market share prices. */
export type MarketCountries = {
  readonly id: string;
  readonly name: string;
  readonly countryCodes: readonly string[];
};

/** Country and its currency. `currency` is `null` if the service doesn't support the country's currency. */
export type CountryCurrency = { readonly code: string; readonly currency: string | null };

/** Step of the price lookup, in the order of execution. */
export type PriceStep =
  | {
      readonly kind: 'market';
      readonly market: string;
      readonly hasPrice: boolean;
      readonly fromBase: boolean;
    }
  | { readonly kind: 'no_market' }
  | { readonly kind: 'currency'; readonly currency: string; readonly has: 'typed' | 'derived' | 'none' }
  | { readonly kind: 'no_currency' }
  | { readonly kind: 'usd' };

/** Price for a visitor, with the steps of the price lookup. */
export type PlacePrice = {
  readonly amount: number;
  readonly currency: string;
  readonly steps: readonly PriceStep[];
};

/** Returns the amount of a base price in a currency, and whether it was typed or converted. `null` if the price has no amount in the currency. */
export function regionalAmount(
  draft: Pick<PlanDraft, 'rates'>,
  price: PriceDraft,
  currency: string,
): { readonly amount: number; readonly isTyped: boolean } | null {
  const typed = price.typed[currency];
  if (typed !== undefined) return { amount: typed.price, isTyped: true };
  const rate = draft.rates[currency];
  const amount =
    rate === undefined || !price.derived.includes(currency)
      ? null
      : convertedMinor(price.price, rate, currency);
  return amount === null ? null : { amount, isTyped: false };
}

/** Returns the market of a country. `undefined` if the country is in no market. */
export const marketOf = (
  markets: readonly MarketCountries[],
  country: CountryCurrency,
): MarketCountries | undefined => markets.find(({ countryCodes }) => countryCodes.includes(country.code));

/**
 * Returns the price for a new customer in a country, with the same lookup as the service: the price of the country's market, then the amount in the
 * country's currency, then US dollars. A variant inherits missing amounts from its base price.
 */
export function priceInCountry(
  draft: Pick<PlanDraft, 'rates' | 'prices'>,
  price: PriceDraft,
  country: CountryCurrency,
  markets: readonly MarketCountries[],
): PlacePrice {
  const base = draft.prices.find(({ id }) => id === price.baseId) ?? price;
  const steps: PriceStep[] = [];
  const market = marketOf(markets, country);
  if (market === undefined) steps.push({ kind: 'no_market' });
  else {
    const own = price.markets[market.id];
    const found = own ?? base.markets[market.id];
    const fromBase = own === undefined && base !== price && found !== undefined;
    steps.push({ kind: 'market', market: market.name, hasPrice: found !== undefined, fromBase });
    if (found !== undefined) return { amount: found.price, currency: found.currency, steps };
  }
  const { currency } = country;
  if (currency === null) steps.push({ kind: 'no_currency' });
  else if (currency !== 'usd') {
    const regional = regionalAmount(draft, base, currency);
    steps.push({
      kind: 'currency',
      currency,
      has: regional === null ? 'none' : regional.isTyped ? 'typed' : 'derived',
    });
    if (regional !== null) return { amount: regional.amount, currency, steps };
  }
  steps.push({ kind: 'usd' });
  return { amount: base.price, currency: 'usd', steps };
}

/** Returns the countries of other markets, mapped to the names of those markets. Excludes the market being edited. */
export function takenCountries(
  markets: readonly MarketCountries[],
  exceptId: string | null,
): ReadonlyMap<string, string> {
  return new Map(
    markets
      .filter(({ id }) => id !== exceptId)
      .flatMap(({ name, countryCodes }) => countryCodes.map((code) => [code, name] as const)),
  );
}
