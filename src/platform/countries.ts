import countryToCurrency from 'country-to-currency';
import { isCurrency } from '../domain/money.ts';

/** The currency of each country whose currency is supported, lower-case ISO 4217 by upper-case ISO 3166-1 alpha-2. */
export const currencyOfCountry: ReadonlyMap<string, string> = new Map(
  Object.entries(countryToCurrency)
    .map(([country, currency]) => [country, currency.toLowerCase()] as const)
    .filter(([, currency]) => isCurrency(currency)),
);
