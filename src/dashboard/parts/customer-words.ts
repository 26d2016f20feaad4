import { useWords, type Words } from '../words/words.ts';

export const useCustomerWords = (): Words['customers'] => useWords('customers');
