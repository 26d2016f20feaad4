import { describe, expect, test } from 'vitest';
import { eventSubject } from '../../src/domain/event-subject.ts';
import { eventSummary } from '../../src/domain/event-summary.ts';
import { type EventKind, eventKinds } from '../../src/domain/events.ts';

type Data = Record<string, unknown>;

const invoice = { invoiceId: 'inv_1', invoiceNumber: 'INV-0007' };
const pro = { planId: 'pln_2', planName: 'Pro' };
const card = { card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 } };
const charge = { ...invoice, paymentTransactionId: 'txn_1', currency: 'eur' };
const link = { paymentId: 'pay_1', amount: 12_000, currency: 'jpy', description: 'Consulting' };
const quota = { featureCode: 'api_calls', includedAmount: 1_000 };
const bank = {
  payoutId: 'po_1',
  amount: 100_000,
  currency: 'usd',
  destinationBank: { bankName: 'First Bank', last4: '6789' },
};
const addon = { addon: { id: 'adn_1', name: 'Priority support' } };

/** Each kind with data of its own and what it says. */
const told: { readonly [Kind in EventKind]: readonly [Data, string] } = {
  'subscription.created': [pro, 'A subscription to Pro was created.'],
  'subscription.activated': [
    { name: 'Berlin office', ...invoice, invoiceTotal: 4_900, invoiceCurrency: 'usd' },
    'The subscription Berlin office became active with invoice INV-0007 of $49.00.',
  ],
  'subscription.reactivated': [{ name: null, invoiceNumber: null }, 'The subscription was reactivated.'],
  'subscription.canceled': [
    { cancelReason: 'Too expensive.' },
    'The subscription was canceled: Too expensive.',
  ],
  'subscription.updated': [{}, 'The subscription was updated.'],
  'subscription.plan_changed': [
    { previousPlan: { name: 'Starter' }, currentPlan: { name: 'Pro' }, billingInterval: 'yearly' },
    'The plan changed from Starter to Pro, billed yearly.',
  ],
  'subscription.cancellation_scheduled': [
    { effectiveAt: '2026-05-01T00:00:00.000Z' },
    'The cancellation of the subscription was scheduled for May 1, 2026.',
  ],
  'subscription.retained': [
    { offerName: 'Half off', cancelReason: 'Too expensive.' },
    'The customer stays with the offer Half off: Too expensive.',
  ],
  'subscription.cancellation_revoked': [{}, 'The scheduled cancellation of the subscription was revoked.'],
  'subscription.plan_change_scheduled': [
    {
      currentPlan: { id: 'a' },
      scheduledPlan: { id: 'a', name: 'Pro' },
      scheduledBillingInterval: 'yearly',
      effectiveAt: '2026-12-31T00:00:00.000Z',
    },
    'A change to yearly billing was scheduled for December 31, 2026.',
  ],
  'subscription.plan_change_revoked': [
    { currentPlan: { id: 'a' }, revokedPlan: { id: 'b', name: 'Pro' } },
    'The scheduled change to Pro was revoked.',
  ],
  'subscription.past_due': [invoice, 'The subscription is past due because invoice INV-0007 is unpaid.'],
  'trial.started': [
    { ...pro, trialEndsAt: '2026-02-28T09:00:00.000Z' },
    'The trial of Pro began and ends on February 28, 2026.',
  ],
  'trial.converted': [pro, 'The trial of Pro became a paid subscription.'],
  'trial.expired': [pro, 'The trial of Pro ended.'],
  'trial.will_end': [
    { ...pro, trialEndsAt: '2026-02-28T09:00:00.000Z' },
    'The trial of Pro will end on February 28, 2026.',
  ],
  'trial.checkout_ready': [{ ...pro, trialDays: 1 }, 'A checkout for a trial of Pro for 1 day is ready.'],
  'checkout.ready': [
    { ...invoice, invoiceTotal: 4_900, invoiceCurrency: 'usd' },
    'A checkout for invoice INV-0007 of $49.00 is ready.',
  ],
  'payment.received': [{ ...charge, invoiceTotal: 123_456 }, 'Invoice INV-0007 of €1,234.56 was paid.'],
  'payment.failed': [
    { ...invoice, failureMessage: 'The card was declined.' },
    'The payment of invoice INV-0007 failed: The card was declined.',
  ],
  'payment.recovered': [invoice, 'Invoice INV-0007 was paid after failed payments.'],
  'payment.retry_failed': [
    { ...invoice, reason: 'insufficient_funds' },
    'The last retry of the payment of invoice INV-0007 failed: insufficient funds.',
  ],
  'payment.refunded': [{ ...charge, refundAmount: 1_000 }, '€10.00 of invoice INV-0007 was refunded.'],
  'payment.disputed': [
    { ...charge, disputeAmount: 4_900, disputeReason: 'product_not_received' },
    'A payment of €49.00 for invoice INV-0007 was disputed: product not received.',
  ],
  'payment.dispute_resolved': [
    { ...charge, invoiceNumber: null, disputeAmount: 4_900, outcome: 'won' },
    'The dispute of a payment of €49.00 was won.',
  ],
  'payment_link.created': [link, 'A payment link over ¥12,000 for Consulting was created.'],
  'payment_link.completed': [
    { ...link, ...invoice },
    'The payment link over ¥12,000 for Consulting was paid with invoice INV-0007.',
  ],
  'payment_link.failed': [
    { ...link, failureMessage: 'Declined.' },
    'A payment by the payment link over ¥12,000 for Consulting failed: Declined.',
  ],
  'payment_link.canceled': [{ ...link, description: null }, 'The payment link over ¥12,000 was canceled.'],
  'invoice.created': [
    { ...invoice, total: 4_900, currency: 'usd' },
    'Invoice INV-0007 of $49.00 was issued.',
  ],
  'invoice.voided': [
    { ...invoice, total: -4_900, currency: 'usd' },
    'Invoice INV-0007 of -$49.00 was voided.',
  ],
  'invoice.overdue': [
    { ...invoice, total: 4_900, currency: 'usd', dueDate: '2026-07-04T00:00:00.000Z' },
    'Invoice INV-0007 of $49.00 is overdue since July 4, 2026.',
  ],
  'invoice.upcoming': [
    { ...pro, currentPeriodEnd: '2026-07-04T00:00:00.000Z' },
    'The subscription to Pro will renew on July 4, 2026.',
  ],
  'payment_method.attached': [card, 'A visa card ending in 4242 was stored.'],
  'payment_method.detached': [card, 'A visa card ending in 4242 was removed.'],
  'payment_method.updated': [card, 'The payment method was replaced by a visa card ending in 4242.'],
  'customer.created': [
    { fullName: 'Ada Lovelace', email: 'ada@example.com' },
    'Customer Ada Lovelace was created.',
  ],
  'customer.updated': [{ fullName: '', email: 'ada@example.com' }, 'Customer ada@example.com was updated.'],
  'customer.deleted': [{ fullName: 'Ada', email: 'ada@example.com' }, 'Customer Ada was deleted.'],
  'customer.state_changed': [{ trigger: 'plan_change' }, 'The access of the customer changed: plan change.'],
  'plan_grant.created': [
    { id: 'pgr_1', duration: 'until_date', expiresAt: '2026-07-04T00:00:00.000Z' },
    'Access to a higher plan was granted until July 4, 2026.',
  ],
  'plan_grant.updated': [
    { id: 'pgr_1', duration: 'cycles', durationCycles: 3, expiresAt: null },
    'The plan grant was changed and lasts for 3 billing periods.',
  ],
  'plan_grant.expired': [{ id: 'pgr_1' }, 'The plan grant expired.'],
  'plan_grant.revoked': [{ id: 'pgr_1', duration: 'until_revoked' }, 'The plan grant was revoked.'],
  'credits.granted': [
    { credits: 1_000, reason: 'period_reset' },
    '1,000 credits were granted for the new period.',
  ],
  'credits.purchased': [
    { ...invoice, creditPackName: 'Small pack', credits: 500 },
    'Small pack with 500 credits was bought with invoice INV-0007.',
  ],
  'credits.low': [{ remainingCredits: 1, periodCredits: 1_000 }, '1 of 1,000 credits is left.'],
  'credits.depleted': [{ remainingCredits: 0 }, 'All credits are used up.'],
  'credits.expired': [{ expiredCredits: 12 }, '12 credits expired.'],
  'balance.topped_up': [
    { ...invoice, amount: 500_000, currency: 'usd' },
    '$50.00 was added to the balance with invoice INV-0007.',
  ],
  'balance.low': [{ currentBalance: 12_345, currency: 'usd' }, 'The balance is down to $1.2345.'],
  'balance.depleted': [
    { currentBalance: -5_000, currency: 'usd' },
    'The balance is used up and stands at -$0.50.',
  ],
  'quota.threshold_reached': [
    { ...quota, currentUsage: 800 },
    'Usage of api_calls reached 800 of 1,000 included.',
  ],
  'quota.exceeded': [
    { ...quota, currentUsage: 1_000 },
    'Usage of api_calls used up all 1,000 included and stands at 1,000.',
  ],
  'seats.updated': [
    { featureCode: 'team', previousSeats: 3, currentSeats: 5 },
    'Seats of team changed from 3 to 5.',
  ],
  'seats.limit_reached': [
    { featureCode: 'team', currentSeats: 5, includedSeats: 5 },
    'Seats of team reached 5 of 5 included.',
  ],
  'addon.activated': [
    { ...addon, proratedPrice: 90_000, currency: 'usd' },
    'The add-on Priority support was activated for $9.00.',
  ],
  'addon.deactivated': [addon, 'The add-on Priority support was deactivated.'],
  'usage.recorded': [
    { usageEventId: 'evt_1', featureCode: 'api_calls', value: 1 },
    '1 unit of api_calls was used.',
  ],
  'payout.available': [{ availableAmount: 100_000, currency: 'usd' }, '$1,000.00 is available for payout.'],
  'payout.created': [bank, 'A payout of $1,000.00 to First Bank ending in 6789 was requested.'],
  'payout.paid': [bank, 'A payout of $1,000.00 to First Bank ending in 6789 was paid.'],
  'payout.failed': [
    { ...bank, destinationBank: null, failureMessage: 'The account is closed.' },
    'A payout of $1,000.00 failed: The account is closed.',
  ],
  'export.completed': [
    { exportId: 'exp_1', kind: 'invoice_lines', rows: 1_204 },
    'An export of invoice lines with 1,204 rows was completed.',
  ],
  'export.failed': [
    { exportId: 'exp_1', kind: 'customers', error: 'The file could not be written. Ask for it again.' },
    'An export of customers failed: The file could not be written. Ask for it again.',
  ],
};

