import type { EventKind } from './events.ts';

/** Database models that an event can be about. */
export type EventSubjectModel =
  | 'Customer'
  | 'Subscription'
  | 'Invoice'
  | 'CreditNote'
  | 'Transaction'
  | 'Receipt'
  | 'Payment'
  | 'PlanGrant'
  | 'Payout'
  | 'PayoutBankAccount'
  | 'PaymentConnection'
  | 'TaxRegistration'
  | 'UsageEvent';

export type EventSubjectRef = { readonly model: EventSubjectModel; readonly id: string };

/** Event fields that determine the event's subject. */
export type SubjectSource = {
  readonly kind: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly data: { readonly [field: string]: unknown };
};

/** Event types whose data contains the ID of the subject. */
const named: ReadonlyMap<string, readonly [EventSubjectModel, string]> = new Map(
  Object.entries({
    'payment.scheduled': ['Transaction', 'paymentTransactionId'],
    'payment.processing': ['Transaction', 'paymentTransactionId'],
    'payment.returned': ['Transaction', 'paymentTransactionId'],
    'payment.received': ['Transaction', 'paymentTransactionId'],
    'payment.failed': ['Invoice', 'invoiceId'],
    'payment.recovered': ['Invoice', 'invoiceId'],
    'payment.retry_failed': ['Invoice', 'invoiceId'],
    'payment.refunded': ['Transaction', 'paymentTransactionId'],
    'payment.disputed': ['Transaction', 'paymentTransactionId'],
    'payment.dispute_resolved': ['Transaction', 'paymentTransactionId'],
    'receipt.recorded': ['Receipt', 'receiptId'],
    'receipt.applied': ['Receipt', 'receiptId'],
    'receipt.returned': ['Receipt', 'receiptId'],
    'payment_link.created': ['Payment', 'paymentId'],
    'payment_link.completed': ['Payment', 'paymentId'],
    'payment_link.failed': ['Payment', 'paymentId'],
    'payment_link.canceled': ['Payment', 'paymentId'],
    'invoice.created': ['Invoice', 'invoiceId'],
    'invoice.updated': ['Invoice', 'invoiceId'],
    'invoice.reopened': ['Invoice', 'invoiceId'],
    'invoice.voided': ['Invoice', 'invoiceId'],
    'invoice.overdue': ['Invoice', 'invoiceId'],
    'credit_note.created': ['CreditNote', 'creditNoteId'],
    'plan_grant.created': ['PlanGrant', 'id'],
    'plan_grant.updated': ['PlanGrant', 'id'],
    'plan_grant.expired': ['PlanGrant', 'id'],
    'plan_grant.revoked': ['PlanGrant', 'id'],
    'usage.recorded': ['UsageEvent', 'usageEventId'],
    'usage.corrected': ['UsageEvent', 'usageEventId'],
    'payout.created': ['Payout', 'payoutId'],
    'payout.paid': ['Payout', 'payoutId'],
    'payout.failed': ['Payout', 'payoutId'],
    'payout.canceled': ['Payout', 'payoutId'],
    'payout_bank_account.created': ['PayoutBankAccount', 'bankAccountId'],
    'payment_connection.created': ['PaymentConnection', 'connectionId'],
    'payment_connection.updated': ['PaymentConnection', 'connectionId'],
    'tax_registration.created': ['TaxRegistration', 'taxRegistrationId'],
    'tax_registration.deleted': ['TaxRegistration', 'taxRegistrationId'],
  } satisfies { readonly [Kind in EventKind]?: readonly [EventSubjectModel, string] }),
);

/** Event types whose subject is the customer, even if the event also belongs to a subscription. */
const customerKinds: ReadonlySet<string> = new Set([
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.state_changed',
] satisfies EventKind[]);

/**
 * Returns the subject of an event: the object whose ID is in its data, otherwise its subscription, otherwise
 * its customer. `null` if the event concerns the organization's funds.
 */
export function eventSubject({
  kind,
  customerId,
  subscriptionId,
  data,
}: SubjectSource): EventSubjectRef | null {
  const naming = named.get(kind);
  if (naming !== undefined) {
    const id = data[naming[1]];
    return typeof id === 'string' ? { model: naming[0], id } : null;
  }
  if (subscriptionId !== null && !customerKinds.has(kind))
    return { model: 'Subscription', id: subscriptionId };
  return customerId === null ? null : { model: 'Customer', id: customerId };
}
