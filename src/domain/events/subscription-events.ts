// Payloads of events about subscriptions, trials, and checkouts.

import { wireAmount } from '../money/money.ts';
import type { PlanRow } from '../pricing/catalog.ts';
import type { PaymentProvider, StateTrigger } from '../rows/enums.ts';
import type { CustomerRow, InvoiceRow, OfferApplicationRow, SubscriptionRow } from '../rows/rows.ts';
import { about, type EventBody, iso, shownCustomerId, shownNumber } from './event-data.ts';

const currentPeriod = (subscription: SubscriptionRow) =>
  subscription.periodStart === null || subscription.periodEnd === null
    ? {}
    : { currentPeriodStart: iso(subscription.periodStart), currentPeriodEnd: iso(subscription.periodEnd) };

export const subscriptionCreated = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
): EventBody => ({
  kind: 'subscription.created',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    planId: plan.id,
    planName: plan.name,
    startDate: iso(subscription.startDate),
    name: subscription.name,
  },
});

/**
 * Returns the event for a first activation or a reactivation. `invoice` is `null` if the plan is free.
 * `provider` is `null` if nothing was charged (SUB-19, SUB-31).
 */
export const subscriptionActivated = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  invoice: InvoiceRow | null,
  provider: PaymentProvider | null,
  kind: 'subscription.activated' | 'subscription.reactivated' = 'subscription.activated',
): EventBody => ({
  kind,
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    ...currentPeriod(subscription),
    name: subscription.name,
    invoiceId: invoice?.id ?? null,
    invoiceNumber: invoice === null ? null : shownNumber(invoice),
    invoiceTotal: invoice === null ? null : wireAmount(invoice.total),
    invoiceCurrency: invoice?.currency ?? null,
    provider,
  },
});

/** Returns the event for an ended subscription. `subscription` must already be canceled (SUB-28a). */
export const subscriptionCanceled = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.canceled',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    canceledAt: iso(subscription.canceledAt),
    cancelReason: subscription.cancelReason,
    endDate: iso(subscription.endDate),
  },
});

/** Returns the event for a cancellation that is scheduled for `effectiveAt` (SUB-23). */
export const cancellationScheduled = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.cancellation_scheduled',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    canceledAt: iso(subscription.cancellationScheduledAt),
    cancelReason: subscription.cancelReason,
    effectiveAt: iso(subscription.cancelEffectiveAt),
  },
});

/** Returns the event for a scheduled cancellation that was revoked (SUB-29). */
export const cancellationRevoked = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.cancellation_revoked',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    ...(subscription.periodEnd === null ? {} : { currentPeriodEnd: iso(subscription.periodEnd) }),
  },
});

/**
 * Returns the event for an accepted retention offer (OFR-44). `reason` is the cancellation reason, or
 * `null` if the reason is unknown.
 */
export const subscriptionRetained = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  application: OfferApplicationRow,
  { reason, isRevoked }: { readonly reason: string | null; readonly isRevoked: boolean },
): EventBody => ({
  kind: 'subscription.retained',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    offerId: application.offerId,
    offerName: application.name,
    offerApplicationId: application.id,
    cancelReason: reason,
    cancellationRevoked: isRevoked,
  },
});

/** Returns the `subscription.updated` event, which is emitted when a cancellation is scheduled or revoked. */
export const subscriptionUpdated = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.updated',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    cancelReason: subscription.cancelReason,
    ...(subscription.cancellationScheduledAt === null
      ? {}
      : { canceledAt: iso(subscription.cancellationScheduledAt) }),
    ...(subscription.endDate === null ? {} : { endDate: iso(subscription.endDate) }),
  },
});

/** Returns the event for a failed charge that starts dunning (BIL-40). */
export const subscriptionPastDue = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
): EventBody => ({
  kind: 'subscription.past_due',
  subscriptionId: subscription.id,
  data: { ...about(customer, subscription), invoiceId: invoice.id, invoiceNumber: shownNumber(invoice) },
});

/** Returns a trial event of the given type. `subscription` must already have its new status. */
export const trialEvent = (
  kind: 'trial.started' | 'trial.expired' | 'trial.will_end',
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
): EventBody => ({
  kind,
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    planId: plan.id,
    planName: plan.name,
    trialEndsAt: iso(subscription.trialEndsAt),
  },
});

/** Returns the event for a new checkout link that the customer uses to store a payment method and start a trial. */
export const trialCheckoutReady = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  plan: PlanRow,
  trialDays: number,
): EventBody => ({
  kind: 'trial.checkout_ready',
  subscriptionId: subscription.id,
  link: { field: 'checkoutUrl', page: 'checkout', subjectId: subscription.id },
  data: {
    subscriptionId: subscription.id,
    customerId: shownCustomerId(customer),
    planName: plan.name,
    trialDays,
    checkoutUrl: null,
  },
});

/** Returns the event for a new checkout link that the customer uses to pay the first invoice. */
export const checkoutReady = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
): EventBody => ({
  kind: 'checkout.ready',
  subscriptionId: subscription.id,
  link: { field: 'checkoutUrl', page: 'checkout', subjectId: subscription.id },
  data: {
    subscriptionId: subscription.id,
    customerId: shownCustomerId(customer),
    invoiceId: invoice.id,
    invoiceNumber: shownNumber(invoice),
    invoiceTotal: wireAmount(invoice.total),
    invoiceCurrency: invoice.currency,
    checkoutUrl: null,
  },
});

/**
 * Returns the event for a purchase attempt with the email address of a customer who already has a subscription. Nothing
 * is charged (CAT-64a).
 */
export const checkoutDuplicate = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  heldSubscriptionId: string,
): EventBody => ({
  kind: 'checkout.duplicate',
  subscriptionId: subscription.id,
  data: { ...about(customer, subscription), planId: subscription.planId, heldSubscriptionId },
});

/** Returns the event for a checkout that wasn't completed within the organization's time limit (SUB-14). */
export const checkoutExpired = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'checkout.expired',
  subscriptionId: subscription.id,
  data: { ...about(customer, subscription), planId: subscription.planId },
});

/**
 * Returns the event for a possible change to the customer's access. The current access is added to the data when the
 * event is read or delivered.
 */
export const stateChanged = (
  customer: Pick<CustomerRow, 'id' | 'externalId'>,
  subscription: Pick<SubscriptionRow, 'id'>,
  trigger: StateTrigger,
): EventBody => ({
  kind: 'customer.state_changed',
  subscriptionId: subscription.id,
  data: { trigger, customerId: shownCustomerId(customer), subscriptionId: subscription.id },
});
