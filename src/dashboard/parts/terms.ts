import { plainText } from '../../ui/format/names.ts';
import { useWords, type Words } from '../words/words.ts';

/** Returns the translated names of statuses, billing intervals and types. */
export const useTerms = (): Words['terms'] => useWords('terms');

/** Returns a function that describes a card or a bank account, such as "Visa ending in 4242". */
export function useCardText(): (card: { readonly brand: string; readonly last4: string }) => string {
  const words = useTerms();
  const accounts: Readonly<Record<string, string>> = words.instruments;
  return ({ brand, last4 }) => words.card({ brand: accounts[brand] ?? plainText(brand), last4 });
}
