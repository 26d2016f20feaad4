import countryToCurrency from 'country-to-currency';
import { isCurrency } from '../domain/money/money.ts';

/**
 * Currency of each country: lowercase ISO 4217 code by uppercase ISO 3166-1 alpha-2 code. Contains only countries with a supported
 * currency.
 */
export const currencyOfCountry: ReadonlyMap<string, string> = new Map(
  Object.entries(countryToCurrency)
    .map(([country, currency]) => [country, currency.toLowerCase()] as const)
    .filter(([, currency]) => isCurrency(currency)),
);
