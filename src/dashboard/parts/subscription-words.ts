import { useWords, type Words } from '../words/words.ts';

export const useSubscriptionWords = (): Words['subscriptions'] => useWords('subscriptions');