describe('the summary of an event', () => {
  test.each(eventKinds)('%s is one sentence with its names and amounts', (kind) => {
    const [data, summary] = told[kind];
    expect(eventSummary(kind, data)).toBe(summary);
  });

  test.each(eventKinds)('%s is a sentence even where its data say nothing', (kind) => {
    expect(eventSummary(kind, {})).toMatch(/^[A-Z0-9][^{}]*[^.\s]\.$/);
    expect(eventSummary(kind, {})).not.toMatch(/undefined|null|NaN| {2}/);
  });

  test.each(eventKinds)('%s is a sentence in Spanish, with the same names and numbers', (kind) => {
    const [data, english] = told[kind];
    const spanish = eventSummary(kind, data, 'es');
    expect(spanish).toMatch(/^[A-ZÚ0-9][^{}]*[^.\s]\.$/);
    expect(eventSummary(kind, {}, 'es')).toMatch(/^[A-ZÚ0-9][^{}]*[^.\s]\.$/);
    expect(`${spanish} ${eventSummary(kind, {}, 'es')}`).not.toMatch(/undefined|null|NaN| {2}/);
    // No word of the English sentence is left but names, and what the customer wrote.
    expect(spanish).not.toMatch(/\b(was|were|the|invoice|subscription|payment|credits|seats|ends|failed)\b/i);
    expect(spanish).not.toBe(english);
  });

  test.each([
    [
      'payment.received',
      'Se pagó la factura INV-0007 de 49,00 US$.',
      { ...invoice, invoiceTotal: 4_900, currency: 'usd' },
    ],
    [
      'subscription.plan_change_scheduled',
      'Se programó un cambio a la facturación anual para el 31 de diciembre de 2026.',
      told['subscription.plan_change_scheduled'][0],
    ],
    ['payout.paid', 'Se pagó un retiro de 1000,00 US$ a la cuenta de First Bank terminada en 6789.', bank],
    ['credits.granted', 'Se concedió 1 crédito a mano.', { credits: 1 }],
    [
      'credits.granted',
      'Se concedieron 1.200.000 créditos para el nuevo periodo.',
      { credits: 1_200_000, reason: 'period_reset' },
    ],
    ['payment_method.attached', 'Se guardó una tarjeta visa terminada en 4242.', card],
  ] as const)('%s reads in Spanish: %s', (kind, spanish, data) => {
    expect(eventSummary(kind, data, 'es')).toBe(spanish);
  });

  test('there is none for what is no event', () => {
    expect(() => eventSummary('toString', {})).toThrow('no event');
  });
});

