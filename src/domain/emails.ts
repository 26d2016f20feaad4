// Emails to customers: which event sends which, in which language, and when a failed one is tried again.
// Times are real ones.
import type { EventKind } from './events.ts';
import { customerLanguage, type Language } from './page-language.ts';

/** The kinds of emails customers get (PLT-9). */
export const emailKinds = [
  'checkout',
  'receipt',
  'invoice',
  'payment_failed',
  'trial_ending',
  'subscription_canceled',
  'refund',
] as const;

/** A kind of email. */
export type EmailKind = (typeof emailKinds)[number];

/** The email each kind of event sends; the others send none. */
const kindsByEvent: { readonly [event in EventKind]?: EmailKind } = {
  'checkout.ready': 'checkout',
  'trial.checkout_ready': 'checkout',
  'payment.received': 'receipt',
  'invoice.created': 'invoice',
  'payment.failed': 'payment_failed',
  'trial.will_end': 'trial_ending',
  'subscription.canceled': 'subscription_canceled',
  'payment.refunded': 'refund',
};

const events: ReadonlyMap<string, EmailKind> = new Map(Object.entries(kindsByEvent));

/** The events that can send an email when the organization does not want these kinds. */
export const eventsWithEmails = (muted: readonly string[]): string[] =>
  [...events].flatMap(([event, kind]) => (muted.includes(kind) ? [] : [event]));

/** The email an event of this kind sends; null when it sends none. */
export const emailKindOf = (event: string): EmailKind | null => events.get(event) ?? null;

/**
 * The language of a customer's emails: `language` or `locale` of its metadata, else that of its country, else
 * `fallback`, the organization's.
 */
export const emailLanguage = (
  customer: { readonly metadata: unknown; readonly country: string | null },
  fallback: Language,
): Language => customerLanguage(customer) ?? fallback;

const minuteMs = 60_000;

/**
 * How long after an attempt failed the next one is due, by the number of attempts made so far: a day and a
 * half in all.
 */
const delaysMs: readonly number[] = [1, 5, 15, 60, 240, 720, 1_200].map((minutes) => minutes * minuteMs);

/** How many attempts an email has in all. */
export const maxEmailAttempts = delaysMs.length + 1;

/**
 * When the next attempt is due after the `attempts`-th one failed at `failedAt`; null when it was the last.
 * `attempts` counts from 1.
 */
export function nextEmailAt(attempts: number, failedAt: Date): Date | null {
  const delayMs = delaysMs[attempts - 1];
  return delayMs === undefined ? null : new Date(failedAt.getTime() + delayMs);
}
