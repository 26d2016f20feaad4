// The payload of each event about a subscription, its trial and its checkout.

import type { PaymentProvider, StateTrigger } from './enums.ts';
import { about, type EventBody, iso, shownCustomerId, shownNumber } from './event-data.ts';
import { wireAmount } from './money.ts';
import type { PlanRow } from './pricing/catalog.ts';
import type {
  CustomerRow,
  InvoiceRow,
  OfferApplicationRow,
  SubscriptionRow,
} from './subscription/state/rows.ts';

const currentPeriod = (subscription: SubscriptionRow) =>
  subscription.periodStart === null || subscription.periodEnd === null
    ? {}
    : { currentPeriodStart: iso(subscription.periodStart), currentPeriodEnd: iso(subscription.periodEnd) };

/** A subscription was created. */
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
 * The first activation, or a canceled subscription that runs again; `invoice` is null on free plans,
 * `provider` where nothing was charged (SUB-19, SUB-31).
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

/** The subscription ended; the row is the canceled one (SUB-28a). */
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

/** A cancellation was scheduled for `effectiveAt` (SUB-23). */
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

/** A scheduled cancellation was withdrawn (SUB-29). */
export const cancellationRevoked = (customer: CustomerRow, subscription: SubscriptionRow): EventBody => ({
  kind: 'subscription.cancellation_revoked',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    ...(subscription.periodEnd === null ? {} : { currentPeriodEnd: iso(subscription.periodEnd) }),
  },
});

/** An offer to stay was accepted (OFR-44); `reason` is why the customer was about to leave, null where unknown. */
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

/** `subscription.updated`, beside a cancellation that is scheduled or withdrawn. */
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

/** A charge past the checkout failed and dunning begins (BIL-40). */
export const subscriptionPastDue = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
): EventBody => ({
  kind: 'subscription.past_due',
  subscriptionId: subscription.id,
  data: { ...about(customer, subscription), invoiceId: invoice.id, invoiceNumber: shownNumber(invoice) },
});

/** One of the notices about a trial that carry the same fields; the row has the status after it. */
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

/** A link exists at which a method can be stored to begin a trial. */
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

/** A link exists at which the first invoice can be paid. */
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

/** The entitlements may have changed; all but the reason is computed when the event is delivered. */
export const stateChanged = (
  customer: Pick<CustomerRow, 'id' | 'externalId'>,
  subscription: Pick<SubscriptionRow, 'id'>,
  trigger: StateTrigger,
): EventBody => ({
  kind: 'customer.state_changed',
  subscriptionId: subscription.id,
  data: { trigger, customerId: shownCustomerId(customer), subscriptionId: subscription.id },
});
