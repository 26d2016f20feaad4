import type { Words } from '../../words/words.ts';
import type { Interval } from './model/plan-draft.ts';

type CatalogWords = Words['catalog'];

/** Formats an amount with its billing interval, such as "$49.00 / month". One-time amounts have no interval. */
export const perInterval = (words: CatalogWords, amount: string, interval: Interval): string =>
  interval === 'one_time'
    ? words.onceOf({ amount })
    : words.per({ amount, unit: words.intervalUnits[interval] });
