import type { developers } from '../../words/en/developers.ts';
import { useWords } from '../../words/words.ts';

/** The words of API keys, events and emails. */
export const useDeveloperWords = () => useWords<typeof developers>('developers');
