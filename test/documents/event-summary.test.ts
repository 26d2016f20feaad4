import { describe, expect, test } from 'vitest';
import { eventSummary } from '../../src/documents/event-summary.ts';
import { eventSubject } from '../../src/domain/events/event-subject.ts';
import { type EventKind, eventKinds } from '../../src/domain/events/events.ts';

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

/** Sample data of each event type, with the expected summary. */
const samples: { readonly [Kind in EventKind]: readonly [Data, string] } = {
  'subscription.created': [pro, 'A subscription to Pro was created.'],
  'subscription.activated': [
    { name: 'Berlin office', ...invoice, invoiceTotal: 4_900, invoiceCurrency: 'usd' },
    'The subscription Berlin office became active with invoice INV-0007 for $49.00.',
  ],
  'subscription.reactivated': [{ name: null, invoiceNumber: null }, 'The subscription was reactivated.'],
  'subscription.canceled': [
    { cancelReason: 'Too expensive.' },
    'The subscription was canceled: Too expensive.',
  ],
  'subscription.updated': [{}, 'The subscription was updated.'],
  'subscription.plan_changed': [
    { previousPlan: { name: 'Starter' }, currentPlan: { name: 'Pro' }, billingInterval: 'yearly' },
    'The plan changed from Starter to Pro, and billing is now yearly.',
  ],
  'subscription.cancellation_scheduled': [
    { effectiveAt: '2026-05-01T00:00:00.000Z' },
    'The cancellation of the subscription was scheduled for May 1, 2026.',
  ],
  'subscription.retained': [
    { offerName: 'Half off', cancelReason: 'Too expensive.' },
    'The customer accepted the retention offer Half off instead of canceling (cancellation reason: Too expensive).',
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
    'The scheduled change to Pro was canceled.',
  ],
  'subscription.past_due': [invoice, 'The subscription is past due because invoice INV-0007 is unpaid.'],
  'subscription.charges_waived': [
    { currency: 'usd', charges: [{ description: 'Calls', amount: null }] },
    "Charges that couldn't be billed were waived when the subscription ended.",
  ],
  'trial.started': [
    { ...pro, trialEndsAt: '2026-02-28T09:00:00.000Z' },
    'The free trial of Pro started and ends on February 28, 2026.',
  ],
  'trial.converted': [pro, 'The free trial of Pro converted to a paid subscription.'],
  'trial.expired': [pro, 'The free trial of Pro ended.'],
  'payment_method.expiring': [
    { planName: 'Pro', card: { brand: 'visa', last4: '4242' }, renewsAt: '2027-03-01T00:00:00.000Z' },
    'The visa card ending in 4242 for Pro will expire before the renewal on March 1, 2027.',
  ],
  'trial.will_end': [
    { ...pro, trialEndsAt: '2026-02-28T09:00:00.000Z' },
    'The free trial of Pro will end on February 28, 2026.',
  ],
  'trial.checkout_ready': [{ ...pro, trialDays: 1 }, 'A checkout for a free trial of Pro (1 day) is ready.'],
  'checkout.duplicate': [
    {},
    'A payer who already has a subscription tried to purchase another subscription.',
  ],
  'checkout.expired': [{}, 'A checkout expired without a payment.'],
  'checkout.ready': [
    { ...invoice, invoiceTotal: 4_900, invoiceCurrency: 'usd' },
    'A checkout for invoice INV-0007 ($49.00) is ready.',
  ],
  'payment.scheduled': [
    { ...charge, amount: 5_831, collectionOn: '2027-03-04T00:00:00.000Z' },
    'A debit of €58.31 for invoice INV-0007 was scheduled for March 4, 2027.',
  ],
  'payment.processing': [
    { ...charge, amount: 5_831, expectedOn: '2027-03-11T00:00:00.000Z' },
    'A debit of €58.31 for invoice INV-0007 was sent to the bank. The result is expected on March 11, 2027.',
  ],
  'payment.returned': [
    { ...charge, amount: 5_831, failureCode: 'MD06' },
    'The bank returned a payment of €58.31 for invoice INV-0007: MD06.',
  ],
  'receipt.recorded': [
    { ...charge, receiptId: 'rcp_1', amount: 70_000 },
    'A payment of €700.00 for invoice INV-0007 arrived without a charge.',
  ],
  'receipt.applied': [
    { ...charge, receiptId: 'rcp_1', amount: 70_000 },
    'A received payment of €700.00 was applied to invoice INV-0007.',
  ],
  'receipt.returned': [
    { receiptId: 'rcp_1', currency: 'eur', returnedAmount: 1_000 },
    'A received payment of €10.00 was returned to the payer.',
  ],
  'payment.received': [{ ...charge, invoiceTotal: 123_456 }, 'Invoice INV-0007 for €1,234.56 was paid.'],
  'payment.failed': [
    { ...invoice, failureMessage: 'The card was declined.' },
    'The payment for invoice INV-0007 failed: The card was declined.',
  ],
  'payment.recovered': [invoice, 'Invoice INV-0007 was paid after failed payment attempts.'],
  'payment.retry_failed': [
    { ...invoice, reason: 'insufficient_funds' },
    'The last payment retry for invoice INV-0007 failed: insufficient funds.',
  ],
  'payment.refunded': [{ ...charge, refundAmount: 1_000 }, '€10.00 of invoice INV-0007 was refunded.'],
  'payment.disputed': [
    { ...charge, disputeAmount: 4_900, disputeReason: 'product_not_received' },
    'A payment of €49.00 for invoice INV-0007 was disputed: product not received.',
  ],
  'payment.dispute_resolved': [
    { ...charge, invoiceNumber: null, disputeAmount: 4_900, outcome: 'won' },
    'The dispute over a payment of €49.00 was won.',
  ],
  'payment_link.created': [link, 'A payment link for ¥12,000 (Consulting) was created.'],
  'payment_link.completed': [
    { ...link, ...invoice },
    'The payment link for ¥12,000 (Consulting) was paid with invoice INV-0007.',
  ],
  'payment_link.failed': [
    { ...link, failureMessage: 'Declined.' },
    'A payment through the payment link for ¥12,000 (Consulting) failed: Declined.',
  ],
  'payment_link.canceled': [{ ...link, description: null }, 'The payment link for ¥12,000 was canceled.'],
  'invoice.created': [
    { ...invoice, total: 4_900, currency: 'usd' },
    'Invoice INV-0007 for $49.00 was issued.',
  ],
  'invoice.updated': [
    { ...invoice, total: 5_900, currency: 'usd' },
    'Invoice INV-0007 for $59.00 was updated at checkout.',
  ],
  'invoice.reopened': [
    { ...invoice, total: 4_900, currency: 'usd' },
    'Invoice INV-0007 for $49.00 was reopened.',
  ],
  'invoice.voided': [
    { ...invoice, total: -4_900, currency: 'usd' },
    'Invoice INV-0007 for -$49.00 was voided.',
  ],
  'invoice.overdue': [
    { ...invoice, total: 4_900, currency: 'usd', dueDate: '2026-07-04T00:00:00.000Z' },
    'Invoice INV-0007 for $49.00 has been overdue since July 4, 2026.',
  ],
  'invoice.upcoming': [
    { ...pro, currentPeriodEnd: '2026-07-04T00:00:00.000Z' },
    'The subscription to Pro will renew on July 4, 2026.',
  ],
  'credit_note.created': [
    { ...invoice, creditNoteId: 'crn_1', creditNoteNumber: 'CN-0002', total: -4_900, currency: 'usd' },
    'Credit note CN-0002 of $49.00 was issued for invoice INV-0007.',
  ],
  'payment_method.attached': [card, 'A visa card ending in 4242 was stored.'],
  'mandate.created': [{ reference: 'MDT-1' }, 'The mandate MDT-1 was accepted.'],
  'mandate.revoked': [{ reference: 'MDT-1', reason: 'MD01' }, 'The mandate MDT-1 was revoked: MD01.'],
  'payment_method.detached': [card, 'A visa card ending in 4242 was removed.'],
  'payment_method.updated': [card, 'The payment method was replaced by a visa card ending in 4242.'],
  'customer.created': [
    { fullName: 'Ada Lovelace', email: 'ada@example.com' },
    'Customer Ada Lovelace was created.',
  ],
  'customer.updated': [{ fullName: '', email: 'ada@example.com' }, 'Customer ada@example.com was updated.'],
  'customer.deleted': [{ fullName: 'Ada', email: 'ada@example.com' }, 'Customer Ada was deleted.'],
  'customer.state_changed': [
    { trigger: 'plan_change' },
    "The customer's feature access changed: plan change.",
  ],
  'plan_grant.created': [
    { id: 'pgr_1', duration: 'until_date', expiresAt: '2026-07-04T00:00:00.000Z' },
    'Access to a higher plan was granted until July 4, 2026.',
  ],
  'plan_grant.updated': [
    { id: 'pgr_1', duration: 'cycles', durationCycles: 3, expiresAt: null },
    'The plan grant was changed and now lasts for 3 billing periods.',
  ],
  'plan_grant.expired': [{ id: 'pgr_1' }, 'The plan grant expired.'],
  'plan_grant.revoked': [{ id: 'pgr_1', duration: 'until_revoked' }, 'The plan grant was revoked.'],
  'lot.granted': [{ lotId: 'lot_1' }, 'A lot of credits or balance was granted.'],
  'lot.expiring': [
    { lotId: 'lot_1', expiresAt: '2027-05-01T00:00:00.000Z' },
    'A lot of credits or balance expires soon (on May 1, 2027).',
  ],
  'lot.expired': [{ lotId: 'lot_1' }, 'A lot of credits or balance expired.'],
  'commitment.purchased': [{ commitmentId: 'lot_1' }, 'A prepaid commitment was purchased.'],
  'commitment.ended': [{ commitmentId: 'lot_1' }, 'A prepaid commitment ended.'],
  'auto_topup.succeeded': [
    { amount: 2_165, currency: 'usd' },
    'An automatic top-up of $21.65 was purchased.',
  ],
  'auto_topup.skipped': [
    { reason: 'monthly_amount' },
    "An automatic top-up wasn't purchased: the amount for this month is reached.",
  ],
  'auto_topup.failed': [
    { reason: 'declined' },
    'The charge of an automatic top-up failed: the payment was declined.',
  ],
  'auto_topup.paused': [
    { reason: 'action_required' },
    'The automatic top-up was paused: the payment requires authentication.',
  ],
  'auto_topup.resumed': [{ reason: null }, 'The automatic top-up was resumed.'],
  'lot.refunded': [{ lotId: 'lot_1' }, 'A refund removed unused credits or balance.'],
  'usage.corrected': [
    { usageEventId: 'evt_1', featureCode: 'api_calls' },
    'Usage of api_calls was corrected.',
  ],
  'meter.dimensions_full': [
    { featureCode: 'api_calls' },
    'Usage of api_calls has too many combinations of dimension values.',
  ],
  'meter.recounted': [
    { featureCode: 'api_calls' },
    'Usage of api_calls was counted again with new dimensions.',
  ],
  'limit.threshold_reached': [
    { name: 'Spend cap', unit: 'usd', value: '20.4', threshold: '20' },
    'The limit Spend cap reached a threshold of 20 USD.',
  ],
  'limit.reached': [{ name: null, unit: 'calls', value: '100' }, 'A limit was reached with a value of 100.'],
  'limit.resolved': [
    { name: 'Low tokens', unit: 'tokens', value: '250' },
    'The limit Low tokens is resolved: the remaining amount is 250 TOKENS.',
  ],
  'usage.anomaly': [
    { name: 'Daily tokens', unit: 'tokens', value: '9100', median: '1200' },
    'The usage of the day is unusually high for the limit Daily tokens: 9100 TOKENS, and 1200 TOKENS on a usual day.',
  ],
  'limit.raised': [
    { name: 'Spend cap', unit: 'usd', raise: '10' },
    'The limit Spend cap was raised by 10 USD.',
  ],
  'limit.raise_ended': [
    { name: 'Spend cap', unit: 'usd', raise: '10' },
    'A raise of the limit Spend cap by 10 USD was ended.',
  ],
  'approval.requested': [
    { operation: 'transactionRefund' },
    'An approval was requested for transactionRefund.',
  ],
  'approval.decided': [
    { operation: 'transactionRefund', decision: 'reject' },
    'A request for transactionRefund was rejected.',
  ],
  'api_key.policy_changed': [{ name: 'Agent' }, 'The policy of the API key Agent was changed.'],
  'api_key.narrowed': [{ name: 'Agent' }, 'Permissions of the API key Agent were removed.'],
  'app.connected': [{ name: 'Assistant' }, 'The app Assistant was connected.'],
  'limit.overrun': [
    { name: 'Spend cap', unit: 'usd', excess: '0.12' },
    'The limit Spend cap was exceeded by 0.12 USD.',
  ],
  'hold.expired': [{ featureCode: 'api_calls' }, 'A hold on api_calls expired.'],
  'hold.settled_late': [{ featureCode: 'api_calls' }, 'An expired hold on api_calls was settled.'],
  'usage.uncounted': [{ featureCode: 'api_calls' }, "A part of the usage of api_calls isn't charged."],
  'rate_card.updated': [{ rateCardId: 'rcd_1', name: 'AI models' }, 'AI models was changed.'],
  'credits.granted': [
    { credits: 1_000, reason: 'period_reset' },
    '1,000 credits were granted for the new period.',
  ],
  'credits.purchased': [
    { ...invoice, creditPackName: 'Small pack', credits: 500 },
    'The credit pack Small pack with 500 credits was purchased with invoice INV-0007.',
  ],
  'credits.low': [{ remainingCredits: 1, periodCredits: 1_000 }, '1 of 1,000 credits is left.'],
  'credits.depleted': [{ remainingCredits: 0 }, 'All credits are used up.'],
  'credits.expired': [{ expiredCredits: 12 }, '12 credits expired.'],
  'balance.topped_up': [
    { ...invoice, amount: 500_000, currency: 'usd' },
    '$50.00 was added to the balance with invoice INV-0007.',
  ],
  'balance.low': [{ currentBalance: 12_345, currency: 'usd' }, 'The balance fell to $1.2345.'],
  'balance.depleted': [
    { currentBalance: -5_000, currency: 'usd' },
    'The balance is used up. The current balance is -$0.50.',
  ],
  'quota.threshold_reached': [
    { ...quota, currentUsage: 800 },
    'Usage of api_calls reached 800 of 1,000 included units.',
  ],
  'quota.exceeded': [
    { ...quota, currentUsage: 1_000 },
    'Usage of api_calls is now 1,000, and the included units (1,000) are used up.',
  ],
  'seats.updated': [
    { featureCode: 'team', previousSeats: 3, currentSeats: 5 },
    'The number of seats for team changed from 3 to 5.',
  ],
  'seats.limit_reached': [
    { featureCode: 'team', currentSeats: 5, includedSeats: 5 },
    'The number of seats for team is now 5, and all 5 included seats are in use.',
  ],
  'addon.activated': [
    { ...addon, proratedPrice: 90_000, currency: 'usd' },
    'The add-on Priority support was added for $9.00.',
  ],
  'addon.deactivated': [addon, 'The add-on Priority support was removed.'],
  'usage.recorded': [
    { usageEventId: 'evt_1', featureCode: 'api_calls', value: 1 },
    '1 unit of api_calls was used.',
  ],
  'payout.available': [{ availableAmount: 100_000, currency: 'usd' }, '$1,000.00 is available for payout.'],
  'payout.created': [bank, 'A payout of $1,000.00 to the First Bank account ending in 6789 was requested.'],
  'payout.paid': [bank, 'A payout of $1,000.00 to the First Bank account ending in 6789 was paid.'],
  'payout.canceled': [bank, 'A payout of $1,000.00 to the First Bank account ending in 6789 was canceled.'],
  'payout_bank_account.created': [
    { bankAccountId: 'pba_1', last4: '6789', country: 'US', currency: 'usd', isDefault: true },
    'A bank account ending in 6789 was added for payouts.',
  ],
  'payment_connection.created': [
    { connectionId: 'con_1', provider: 'stripe', name: 'Main', isDefault: true },
    'The connected account Main was added as the default.',
  ],
  'payment_connection.updated': [
    {
      connectionId: 'con_1',
      provider: 'stripe',
      name: 'Main',
      isDefault: true,
      changedFields: ['name', 'secretKey'],
    },
    'The connected account Main was updated: name, secretKey.',
  ],
  'payment_route.updated': [
    { country: 'DE', provider: 'platform', previousProvider: null },
    "Payments from DE are now collected through the platform's payment provider.",
  ],
  'tax_registration.created': [
    { taxRegistrationId: 'txr_1', country: 'US', region: 'US-TX', rateBps: null },
    'A tax registration for US-TX was created.',
  ],
  'tax_registration.deleted': [
    { taxRegistrationId: 'txr_1', country: 'DE', region: null, rateBps: 1_900 },
    'A tax registration for DE was deleted.',
  ],
  'payout.failed': [
    { ...bank, destinationBank: null, failureMessage: 'The account is closed.' },
    'A payout of $1,000.00 failed: The account is closed.',
  ],
  'export.completed': [
    { exportId: 'exp_1', kind: 'invoice_lines', rows: 1_204 },
    'An export of invoice lines with 1,204 rows was completed.',
  ],
  'export.failed': [
    { exportId: 'exp_1', kind: 'customers', error: 'The file could not be written. Start a new export.' },
    'An export of customers failed: The file could not be written. Start a new export.',
  ],
  'deadline.failed': [
    {
      deadline: 'period_end',
      dueAt: '2026-02-28T00:00:00.000Z',
      error: 'The line item “Calls” exceeds the maximum invoice total.',
    },
    "The subscription renewal scheduled for February 28, 2026 couldn't be processed: The line item “Calls” exceeds the maximum invoice total.",
  ],
};

