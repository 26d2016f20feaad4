/** Event types that webhook endpoints can receive. */
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
  'subscription.charges_waived',
  'trial.started',
  'trial.converted',
  'trial.expired',
  'trial.will_end',
  'trial.checkout_ready',
  'checkout.ready',
  'checkout.duplicate',
  'checkout.expired',
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
  'invoice.updated',
  'invoice.voided',
  'invoice.overdue',
  'invoice.upcoming',
  'payment_method.expiring',
  'credit_note.created',
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
  'payout.canceled',
  'payout_bank_account.created',
  'payment_connection.created',
  'payment_connection.updated',
  'payment_route.updated',
  'tax_registration.created',
  'tax_registration.deleted',
  'export.completed',
  'export.failed',
  'deadline.failed',
] as const;

export type EventKind = (typeof eventKinds)[number];

/**
 * Origin of a change: an API client, a member, a customer on a hosted page, a scheduled deadline, or a
 * provider.
 */
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

export type EventOrigin = {
  readonly source: EventSource;
  /**
   * ID of the API key, member or provider message. `null` if a customer on a hosted page or a deadline caused
   * the event.
   */
  readonly actorId: string | null;
  /** ID of the request that caused the event, as a UUID. `null` if no request caused the event. */
  readonly requestId: string | null;
};
