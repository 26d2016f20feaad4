import { dateText } from '../../../../documents/format.ts';
import { emailText } from './content.ts';

/**
 * Email about a failed charge, with a payment link. If an automatic retry follows, the email contains the date of the
 * retry and the end date of the subscription.
 */
export const paymentFailedEmail = emailText(
  ({ common, paymentFailed: words }, { sender, language }, { retryAt, endsAt }) => {
    const dates = [
      ...(retryAt === null ? [] : [words.retry({ day: dateText(retryAt, language) })]),
      ...(endsAt === null ? [] : [words.ends({ day: dateText(endsAt, language) })]),
    ];
    return {
      subject: words.subject({ sender }),
      paragraphs: [words.text({ sender }), words.advice, ...(dates.length === 0 ? [] : [dates.join(' ')])],
      action: common.pay,
    };
  },
  ['plan', 'invoice', 'amount'],
  'also',
);
