import type { customers } from '../words/en/customers.ts';
import { useWords } from '../words/words.ts';

/** The words of customers. */
export const useCustomerWords = (): typeof customers => useWords<typeof customers>('customers');
