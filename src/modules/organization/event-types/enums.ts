import type { EnumRef } from '@pothos/core';
import {
  eventKinds,
  type EventKind as Kind,
  type EventSource as Source,
} from '../../../domain/events/events.ts';
import { builder } from '../../../graphql/reading/builder.ts';

export const EventSource = builder.enumType('EventSource', {
  description: 'Origin of the change that an event reports.',
  values: {
    api: { description: 'The change was requested with an API key.' },
    dashboard: { description: 'A signed-in member of the organization made the change.' },
    portal: { description: 'The customer made the change in the customer portal.' },
    checkout: { description: 'The customer made the change at checkout.' },
    payment_page: { description: 'The payer made the change on the page of a payment link.' },
    recovery_page: {
      description: 'The customer made the change on the page for paying an overdue invoice.',
    },
    payment_method_page: {
      description: 'The customer made the change on the page for replacing a payment method.',
    },
    pricing_page: { description: 'A visitor made the change on the page of a pricing table.' },
    clock: { description: 'A test clock run made the change.' },
    worker: {
      description:
        'Quittance caused the change automatically, for example through a renewal, a payment retry, a notice, or a payment reconciliation.',
    },
    provider: { description: 'A message from a payment provider caused the change.' },
  } satisfies Record<Source, { description: string }>,
});

