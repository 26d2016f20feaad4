import { failuresBeforeDisabling, maxAttempts } from '../../../domain/webhooks.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import { emailOf, type Sender } from './layout.ts';

// The email to an organization about a webhook endpoint that fails. It comes from the service and is in its language.

const service: Sender = {
  name: 'Quittance',
  accentColor: null,
  logoUrl: null,
  logoWidth: null,
  logoHeight: null,
  replyTo: null,
  language: 'en',
};

const greeting = 'Hello,';

/** What became of a delivery: the event, and what was answered last. */
export type FailedDelivery = {
  readonly id: string;
  readonly kind: string;
  readonly eventId: string;
  /** Null when nothing came back. */
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
};

const answerText = ({ status, answer, error }: FailedDelivery): string =>
  status === null ? (error ?? 'There was none.') : [`Status ${status}`, answer].filter(Boolean).join('\n');

/** Tells the notification recipient that a delivery failed permanently: where to, what of, and the last answer (PLT-44). */
export const failedEmail = (to: string, url: string, delivery: FailedDelivery): MailMessage =>
  emailOf(service, {
    to,
    subject: `A webhook could not be delivered: ${delivery.kind}`,
    greeting,
    paragraphs: [
      `All ${maxAttempts} attempts to deliver an event failed. It will not be tried again automatically; you can resend it.`,
    ],
    details: [
      { label: 'Endpoint', text: url },
      { label: 'Event', text: `${delivery.kind} (${delivery.eventId})` },
      { label: 'Delivery', text: delivery.id },
      { label: 'Last answer', text: answerText(delivery) },
    ],
    action: null,
    footnote: null,
  });

/** Tells the notification recipient that an endpoint was switched off (PLT-45). */
export const disabledEmail = (
  to: string,
  { id, url }: { readonly id: string; readonly url: string },
): MailMessage =>
  emailOf(service, {
    to,
    subject: 'A webhook endpoint was switched off',
    greeting,
    paragraphs: [
      `${failuresBeforeDisabling} events in a row could not be delivered, so the endpoint was switched off.`,
      'Switch it on again when it answers. Events of the meantime are not sent again automatically; single deliveries can be resent.',
    ],
    details: [{ label: 'Endpoint', text: `${url} (${id})` }],
    action: null,
    footnote: null,
  });
