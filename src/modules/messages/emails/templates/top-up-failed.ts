import { dateText } from '../../../../documents/format.ts';
import { emailText } from './content.ts';

/** Email about the first declined charge of an automatic top-up, with the date of the next attempt and a portal link. */
export const topUpFailedEmail = emailText(
  ({ topUpFailed: words }, { sender, language }, { on }) => ({
    subject: words.subject({ sender }),
    paragraphs: [words.text({ sender }), words.retry({ day: dateText(on, language) })],
    action: null,
  }),
  ['amount'],
  'first',
);
