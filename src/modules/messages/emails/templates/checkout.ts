import type { Language } from '../../../../domain/text/language.ts';
import { chargeText } from './charge-texts.ts';
import { type AnnouncedCharge, emailText } from './content.ts';
import type { EmailWords } from './words.ts';

/** Returns the sentence about the charge after a trial. Empty if the charge is unknown. */
function laterText(
  { checkout: { trial } }: EmailWords,
  next: AnnouncedCharge | null,
  language: Language,
): string[] {
  if (next === null) return [];
  const amount = chargeText(next, language);
  const { interval } = next;
  return [interval === null ? trial.thenOnce({ amount }) : trial.then({ amount, interval })];
}

/** Email with a link to an open checkout for a new subscription, a trial, or a change to a paid plan (SUB-9, SUB-47). */
export const checkoutEmail = emailText(
  (words, { sender, language }, { purpose, next }) => {
    const { start, trial, planChange, action } = words.checkout;
    const texts = { start, restart: start, trial, plan_change: planChange }[purpose];
    const later = purpose === 'trial' ? laterText(words, next, language) : [];
    return {
      subject: texts.subject({ sender }),
      paragraphs: [[texts.text({ sender }), ...later].join(' ')],
      action,
    };
  },
  ['plan', 'invoice', 'amount'],
);
