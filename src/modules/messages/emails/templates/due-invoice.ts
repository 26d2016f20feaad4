import { emailText } from './content.ts';

/** Email about an outstanding invoice, including an invoice whose payment reactivates a subscription (SUB-32). */
export const dueInvoiceEmail = emailText(
  ({ common, invoice: words }, { sender }, { invoiceNumber, purpose }) => ({
    subject: words.subject({ number: invoiceNumber ?? '', sender }),
    paragraphs: [purpose === 'restart' ? words.restart({ sender }) : words.text({ sender })],
    action: common.pay,
  }),
  ['invoice', 'amount', 'due'],
);
