import { useMemo } from 'react';
import type { ResultOf } from '../../ui/documents.ts';
import { useData } from '../data/hooks.ts';
import { CountriesDocument, CurrenciesDocument } from './countries.graphql';

export type CurrencyCode = ResultOf<typeof CurrenciesDocument>['currencies'][number]['code'];

const noCountries: readonly string[] = [];
const usual: readonly CurrencyCode[] = ['usd'];

/** Returns the codes of all countries that an address can contain. */
export function useCountries(): readonly string[] {
  const { data } = useData(CountriesDocument, {});
  return useMemo(() => data?.countries.map(({ code }) => code) ?? noCountries, [data]);
}

/** Returns the codes of all supported currencies. While loading, returns only US dollars. */
export function useCurrencies(): readonly CurrencyCode[] {
  const { data } = useData(CurrenciesDocument, {});
  return useMemo(() => data?.currencies.map(({ code }) => code) ?? usual, [data]);
}
