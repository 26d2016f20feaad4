import { describe, expect, test } from 'vitest';
import { eventKinds } from '../../src/domain/events/events.ts';
import {
  emailKindOf,
  emailKinds,
  emailLanguage,
  eventsWithEmails,
  maxEmailAttempts,
  nextEmailAt,
} from '../../src/domain/messages/emails.ts';

describe('an event', () => {
  test('triggers at most one type of email (PAY-20, PLT-9)', () => {
    expect(eventKinds.flatMap((kind) => emailKindOf(kind) ?? [])).toEqual([
      'subscription_canceled',
      'trial_ending',
      'checkout',
      'checkout',
      'debit_notice',
      'receipt',
      'payment_failed',
      'refund',
      'invoice',
      'card_expiring',
      'credit_note',
      'mandate_accepted',
      'method_needed',
      'lot_expiring',
      'commitment_ended',
      'top_up_failed',
      'top_up_paused',
      'usage_limit',
      'usage_limit',
      'usage_limit',
      'usage_limit',
    ]);
  });

  test('sends no email if the email type is disabled', () => {
    expect(eventsWithEmails(['receipt', 'checkout']).sort()).toEqual([
      'auto_topup.failed',
      'auto_topup.paused',
      'commitment.ended',
      'credit_note.created',
      'invoice.created',
      'limit.overrun',
      'limit.reached',
      'limit.threshold_reached',
      'lot.expiring',
      'mandate.created',
      'mandate.revoked',
      'payment.failed',
      'payment.refunded',
      'payment.scheduled',
      'payment_method.expiring',
      'subscription.canceled',
      'trial.will_end',
      'usage.anomaly',
    ]);
    expect(eventsWithEmails(emailKinds)).toEqual([]);
  });
});

describe("the language of a customer's email", () => {
  test.each([
    [{ metadata: { language: 'es-MX' }, country: 'US' }, 'en', 'es'],
    [{ metadata: { locale: 'en_GB' }, country: 'ES' }, 'es', 'en'],
    [{ metadata: { language: 'fr', locale: 'ES' }, country: null }, 'en', 'es'],
    [{ metadata: { language: 7 }, country: 'MX' }, 'en', 'es'],
    [{ metadata: { language: 'estonian' }, country: 'IE' }, 'es', 'en'],
    [{ metadata: {}, country: 'DE' }, 'es', 'es'],
    [{ metadata: {}, country: 'BR' }, 'en', 'pt_BR'],
    [{ metadata: {}, country: 'PT' }, 'es', 'pt_BR'],
    [{ metadata: { locale: 'pt-BR' }, country: 'US' }, 'en', 'pt_BR'],
    [{ metadata: {}, country: null }, 'en', 'en'],
    [{ metadata: null, country: null }, 'es', 'es'],
  ] as const)(
    "depends on the customer's language %j and the organization's language %s: %s",
    (customer, fallback, language) => {
      expect(emailLanguage(customer, fallback)).toBe(language);
    },
  );
});

test('failed email deliveries are retried for about 37 hours', () => {
  const failedAt = new Date('2027-01-01T00:00:00Z');
  const delays = Array.from({ length: maxEmailAttempts }, (_none, index) => nextEmailAt(index + 1, failedAt));
  expect(delays.map((at) => at?.toISOString().slice(8, 16) ?? null)).toEqual([
    '01T00:01',
    '01T00:05',
    '01T00:15',
    '01T01:00',
    '01T04:00',
    '01T12:00',
    '01T20:00',
    null,
  ]);
});
