import type { catalog } from '../../words/en/catalog.ts';
import type { Translation } from '../../words/words.ts';
import type { Interval } from './model/plan-draft.ts';

type Words = Translation<typeof catalog>;

/** An amount with the interval behind it: "$49.00 / month"; alone for what is paid once. */
export const perInterval = (words: Words, amount: string, interval: Interval): string =>
  interval === 'one_time' ? words.onceOf(amount) : words.per(amount, words.intervalUnits[interval]);
