import { emailText } from './content.ts';

/** Email about an ended mandate of a subscription, with a portal link (INS-63). */
export const methodNeededEmail = emailText(
  ({ methodNeeded: words }, { sender }) => ({
    subject: words.subject({ sender }),
    paragraphs: [words.text({ sender }), words.advice],
    action: null,
  }),
  ['plan', 'account', 'mandate'],
  'first',
);
