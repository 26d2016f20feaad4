import { emailText } from './content.ts';

export const canceledEmail = emailText(
  ({ canceled }, { sender }) => ({
    subject: canceled.subject({ sender }),
    paragraphs: [canceled.text({ sender })],
    action: null,
  }),
  ['plan', 'date'],
);