describe('the subject of an event', () => {
  const ids = { customerId: 'cus_1', subscriptionId: 'sub_1' };

  test.each(eventKinds)('%s has one, but for funds that are released and for files', (kind) => {
    const isAboutNobody = kind.startsWith('payout.') || kind.startsWith('export.');
    const owner = isAboutNobody ? { customerId: null, subscriptionId: null } : ids;
    const subject = eventSubject({ kind, data: told[kind][0], ...owner });
    expect(subject === null).toBe(kind === 'payout.available' || kind.startsWith('export.'));
  });

  test.each([
    ['payment.received', { model: 'Transaction', id: 'txn_1' }],
    ['payment.failed', { model: 'Invoice', id: 'inv_1' }],
    ['payment_link.failed', { model: 'Payment', id: 'pay_1' }],
    ['plan_grant.revoked', { model: 'PlanGrant', id: 'pgr_1' }],
    ['usage.recorded', { model: 'UsageEvent', id: 'evt_1' }],
    ['seats.updated', { model: 'Subscription', id: 'sub_1' }],
    ['customer.state_changed', { model: 'Customer', id: 'cus_1' }],
    ['payout.paid', { model: 'Payout', id: 'po_1' }],
  ] as const)('of %s is %o', (kind, subject) => {
    expect(eventSubject({ kind, data: told[kind][0], ...ids })).toEqual(subject);
  });

  test('is the customer where no subscription is named, and nothing where no one is', () => {
    const source = { kind: 'payment_method.updated', data: {}, customerId: 'cus_1', subscriptionId: null };
    expect(eventSubject(source)).toEqual({ model: 'Customer', id: 'cus_1' });
    expect(eventSubject({ ...source, customerId: null })).toBeNull();
  });
});
