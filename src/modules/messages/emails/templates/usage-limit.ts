import { zonedTimeText } from '../../../../documents/format.ts';
import type { Language } from '../../../../domain/text/language.ts';
import { emailText, type LimitAbout } from './content.ts';
import type { EmailWords } from './words.ts';

/** Returns the sentences about usage that reached a threshold or the amount of a limit. */
export function limitParagraphs(
  { usageLimit: words }: EmailWords,
  { name, event, value, amount, resetsAt, timeZone }: LimitAbout,
  language: Language,
): string[] {
  const first =
    event === 'remaining'
      ? words.remaining({ value })
      : event === 'threshold' || amount === null
        ? words.threshold({ value, hasAmount: amount !== null, amount: amount ?? '' })
        : words[event]({ hasName: name !== null, name: name ?? '', value, amount });
  if (resetsAt === null) return [first];
  return [first, words.resets({ time: zonedTimeText(resetsAt, timeZone, language) })];
}

/** Email about usage that reached a threshold or the amount of a limit, with the reset time and a portal link. */
export const usageLimitEmail = emailText(
  (words, { sender, language }, { limit }) => {
    const { usageLimit } = words;
    if (limit === null)
      return {
        subject: usageLimit.subjectReached({ sender }),
        paragraphs: [usageLimit.portal],
        action: null,
      };
    const { event, value } = limit;
    const subjects = {
      reached: usageLimit.subjectReached,
      overrun: usageLimit.subjectOverrun,
      remaining: usageLimit.subjectRemaining,
      threshold: usageLimit.subjectThreshold,
    };
    return {
      subject: subjects[event]({ sender, value }),
      paragraphs: [...limitParagraphs(words, limit, language), usageLimit.portal],
      action: null,
    };
  },
  ['budget', 'plan'],
  'first',
);
