import { failuresBeforeDisabling, maxAttempts } from '../domain/webhooks.ts';
import type { JobData } from '../infra/jobs.ts';
import type { WebhookRow } from '../modules/webhooks/service.ts';
import type { Attempt } from './webhook-attempt.ts';

type Letter = JobData['letters'];

const answerText = ({ status, answer, error }: Attempt['result']): string =>
  status === null ? (error ?? 'There was none.') : [`Status ${status}`, answer].filter(Boolean).join('\n');

/** Tells the notification recipient that a delivery failed for good: where to, what of, and the last answer (PLT-44). */
export const failedLetter = (to: string, { url }: WebhookRow, { delivery, result }: Attempt): Letter => ({
  to,
  subject: `A webhook could not be delivered: ${delivery.kind}`,
  text: [
    `All ${maxAttempts} attempts to deliver an event failed.`,
    `Endpoint: ${url}`,
    `Event: ${delivery.kind} (${delivery.eventId})`,
    `Delivery: ${delivery.id}`,
    `Last answer: ${answerText(result)}`,
    'It will not be tried again by itself; you can resend it.',
  ].join('\n\n'),
});

/** Tells the notification recipient that an endpoint was switched off (PLT-45). */
export const disabledLetter = (to: string, { id, url }: WebhookRow): Letter => ({
  to,
  subject: 'A webhook endpoint was switched off',
  text: [
    `${failuresBeforeDisabling} events in a row could not be delivered, so the endpoint was switched off.`,
    `Endpoint: ${url} (${id})`,
    'Switch it on again when it answers. Events of the meantime are not sent again by themselves; single deliveries can be resent.',
  ].join('\n\n'),
});
