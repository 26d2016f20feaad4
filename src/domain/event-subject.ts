import type { EventKind } from './events.ts';

/** What an event can be about, by the model of its row. */
export type EventSubjectModel =
  | 'Customer'
  | 'Subscription'
  | 'Invoice'
  | 'Transaction'
  | 'Payment'
  | 'PlanGrant'
  | 'Payout'
  | 'UsageEvent';

/** What an event is about. */
export type EventSubjectRef = { readonly model: EventSubjectModel; readonly id: string };

/** What is stored of an event that tells its subject. */
export type SubjectSource = {
  readonly kind: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly data: { readonly [field: string]: unknown };
};

/** Events whose subject is named by a field of their data. */
const named: ReadonlyMap<string, readonly [EventSubjectModel, string]> = new Map(
  Object.entries({
    'payment.received': ['Transaction', 'paymentTransactionId'],
    'payment.failed': ['Invoice', 'invoiceId'],
    'payment.recovered': ['Invoice', 'invoiceId'],
    'payment.retry_failed': ['Invoice', 'invoiceId'],
    'payment.refunded': ['Transaction', 'paymentTransactionId'],
    'payment.disputed': ['Transaction', 'paymentTransactionId'],
    'payment.dispute_resolved': ['Transaction', 'paymentTransactionId'],
    'payment_link.created': ['Payment', 'paymentId'],
    'payment_link.completed': ['Payment', 'paymentId'],
    'payment_link.failed': ['Payment', 'paymentId'],
    'payment_link.canceled': ['Payment', 'paymentId'],
    'invoice.created': ['Invoice', 'invoiceId'],
    'invoice.voided': ['Invoice', 'invoiceId'],
    'invoice.overdue': ['Invoice', 'invoiceId'],
    'plan_grant.created': ['PlanGrant', 'id'],
    'plan_grant.updated': ['PlanGrant', 'id'],
    'plan_grant.expired': ['PlanGrant', 'id'],
    'plan_grant.revoked': ['PlanGrant', 'id'],
    'usage.recorded': ['UsageEvent', 'usageEventId'],
    'payout.created': ['Payout', 'payoutId'],
    'payout.paid': ['Payout', 'payoutId'],
    'payout.failed': ['Payout', 'payoutId'],
  } satisfies { readonly [Kind in EventKind]?: readonly [EventSubjectModel, string] }),
);

/** Events about a customer even where they name a subscription. */
const customerKinds: ReadonlySet<string> = new Set([
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.state_changed',
] satisfies EventKind[]);

/** What an event is about: what its data name, else its subscription, else its customer; null for the funds of the organization. */
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
