import { useMemo } from 'react';
import type { ResultOf } from '../../ui/documents.ts';
import { useData } from '../data/hooks.ts';
import { CountriesDocument, CurrenciesDocument } from './places.graphql';

/** The code of a currency that can be charged in. */
export type CurrencyCode = ResultOf<typeof CurrenciesDocument>['currencies'][number]['code'];

const noCountries: readonly string[] = [];
const usual: readonly CurrencyCode[] = ['usd'];

/** The codes of all countries an address can name. */
export function useCountries(): readonly string[] {
  const { data } = useData(CountriesDocument, {});
  return useMemo(() => data?.countries.map(({ code }) => code) ?? noCountries, [data]);
}

/** The codes of all currencies that can be charged in; US dollars alone until they are loaded. */
export function useCurrencies(): readonly CurrencyCode[] {
  const { data } = useData(CurrenciesDocument, {});
  return useMemo(() => data?.currencies.map(({ code }) => code) ?? usual, [data]);
}
