import { dateText } from '../../../../documents/format.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import { emailText } from './content.ts';

/** Notice of a bank debit before its collection, with a portal link (INS-25). */
export const debitNoticeEmail = emailText(
  ({ debitNotice: words }, { sender, language }, { money, on }) => {
    const day = dateText(on, language);
    return {
      subject: words.subject({ sender, day }),
      paragraphs: [
        ...(money === null
          ? []
          : [words.text({ sender, amount: amountText(money.amount, money.currency, language), day })]),
        words.advice,
      ],
      action: null,
    };
  },
  ['amount', 'date', 'invoice', 'account', 'mandate'],
  'first',
);