const descriptions: { readonly [kind in Kind]: string } = {
  'subscription.created': 'A subscription was created, whether paid or not.',
  'subscription.activated': 'A subscription became active for the first time.',
  'subscription.reactivated': 'A canceled subscription was reactivated.',
  'subscription.canceled': 'A subscription ended.',
  'subscription.updated':
    'A cancellation was scheduled or revoked. Sent in addition to the event for the scheduled or revoked cancellation.',
  'subscription.plan_changed': 'A plan or billing interval change took effect.',
  'subscription.cancellation_scheduled': 'A cancellation was scheduled for the end of the current period.',
  'subscription.cancellation_revoked': 'A scheduled cancellation was revoked.',
  'subscription.retained': 'A customer accepted a retention offer instead of canceling.',
  'subscription.plan_change_scheduled': 'A plan change was scheduled for the end of the current period.',
  'subscription.plan_change_revoked': 'A scheduled plan change was canceled.',
  'subscription.past_due': 'A renewal payment failed, and dunning started.',
  'subscription.charges_waived':
    'A subscription ended, and charges that could no longer be invoiced were waived.',
  'trial.started': 'A free trial started.',
  'trial.converted': 'A customer changed plans during a free trial and paid.',
  'trial.expired': 'A free trial expired.',
  'trial.will_end': 'A free trial ends in 3 days.',
  'trial.checkout_ready': 'A checkout link that starts a free trial is available.',
  'checkout.duplicate':
    "A payer tried to subscribe on a pricing page with the email address of a customer who already has a subscription. The payer wasn't charged.",
  'checkout.expired': "A checkout wasn't completed in time. Its subscription was canceled.",
  'checkout.ready': "A link to pay a subscription's first invoice is available.",
  'payment.scheduled': 'A bank debit was scheduled.',
  'payment.processing': 'A bank debit was sent to the bank, which confirms the payment later.',
  'payment.returned': "The payer's bank returned a payment.",
  'receipt.recorded':
    'Money that a payer sent without a charge was recorded, such as a bank transfer. `status` and the amounts show its use.',
  'receipt.applied': 'An unmatched receipt, or money on account, was applied to an invoice.',
  'receipt.returned': 'The remaining amount of a receipt was returned to the payer.',
  'payment.received': 'A first payment or a renewal payment succeeded.',
  'payment.failed': 'A recurring charge failed.',
  'payment.recovered': 'An invoice was paid after a failed charge.',
  'payment.retry_failed': 'Dunning ended without a payment.',
  'payment.refunded': 'A full or partial refund was confirmed.',
  'payment.disputed': 'A cardholder opened a dispute. The amount is on hold.',
  'payment.dispute_resolved': 'A dispute was won or lost.',
  'payment_link.created': 'A payment link was created.',
  'payment_link.completed': 'The payment for a payment link succeeded.',
  'payment_link.failed': 'A payment through a payment link was declined. The customer can try again.',
  'payment_link.canceled': 'A payment link was canceled.',
  'invoice.created': 'An invoice was issued.',
  'invoice.updated':
    'The country, seats, interval, offer, or tax of an invoice changed at checkout. The invoice number stays the same.',
  'invoice.reopened': 'A paid invoice is outstanding again, because the payment was returned.',
  'invoice.voided': 'An invoice was voided.',
  'invoice.overdue': 'The due date of an outstanding invoice passed.',
  'payment_method.expiring':
    'The card of a subscription expires before the next charge. Sent 30 days before the charge.',
  'invoice.upcoming': 'A subscription renews in 3 days.',
  'credit_note.created': 'A credit note was issued for an invoice.',
  'payment_method.attached': 'A payment method was stored for a subscription.',
  'payment_method.updated': 'The customer replaced the default payment method.',
  'mandate.created': 'A payer accepted a mandate for bank debits.',
  'mandate.revoked': 'A mandate ended. Its payment method can no longer be debited.',
  'payment_method.detached': 'A stored payment method was removed.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was updated.',
  'customer.deleted': 'A customer was deleted. Its invoices are kept.',
  'customer.state_changed': "A customer's feature access changed.",
  'plan_grant.created': 'A plan grant was created.',
  'plan_grant.updated': 'The expiration time of a plan grant changed.',
  'plan_grant.expired': 'A plan grant expired.',
  'plan_grant.revoked': 'A plan grant was revoked.',
  'credits.granted': 'Credits were granted because a new period started or credits were adjusted.',
  'credits.purchased': 'A credit pack was purchased.',
  'credits.low': "A subscription's credits fell to 10% or less of the credits granted per period.",
  'credits.depleted': "A subscription's credits reached zero.",
  'credits.expired': 'Unused plan credits expired at the end of a usage window.',
  'lot.granted': 'Credits or a balance with its own end was granted.',
  'lot.expiring': 'A granted or purchased lot with a remaining amount expires in 7 days.',
  'lot.expired': 'A granted or purchased lot expired.',
  'lot.refunded': 'A refund or a lost dispute removed the unused amount of a purchased lot.',
  'commitment.purchased': 'A prepaid commitment was purchased or renewed.',
  'commitment.ended': "A prepaid commitment ended, or its renewal couldn't be paid.",
  'auto_topup.succeeded': 'An automatic top-up was purchased.',
  'auto_topup.skipped': "An account was low, but an automatic top-up couldn't be purchased.",
  'auto_topup.failed': 'The charge of an automatic top-up was declined.',
  'auto_topup.paused': 'An automatic top-up was paused.',
  'auto_topup.resumed': 'A paused automatic top-up was resumed.',
  'balance.topped_up': 'A prepaid balance was topped up.',
  'balance.low':
    'A prepaid balance fell to 10% or less of the amount of the last reset, top-up, or positive adjustment.',
  'balance.depleted': 'A prepaid balance reached zero.',
  'quota.threshold_reached': 'Usage of a feature reached 80% of the included amount.',
  'quota.exceeded':
    "Usage of a feature exceeded the included amount. If overage isn't allowed, usage reached the included amount.",
  'seats.updated': "A customer's number of seats changed.",
  'seats.limit_reached': 'The number of seats reached the number of included seats.',
  'addon.activated': 'An add-on was added to a subscription.',
  'addon.deactivated': 'An add-on was removed from a subscription.',
  'usage.recorded': 'A usage event was recorded.',
  'usage.corrected': 'A usage event was voided or replaced.',
  'meter.dimensions_full':
    'A usage window reached 10,000 combinations of dimension values. New values are counted together.',
  'meter.recounted': 'The usage of an open usage window was counted again with new dimensions.',
  'limit.threshold_reached': 'The value of a limit reached a threshold.',
  'limit.reached': 'The value of a limit reached its amount, or usage was rejected.',
  'limit.resolved': 'A remaining amount is above every crossed threshold of a limit again.',
  'usage.anomaly': 'The usage of a day is far above the usage of earlier days.',
  'approval.requested': 'A call of an API key or usage of a customer needs the approval of a member.',
  'approval.decided': 'A member approved or rejected a request.',
  'api_key.policy_changed': 'A member changed the policy of an API key.',
  'api_key.narrowed': 'Permissions of an API key were removed.',
  'app.connected': 'A member connected an app, which acts as a new API key.',
  'limit.raised': 'A limit was raised for a customer or a budget.',
  'limit.raise_ended': 'A raise of a limit was ended early.',
  'limit.overrun': 'The settlement of a hold exceeded a limit.',
  'hold.expired': 'A hold expired before it was settled or released.',
  'hold.settled_late': 'A hold was settled after it had expired.',
  'usage.uncounted': "A part of the usage that settled a hold isn't charged.",
  'rate_card.updated': 'The rates of a rate card were changed.',
  'payout.available': 'Funds became available for payouts.',
  'payout.created': 'A payout was requested.',
  'payout.paid': 'A payout arrived at the bank.',
  'payout.failed': 'A payout failed. The amount is available again.',
  'payout.canceled': 'A payout was canceled. The amount is available again.',
  'payout_bank_account.created': 'A bank account for payouts was added.',
  'payment_connection.created': 'A payment connection was created.',
  'payment_connection.updated': 'The name, keys, or default status of a payment connection changed.',
  'payment_route.updated': 'The payment connection for a country changed.',
  'tax_registration.created': 'A tax registration was created.',
  'tax_registration.deleted': 'A tax registration was deleted.',
  'export.completed': 'The files of an export are ready.',
  'export.failed': 'An export failed permanently.',
  'deadline.failed':
    'A renewal or another scheduled action of a subscription failed. The action is retried automatically.',
};

/** Returns the GraphQL name of an event type. GraphQL names can't contain dots: `payment.received` becomes `payment_received`. */
const nameOf = (kind: Kind): string => kind.replaceAll('.', '_');

/** The values are typed as strings, because rows store event types as strings. */
export const EventKind: EnumRef<typeof builder.$inferSchemaTypes, string, Kind> = builder.enumType(
  'EventKind',
  {
    description:
      'Type of an event. Webhooks and REST separate the object and the action with a dot: `payment.received` for `payment_received`, `payment_link.created` for `payment_link_created`.',
    values: Object.fromEntries(
      eventKinds.map((kind) => [nameOf(kind), { value: kind, description: descriptions[kind] }]),
    ),
  },
);
