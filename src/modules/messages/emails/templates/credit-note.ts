import { emailText } from './content.ts';

export const creditNoteEmail = emailText(
  ({ creditNote: words }, { sender }, { creditNoteNumber, invoiceNumber }) => ({
    subject: words.subject({ number: creditNoteNumber ?? '', sender }),
    paragraphs: [
      invoiceNumber === null ? words.textUnnamed({ sender }) : words.text({ sender, invoice: invoiceNumber }),
    ],
    action: words.action,
  }),
  ['creditNote', 'invoice', 'amount', 'date'],
);
