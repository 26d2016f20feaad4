import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { emailWords } from './words.ts';

/** Failed deadline with the data of its `deadline.failed` event. */
export type FailedDeadline = {
  readonly summary: string;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly error: string;
  readonly isLive: boolean;
};

/** Email to the notification recipient about a failed deadline, with instructions for fixing it. Sent once per deadline (BIL-56a). */
export function deadlineFailedEmail(
  to: string,
  { summary, customerId, subscriptionId, error, isLive }: FailedDeadline,
): MailMessage {
  const { common, deadlineFailed: words } = emailWords[service.language];
  return emailOf(service, {
    to,
    subject: isLive ? words.subject : words.sandboxSubject,
    greeting: common.greetingUnnamed,
    paragraphs: [summary, words.advice],
    details: [
      { label: words.customer, text: customerId },
      ...(subscriptionId === null ? [] : [{ label: words.subscription, text: subscriptionId }]),
      { label: words.reason, text: error },
    ],
    action: null,
    footnote: null,
  });
}
