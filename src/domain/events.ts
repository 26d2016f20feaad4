/** The kinds of events an endpoint can subscribe to. */
export const eventKinds = [
  'subscription.created',
  'subscription.activated',
  'subscription.reactivated',
  'subscription.canceled',
  'subscription.updated',
  'subscription.plan_changed',
  'subscription.cancellation_scheduled',
  'subscription.cancellation_revoked',
  'subscription.retained',
  'subscription.plan_change_scheduled',
  'subscription.plan_change_revoked',
  'subscription.past_due',
  'trial.started',
  'trial.converted',
  'trial.expired',
  'trial.will_end',
  'trial.checkout_ready',
  'checkout.ready',
  'payment.received',
  'payment.failed',
  'payment.recovered',
  'payment.retry_failed',
  'payment.refunded',
  'payment.disputed',
  'payment.dispute_resolved',
  'payment_link.created',
  'payment_link.completed',
  'payment_link.failed',
  'payment_link.canceled',
  'invoice.created',
  'invoice.voided',
  'invoice.overdue',
  'invoice.upcoming',
  'payment_method.attached',
  'payment_method.updated',
  'payment_method.detached',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.state_changed',
  'plan_grant.created',
  'plan_grant.updated',
  'plan_grant.expired',
  'plan_grant.revoked',
  'credits.granted',
  'credits.purchased',
  'credits.low',
  'credits.depleted',
  'credits.expired',
  'balance.topped_up',
  'balance.low',
  'balance.depleted',
  'quota.threshold_reached',
  'quota.exceeded',
  'seats.updated',
  'seats.limit_reached',
  'addon.activated',
  'addon.deactivated',
  'usage.recorded',
  'payout.available',
  'payout.created',
  'payout.paid',
  'payout.failed',
  'export.completed',
  'export.failed',
] as const;

/** One of the kinds of events. */
export type EventKind = (typeof eventKinds)[number];

/** Where a change was asked for: by a program, a member, a customer on a hosted page, time itself, or a provider. */
export const eventSources = [
  'api',
  'dashboard',
  'portal',
  'checkout',
  'payment_page',
  'recovery_page',
  'payment_method_page',
  'pricing_page',
  'clock',
  'worker',
  'provider',
] as const;
export type EventSource = (typeof eventSources)[number];

/** What an event comes from. */
export type EventOrigin = {
  readonly source: EventSource;
  /** The API key, the member, or the message of a provider; null on pages, where it is the customer, and where nobody asks. */
  readonly actorId: string | null;
  /** A UUID; null where no request asked. */
  readonly requestId: string | null;
};
