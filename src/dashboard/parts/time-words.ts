import { useWords } from '../words/words.ts';

export const useTimeWords = () => useWords('timeMachine');
