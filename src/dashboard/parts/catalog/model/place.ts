import { convertedMinor } from './exchange.ts';
import type { PlanDraft, PriceDraft } from './plan-draft.ts';

/** A market: countries that share prices. */
export type MarketCountries = {
  readonly id: string;
  readonly name: string;
  readonly countryCodes: readonly string[];
};

/** A country with the currency of its addresses; null where the service does not support it. */
export type CountryCurrency = { readonly code: string; readonly currency: string | null };

/** One step of the search for a price, in the order it was taken. */
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

/** What a visitor pays, and the steps that led there. */
export type PlacePrice = {
  readonly amount: number;
  readonly currency: string;
  readonly steps: readonly PriceStep[];
};

/** The amount a base price has in a currency, and whether it was typed; null without one. */
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

/**
 * What a new customer in a country pays for a price, as the service finds it: the price of the country's market, else the amount in the country's
 * currency, else US dollars. A variant takes what it does not have from its base.
 */
export function priceInCountry(
  draft: Pick<PlanDraft, 'rates' | 'prices'>,
  price: PriceDraft,
  country: CountryCurrency,
  markets: readonly MarketCountries[],
): PlacePrice {
  const base = draft.prices.find(({ id }) => id === price.baseId) ?? price;
  const steps: PriceStep[] = [];
  const market = markets.find(({ countryCodes }) => countryCodes.includes(country.code));
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

/** Markets that have a country already, by country; the market being edited is left out. */
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
