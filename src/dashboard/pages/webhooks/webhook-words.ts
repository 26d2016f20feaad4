import type { webhooks } from '../../words/en/webhooks.ts';
import { useWords } from '../../words/words.ts';

/** The words of webhooks. */
export const useWebhookWords = () => useWords<typeof webhooks>('webhooks');
