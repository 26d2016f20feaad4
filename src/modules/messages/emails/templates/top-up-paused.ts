import { emailText } from './content.ts';

/** Email about a paused automatic top-up, with its reason and a portal link. */
export const topUpPausedEmail = emailText(
  ({ topUpPaused: words }, { sender }, { reason }) => ({
    subject: words.subject({ sender }),
    paragraphs: [
      reason === 'declined'
        ? words.declined({ sender })
        : reason === 'action_required'
          ? words.authentication({ sender })
          : words.unavailable({ sender }),
    ],
    action: null,
  }),
  ['plan'],
  'first',
);
