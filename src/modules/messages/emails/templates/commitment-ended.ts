import { dateText } from '../../../../documents/format.ts';
import { emailText } from './content.ts';

/** Email about the end of a prepaid commitment, with its reason and a portal link. */
export const commitmentEndedEmail = emailText(
  ({ commitmentEnded: words }, { sender, language }, { on, reason }) => {
    const values = { sender, day: dateText(on, language) };
    return {
      subject: words.subject({ sender }),
      paragraphs: [
        reason === 'payment_failed'
          ? words.paymentFailed(values)
          : reason === 'subscription_canceled'
            ? words.canceled(values)
            : words.expired(values),
      ],
      action: null,
    };
  },
  ['plan', 'date'],
  'first',
);
