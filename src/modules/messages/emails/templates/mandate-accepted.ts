import { emailText } from './content.ts';

/** Email that confirms a mandate for bank debits, with a portal link. */
export const mandateAcceptedEmail = emailText(
  ({ mandateAccepted: words }, { sender }) => ({
    subject: words.subject({ sender }),
    paragraphs: [words.text({ sender }), words.notice],
    action: null,
  }),
  ['account', 'mandate', 'date'],
  'first',
);
