import { amountText } from '../../../../domain/money/amount-text.ts';
import { emailText } from './content.ts';

export const refundEmail = emailText(
  ({ refund }, { sender, language }, { money }) => ({
    subject: refund.subject({ sender }),
    paragraphs: [
      money === null
        ? refund.textUnnamed({ sender })
        : refund.text({ sender, amount: amountText(money.amount, money.currency, language) }),
    ],
    action: null,
  }),
  ['invoice', 'amount', 'date'],
);
