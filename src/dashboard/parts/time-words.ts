import type { timeMachine } from '../words/en/timeMachine.ts';
import { useWords } from '../words/words.ts';

/** The words of the time machine. */
export const useTimeWords = () => useWords<typeof timeMachine>('timeMachine');
