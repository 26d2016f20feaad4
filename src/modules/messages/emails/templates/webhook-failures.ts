import { failuresBeforeDisabling, maxAttempts } from '../../../../domain/events/webhooks.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { type EmailWords, emailWords } from './words.ts';

// Emails to an organization about failing webhook endpoints. Quittance is the sender.

export type FailedDelivery = {
  readonly id: string;
  readonly kind: string;
  readonly eventId: string;
  /** HTTP status of the last response. `null` if the server didn't respond. */
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
};

const responseText = (words: EmailWords['webhook'], { status, answer, error }: FailedDelivery): string =>
  status === null
    ? (error ?? words.none)
    : [words.status({ status: String(status) }), answer].filter(Boolean).join('\n');

/** Email to the notification recipient about a permanently failed delivery, with the endpoint, the event, and the last response (PLT-44). */
export function failedEmail(to: string, url: string, delivery: FailedDelivery): MailMessage {
  const { common, webhook: words } = emailWords[service.language];
  return emailOf(service, {
    to,
    subject: words.failedSubject({ event: delivery.kind }),
    greeting: common.greetingUnnamed,
    paragraphs: [words.failed({ attempts: maxAttempts })],
    details: [
      { label: words.endpoint, text: url },
      { label: words.event, text: `${delivery.kind} (${delivery.eventId})` },
      { label: words.delivery, text: delivery.id },
      { label: words.response, text: responseText(words, delivery) },
    ],
    action: null,
    footnote: null,
  });
}

/** Email to the notification recipient about a disabled endpoint (PLT-45). */
export function disabledEmail(
  to: string,
  { id, url }: { readonly id: string; readonly url: string },
): MailMessage {
  const { common, webhook: words } = emailWords[service.language];
  return emailOf(service, {
    to,
    subject: words.disabledSubject,
    greeting: common.greetingUnnamed,
    paragraphs: [words.disabled({ events: failuresBeforeDisabling }), words.advice],
    details: [{ label: words.endpoint, text: `${url} (${id})` }],
    action: null,
    footnote: null,
  });
}
