import { useWords } from '../../words/words.ts';

export const useWebhookWords = () => useWords('webhooks');
