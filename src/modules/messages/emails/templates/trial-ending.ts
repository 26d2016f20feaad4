import { dateText } from '../../../../documents/format.ts';
import type { Language } from '../../../../domain/text/language.ts';
import { chargeDate, chargeText } from './charge-texts.ts';
import { type EmailAbout, emailText } from './content.ts';
import type { EmailWords } from './words.ts';

function sentencesOf(
  { trialEnding: words }: EmailWords,
  { next, isEnding, planName, on }: EmailAbout,
  language: Language,
): string[] {
  const day = dateText(on, language);
  const ends = planName === null ? words.endsUnnamed({ day }) : words.ends({ plan: planName, day });
  if (isEnding) return [ends, words.canceled];
  if (next === null) return [ends, words.continues];
  const { interval, isFinal } = next;
  return [
    ends,
    words.charge({ amount: chargeText(next, language), day: chargeDate(next, language) }),
    ...(interval === null ? [] : [words.renews({ interval })]),
    ...(isFinal ? [] : [words.usage]),
  ];
}

/** Email about the end of a trial, with the next charge and a link to cancel. */
export const trialEndingEmail = emailText(
  (words, { sender, language }, about) => ({
    subject: words.trialEnding.subject({ sender }),
    paragraphs: [sentencesOf(words, about, language).join(' ')],
    action: null,
  }),
  ['plan', 'date', 'amount'],
  'first',
);
