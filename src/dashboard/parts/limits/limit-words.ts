import { useWords, type Words } from '../../words/words.ts';
import type { LimitTermsFragment } from './limits.graphql';

export type LimitWords = Words['limits'];

export const useLimitWords = (): LimitWords => useWords('limits');

const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** Returns the text of a number of minutes in the largest unit without a remainder. */
function lengthText({ lengths }: LimitWords, minutes: number): string {
  if (minutes % dayMinutes === 0) return lengths.days({ count: minutes / dayMinutes });
  return minutes % hourMinutes === 0
    ? lengths.hours({ count: minutes / hourMinutes })
    : lengths.minutes({ count: minutes });
}

/** Returns the text of a limit's window: "per month", "in any 5 hours". */
export function windowText(
  words: LimitWords,
  { kind, minutes }: Pick<LimitTermsFragment['window'], 'kind' | 'minutes'>,
): string {
  const length = lengthText(words, minutes ?? 0);
  const text = words.windows[kind];
  return typeof text === 'string' ? text : text({ length });
}

/** Limit with the terms that its title contains. */
type Titled = Pick<LimitTermsFragment, 'name' | 'measure'> & {
  readonly window: Pick<LimitTermsFragment['window'], 'kind' | 'minutes'>;
};

/** Returns the name of a limit. Without a name, returns its measure and window. */
export function limitTitle(words: LimitWords, limit: Titled): string {
  return (
    limit.name ??
    words.title({ measure: words.measures[limit.measure], window: windowText(words, limit.window) })
  );
}
