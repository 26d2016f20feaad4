import type { MailMessage } from '../../../../platform/mail.ts';
import type { EmailHead } from './content.ts';
import { emailOf } from './layout.ts';
import { emailWords, greetingOf, subjectOf } from './words.ts';

/** Email with a portal link that a customer requested. */
export function portalLinkEmail({ to, customerName, sender, livemode }: EmailHead, url: string): MailMessage {
  const words = emailWords[sender.language];
  const { subject, text, open, footnote } = words.portalLink;
  return emailOf(sender, {
    to,
    subject: subjectOf(words, subject({ sender: sender.name }), livemode),
    greeting: greetingOf(words, customerName),
    paragraphs: [text({ sender: sender.name })],
    details: [],
    action: { label: open, url },
    footnote,
  });
}
