import type { EnumRef } from '@pothos/core';
import { eventKinds, type EventKind as Kind, type EventSource as Source } from '../../domain/events.ts';
import { builder } from '../../graphql/builder.ts';

export const EventSource = builder.enumType('EventSource', {
  description: 'Where a change was requested.',
  values: {
    api: { description: 'By a program, with an API key.' },
    dashboard: { description: 'By a member of the organization who is signed in.' },
    portal: { description: 'By the customer, in the customer portal.' },
    checkout: { description: 'By the customer, at the checkout.' },
    payment_page: { description: 'By the customer, on the page of a payment link.' },
    recovery_page: { description: 'By the customer, on the page where an overdue invoice is paid.' },
    payment_method_page: {
      description: 'By the customer, on the page where a payment method is replaced.',
    },
    pricing_page: { description: 'By a visitor, on the page of a pricing table.' },
    clock: { description: 'By a run of the test clock.' },
    worker: { description: 'By time: a renewal, a retry, a notice, or an answer that was inquired about.' },
    provider: { description: 'By a message of a payment provider.' },
  } satisfies Record<Source, { description: string }>,
});

const descriptions: { readonly [kind in Kind]: string } = {
  'subscription.created': 'A subscription was stored, paid for or not.',
  'subscription.activated': 'A subscription became active for the first time.',
  'subscription.reactivated': 'A canceled subscription was restarted.',
  'subscription.canceled': 'A subscription ended.',
  'subscription.updated': 'A cancellation was scheduled or revoked. Its own kinds say which.',
  'subscription.plan_changed': 'A change of plan or interval took effect.',
  'subscription.cancellation_scheduled': 'A cancellation was scheduled for the end of the period.',
  'subscription.cancellation_revoked': 'A scheduled cancellation was revoked.',
  'subscription.retained': 'A customer who was about to leave accepted an offer to stay.',
  'subscription.plan_change_scheduled':
    'A change of plan or interval was scheduled for the end of the period.',
  'subscription.plan_change_revoked': 'A scheduled change of plan or interval was dropped.',
  'subscription.past_due': 'A renewal could not be collected; dunning begins.',
  'trial.started': 'A trial began.',
  'trial.converted': 'The customer changed the plan during the trial and paid.',
  'trial.expired': 'A trial reached its end.',
  'trial.will_end': 'A trial ends in three days.',
  'trial.checkout_ready': 'A checkout link that starts a trial is available.',
  'checkout.ready': 'A link to pay the first invoice is available.',
  'payment.received': 'A payment settled, first or renewal.',
  'payment.failed': 'A recurring charge failed.',
  'payment.recovered': 'An invoice whose charge had failed was paid.',
  'payment.retry_failed': 'Dunning ended without a payment.',
  'payment.refunded': 'A refund was confirmed, in full or in part.',
  'payment.disputed': 'A cardholder opened a dispute; the amount is held back.',
  'payment.dispute_resolved': 'A dispute was won or lost.',
  'payment_link.created': 'A payment link was created.',
  'payment_link.completed': 'A payment link was paid.',
  'payment_link.failed': 'A payment of a payment link was declined; it can be tried again.',
  'payment_link.canceled': 'A payment link was canceled.',
  'invoice.created': 'An invoice was issued.',
  'invoice.voided': 'An invoice was voided.',
  'invoice.overdue': 'The due date of an outstanding invoice passed.',
  'invoice.upcoming': 'A subscription renews in three days.',
  'payment_method.attached': 'A payment method was stored for a subscription.',
  'payment_method.updated': 'The customer replaced the default payment method.',
  'payment_method.detached': 'A stored payment method was removed.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.deleted': 'A customer was deleted; its invoices stay.',
  'customer.state_changed': 'What a customer may use changed.',
  'plan_grant.created': 'A plan grant was created.',
  'plan_grant.updated': 'The end of a plan grant changed.',
  'plan_grant.expired': 'A plan grant reached its end.',
  'plan_grant.revoked': 'A plan grant was revoked.',
  'credits.granted': 'Credits were granted by a new period or an adjustment.',
  'credits.purchased': 'A credit pack was paid.',
  'credits.low': 'Credits fell to a tenth of what the period grants, or less.',
  'credits.depleted': 'Credits reached zero.',
  'credits.expired': 'Unused credits of the plan expired with their period.',
  'balance.topped_up': 'A top-up of the balance was paid.',
  'balance.low': 'The balance fell to a tenth of its last refill, or less.',
  'balance.depleted': 'The balance reached zero.',
  'quota.threshold_reached': 'Usage of a feature passed 80 % of what is included.',
  'quota.exceeded': 'Usage of a feature passed what is included.',
  'seats.updated': 'The number of seats changed.',
  'seats.limit_reached': 'The seats reached the number that is included.',
  'addon.activated': 'An add-on was activated.',
  'addon.deactivated': 'An add-on was deactivated.',
  'usage.recorded': 'A usage event was recorded.',
  'payout.available': 'Funds became available for payouts.',
  'payout.created': 'A payout was requested.',
  'payout.paid': 'A payout arrived at the bank.',
  'payout.failed': 'A payout failed; the amount is available again.',
  'export.completed': 'The files of an export are there.',
  'export.failed': 'An export was given up.',
};

/** The name a kind has in GraphQL, whose names hold no dots: `payment_received` for `payment.received`. */
const nameOf = (kind: Kind): string => kind.replaceAll('.', '_');

/** Rows hold kinds as texts, of which only these can be shown. */
export const EventKind: EnumRef<typeof builder.$inferSchemaTypes, string, Kind> = builder.enumType(
  'EventKind',
  {
    description:
      'A kind of event. Webhooks and REST write it with a dot: `payment_received` is `payment.received` there.',
    values: Object.fromEntries(
      eventKinds.map((kind) => [nameOf(kind), { value: kind, description: descriptions[kind] }]),
    ),
  },
);
