// Customer emails: the events that trigger them, their language, and the retry schedule. Uses real time, even in a
// sandbox.

import type { EventKind } from '../events/events.ts';
import { customerLanguage } from '../pages/page-language.ts';
import type { Language } from '../text/language.ts';
import { minuteMs } from '../time/period.ts';

export const emailKinds = [
  'checkout',
  'receipt',
  'invoice',
  'payment_failed',
  'trial_ending',
  'card_expiring',
  'subscription_canceled',
  'refund',
  'credit_note',
  'lot_expiring',
  'commitment_ended',
  'top_up_failed',
  'top_up_paused',
  'mandate_accepted',
  'debit_notice',
  'method_needed',
  'usage_limit',
] as const;

export type EmailKind = (typeof emailKinds)[number];

/** Email type for each event type. Events of other types send no email. */
const kindsByEvent: { readonly [event in EventKind]?: EmailKind } = {
  'checkout.ready': 'checkout',
  'trial.checkout_ready': 'checkout',
  'payment.received': 'receipt',
  'invoice.created': 'invoice',
  'payment.failed': 'payment_failed',
  'trial.will_end': 'trial_ending',
  'payment_method.expiring': 'card_expiring',
  'subscription.canceled': 'subscription_canceled',
  'payment.refunded': 'refund',
  'credit_note.created': 'credit_note',
  'lot.expiring': 'lot_expiring',
  'commitment.ended': 'commitment_ended',
  'auto_topup.failed': 'top_up_failed',
  'auto_topup.paused': 'top_up_paused',
  'mandate.created': 'mandate_accepted',
  'payment.scheduled': 'debit_notice',
  'mandate.revoked': 'method_needed',
  'limit.threshold_reached': 'usage_limit',
  'limit.reached': 'usage_limit',
  'limit.overrun': 'usage_limit',
  'usage.anomaly': 'usage_limit',
};

const events: ReadonlyMap<string, EmailKind> = new Map(Object.entries(kindsByEvent));

/** Returns the events that send an email, except for the email types that the organization has turned off. */
export const eventsWithEmails = (muted: readonly string[]): string[] =>
  [...events].flatMap(([event, kind]) => (muted.includes(kind) ? [] : [event]));

export const emailKindOf = (event: string): EmailKind | null => events.get(event) ?? null;

/**
 * Returns the language for a customer's emails: `language` or `locale` in the metadata, otherwise the
 * language of the country, otherwise `fallback` (the organization's language).
 */
export const emailLanguage = (
  customer: { readonly metadata: unknown; readonly country: string | null },
  fallback: Language,
): Language => customerLanguage(customer) ?? fallback;

/** Time within which emails about the same limit to the same recipient are combined. */
export const combineMs = 10 * minuteMs;

/** Delays between attempts. The last attempt is about 37 hours after the first. */
const delaysMs: readonly number[] = [1, 5, 15, 60, 240, 720, 1_200].map((minutes) => minutes * minuteMs);

/** Maximum number of attempts per email. */
export const maxEmailAttempts = delaysMs.length + 1;

/**
 * Returns the time of the next attempt after a failure at `failedAt`. `attempts` is the number of attempts so far.
 * `null` after the last allowed attempt.
 */
export function nextEmailAt(attempts: number, failedAt: Date): Date | null {
  const delayMs = delaysMs[attempts - 1];
  return delayMs === undefined ? null : new Date(failedAt.getTime() + delayMs);
}
