import { emailText } from './content.ts';

export const receiptEmail = emailText(
  ({ receipt }, { sender }) => ({
    subject: receipt.subject({ sender }),
    paragraphs: [receipt.text({ sender })],
    action: null,
  }),
  ['invoice', 'amount', 'date'],
  'also',
);