describe('the event summary', () => {
  test.each(eventKinds)('describes %s in one English sentence with names and amounts', (kind) => {
    const [data, summary] = samples[kind];
    expect(eventSummary(kind, data)).toBe(summary);
  });

  test.each(eventKinds)('describes %s in one sentence if optional data is missing', (kind) => {
    expect(eventSummary(kind, {})).toMatch(/^[A-Z0-9][^{}]*[^.\s]\.$/);
    expect(eventSummary(kind, {})).not.toMatch(/undefined|null|NaN| {2}/);
  });

  test.each(eventKinds)('describes %s in one Spanish sentence without English words', (kind) => {
    const [data, english] = samples[kind];
    const spanish = eventSummary(kind, data, 'es');
    expect(spanish).toMatch(/^[A-ZÚ0-9][^{}]*[^.\s]\.$/);
    expect(eventSummary(kind, {}, 'es')).toMatch(/^[A-ZÚ0-9][^{}]*[^.\s]\.$/);
    expect(`${spanish} ${eventSummary(kind, {}, 'es')}`).not.toMatch(/undefined|null|NaN| {2}/);
    // Names and other strings from customers and merchants aren't translated.
    expect(spanish).not.toMatch(/\b(was|were|the|invoice|subscription|payment|credits|seats|ends|failed)\b/i);
    expect(spanish).not.toBe(english);
  });

  test.each(eventKinds)('describes %s in one Portuguese sentence without English words', (kind) => {
    const [data, english] = samples[kind];
    const texts = [eventSummary(kind, data, 'pt_BR'), eventSummary(kind, {}, 'pt_BR')];
    for (const text of texts) expect(text).toMatch(/^[A-ZÚ0-9][^{}]*[^.\s]\.$/);
    expect(texts.join(' ')).not.toMatch(/undefined|null|NaN| {2}/);
    expect(texts[0]).not.toMatch(
      /\b(was|were|the|invoice|subscription|payment|credits|seats|ends|failed)\b/i,
    );
    expect(texts[0]).not.toBe(english);
  });

  test.each([
    [
      'payment.received',
      'A fatura INV-0007 de US$ 49,00 foi paga.',
      { ...invoice, invoiceTotal: 4_900, currency: 'usd' },
    ],
    [
      'credits.granted',
      '1.200.000 créditos foram concedidos para o novo período.',
      { credits: 1_200_000, reason: 'period_reset' },
    ],
    ['payment_method.attached', 'Um cartão visa com final 4242 foi salvo.', card],
  ] as const)('describes %s in Portuguese: %s', (kind, portuguese, data) => {
    expect(eventSummary(kind, data, 'pt_BR').replaceAll('\u00a0', ' ')).toBe(portuguese);
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
      samples['subscription.plan_change_scheduled'][0],
    ],
    ['payout.paid', 'Se pagó un retiro de 1000,00 US$ a la cuenta de First Bank terminada en 6789.', bank],
    ['credits.granted', 'Se concedió 1 crédito manualmente.', { credits: 1 }],
    [
      'credits.granted',
      'Se concedieron 1.200.000 créditos para el nuevo periodo.',
      { credits: 1_200_000, reason: 'period_reset' },
    ],
    ['payment_method.attached', 'Se guardó una tarjeta visa terminada en 4242.', card],
  ] as const)('describes %s in Spanish: %s', (kind, spanish, data) => {
    expect(eventSummary(kind, data, 'es')).toBe(spanish);
  });

  test.each([
    ['credits.granted', { credits: 0 }, '0 credits were granted manually.'],
    ['credits.granted', { credits: 1 }, '1 credit was granted manually.'],
    ['credits.granted', { credits: 2 }, '2 credits were granted manually.'],
    ['credits.low', { remainingCredits: 1, periodCredits: 100 }, '1 of 100 credits is left.'],
    ['credits.low', { remainingCredits: 20, periodCredits: 1_000 }, '20 of 1,000 credits are left.'],
    ['credits.expired', { expiredCredits: 1 }, '1 credit expired.'],
    ['usage.recorded', { value: 1.5, featureCode: 'hours' }, '1.5 units of hours were used.'],
    ['export.completed', { kind: 'customers', rows: 1 }, 'An export of customers with 1 row was completed.'],
    [
      'plan_grant.updated',
      { duration: 'cycles', durationCycles: 1 },
      'The plan grant was changed and now lasts for 1 billing period.',
    ],
  ] as const)('chooses the plural form of %s for %o in English', (kind, data, english) => {
    expect(eventSummary(kind, data)).toBe(english);
  });

  test.each([
    [0, 'Caducaron 0 créditos.'],
    [1, 'Caducó 1 crédito.'],
    [2, 'Caducaron 2 créditos.'],
    [1_000_000, 'Caducaron 1.000.000 de créditos.'],
    [1_200_000, 'Caducaron 1.200.000 créditos.'],
  ])('chooses the plural form of credits.expired for %d credits in Spanish', (expiredCredits, spanish) => {
    expect(eventSummary('credits.expired', { expiredCredits }, 'es')).toBe(spanish);
  });

  test('summarizes a plan change that changes only the billing interval', () => {
    const plan = { id: 'pln_2', name: 'Pro' };
    const data = { previousPlan: plan, currentPlan: plan, billingInterval: 'yearly' };
    expect(eventSummary('subscription.plan_changed', data)).toBe('The billing interval changed to yearly.');
    expect(eventSummary('subscription.plan_changed', data, 'es')).toBe(
      'El periodo de facturación pasó a ser anual.',
    );
  });

  test('rejects an unknown event type', () => {
    expect(() => eventSummary('toString', {})).toThrow('no event');
  });
});

