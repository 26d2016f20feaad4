import { chargeDate, chargeText } from './charge-texts.ts';
import { emailText } from './content.ts';

/** Email about a card that expires before the next charge, with a portal link. */
export const cardExpiringEmail = emailText(
  ({ cardExpiring: words }, { sender, language }, { next }) => ({
    subject: words.subject({ sender }),
    paragraphs: [
      [
        words.text({ sender }),
        ...(next === null
          ? []
          : [words.charge({ amount: chargeText(next, language), day: chargeDate(next, language) })]),
        words.advice,
      ].join(' '),
    ],
    action: null,
  }),
  ['plan', 'date', 'amount'],
  'first',
);
