import type { subscriptions } from '../words/en/subscriptions.ts';
import { useWords } from '../words/words.ts';

/** The words of subscriptions. */
export const useSubscriptionWords = (): typeof subscriptions =>
  useWords<typeof subscriptions>('subscriptions');