describe('the subject of an event', () => {
  const ids = { customerId: 'cus_1', subscriptionId: 'sub_1' };

  test.each(eventKinds)(
    'exists for %s, unless the event is about available funds, a payment route, or an export',
    (kind) => {
      const hasNoCustomer =
        /^(?:payout|payout_bank_account|payment_connection|payment_route|tax_registration|export)\./.test(
          kind,
        );
      const owner = hasNoCustomer ? { customerId: null, subscriptionId: null } : ids;
      const subject = eventSubject({ kind, data: samples[kind][0], ...owner });
      expect(subject === null).toBe(/^(?:payout\.available|payment_route\.updated|export\..*)$/.test(kind));
    },
  );

  test.each([
    ['payment.received', { model: 'Transaction', id: 'txn_1' }],
    ['receipt.recorded', { model: 'Receipt', id: 'rcp_1' }],
    ['payment.failed', { model: 'Invoice', id: 'inv_1' }],
    ['payment_link.failed', { model: 'Payment', id: 'pay_1' }],
    ['plan_grant.revoked', { model: 'PlanGrant', id: 'pgr_1' }],
    ['credit_note.created', { model: 'CreditNote', id: 'crn_1' }],
    ['usage.recorded', { model: 'UsageEvent', id: 'evt_1' }],
    ['usage.corrected', { model: 'UsageEvent', id: 'evt_1' }],
    ['seats.updated', { model: 'Subscription', id: 'sub_1' }],
    ['customer.state_changed', { model: 'Customer', id: 'cus_1' }],
    ['payout.paid', { model: 'Payout', id: 'po_1' }],
    ['payout.canceled', { model: 'Payout', id: 'po_1' }],
    ['payment_connection.updated', { model: 'PaymentConnection', id: 'con_1' }],
    ['tax_registration.created', { model: 'TaxRegistration', id: 'txr_1' }],
    ['payout_bank_account.created', { model: 'PayoutBankAccount', id: 'pba_1' }],
  ] as const)('returns the subject of %s: %o', (kind, subject) => {
    expect(eventSubject({ kind, data: samples[kind][0], ...ids })).toEqual(subject);
  });

  test('defaults to the customer, or to null if the event has no customer', () => {
    const source = { kind: 'payment_method.updated', data: {}, customerId: 'cus_1', subscriptionId: null };
    expect(eventSubject(source)).toEqual({ model: 'Customer', id: 'cus_1' });
    expect(eventSubject({ ...source, customerId: null })).toBeNull();
  });
});
