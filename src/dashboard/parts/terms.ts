import { plainText } from '../../ui/format/names.ts';
import type { terms } from '../words/en/terms.ts';
import { useWords } from '../words/words.ts';

/** Names of states, intervals and kinds. */
export const useTerms = (): typeof terms => useWords<typeof terms>('terms');

/** A card in words: Visa ending in 4242. */
export function useCardText(): (card: { readonly brand: string; readonly last4: string }) => string {
  const words = useTerms();
  return ({ brand, last4 }) => words.card(plainText(brand), last4);
}
