import { useWords } from '../../words/words.ts';

/** Strings of the pages for API keys, events and emails. */
export const useDeveloperWords = () => useWords('developers');
