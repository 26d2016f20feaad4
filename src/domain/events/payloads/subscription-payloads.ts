import { flag, id, int, listOf, minor, object, oneOf, orAbsent, orNull, text, time } from './fields.ts';
import {
  aboutInvoice,
  aboutPlan,
  aboutSubscription,
  billingInterval,
  currency,
  customerId,
  invoiceTotal,
  plan,
  planId,
  planName,
  provider,
  subscriptionId,
} from './shared.ts';

const name = orNull(text('Name of the subscription.', 'Berlin office'), 'the subscription has no name');
const cancelReason = orNull(text('Reason for the cancellation.', 'Too expensive'), 'no reason is known');
const trialEndsAt = time('End of the free trial.', '2026-09-10T09:30:00.000Z');
const checkoutUrl = text('URL of the checkout page.', 'https://billing.example.com/checkout/tok_1');

const activated = {
  ...aboutSubscription,
  currentPeriodStart: orAbsent(time('Start of the current period.'), 'the subscription has no period'),
  currentPeriodEnd: orAbsent(
    time('End of the current period.', '2026-09-27T09:30:00.000Z'),
    'the subscription has no period',
  ),
  name,
  invoiceId: orNull(aboutInvoice.invoiceId, 'the plan is free'),
  invoiceNumber: orNull(aboutInvoice.invoiceNumber, 'the plan is free'),
  invoiceTotal: orNull(invoiceTotal, 'the plan is free'),
  invoiceCurrency: orNull(currency, 'the plan is free'),
  provider: orNull(provider, 'nothing was charged'),
};

const changing = { ...aboutSubscription, currentPlan: plan('Current plan.'), billingInterval };
const trial = { ...aboutSubscription, ...aboutPlan, trialEndsAt };

/** Payloads of events about subscriptions, free trials, and checkouts. */
export const subscriptionPayloads = {
  'subscription.created': {
    ...aboutSubscription,
    ...aboutPlan,
    startDate: time('Start of the subscription.'),
    name,
  },
  'subscription.activated': activated,
  'subscription.reactivated': activated,
  'subscription.canceled': {
    ...aboutSubscription,
    canceledAt: time('Time at which the cancellation was requested or triggered.'),
    cancelReason,
    endDate: time('End of the subscription.'),
  },
  'subscription.updated': {
    ...aboutSubscription,
    cancelReason,
    canceledAt: orAbsent(time('Time of the request to cancel.'), 'no cancellation is scheduled'),
    endDate: orAbsent(time('End of the subscription.'), 'no cancellation is scheduled'),
  },
  'subscription.plan_changed': {
    subscriptionId,
    customerId,
    previousPlan: plan('Plan before the change.'),
    currentPlan: plan('Plan after the change.'),
    billingInterval,
    credit: minor('Credit for the unused part of the previous plan, in the smallest currency unit.', 1_200),
    charge: minor('Charge for the current plan, in the smallest currency unit.'),
    totalCharged: minor('Charged total, in the smallest currency unit.', 3_700),
  },
  'subscription.cancellation_scheduled': {
    ...aboutSubscription,
    canceledAt: time('Time of the request to cancel.'),
    cancelReason,
    effectiveAt: time('Time at which the subscription ends.', '2026-09-27T09:30:00.000Z'),
  },
  'subscription.cancellation_revoked': {
    ...aboutSubscription,
    currentPeriodEnd: orAbsent(time('End of the current period.'), 'the subscription has no period'),
  },
  'subscription.retained': {
    ...aboutSubscription,
    offerId: id('ofr', 'ID of the retention offer.'),
    offerName: text('Name of the retention offer.', 'Half off for 3 months'),
    offerApplicationId: id('oap', 'ID of the applied offer.'),
    cancelReason,
    cancellationRevoked: flag('Whether a scheduled cancellation was revoked.'),
  },
  'subscription.plan_change_scheduled': {
    ...changing,
    scheduledPlan: plan('Plan after the change.'),
    scheduledBillingInterval: orNull(
      oneOf('BillingInterval', 'Billing interval after the change.', 'yearly'),
      'the plan is free',
    ),
    effectiveAt: time('Time at which the change takes effect.', '2026-09-27T09:30:00.000Z'),
  },
  'subscription.plan_change_revoked': {
    ...changing,
    revokedPlan: plan('Plan of the canceled change.'),
    revokedBillingInterval: orNull(
      oneOf('BillingInterval', 'Billing interval of the canceled change.', 'yearly'),
      'the plan is free',
    ),
  },
  'subscription.past_due': { ...aboutSubscription, ...aboutInvoice },
  'subscription.charges_waived': {
    ...aboutSubscription,
    currency,
    charges: listOf(
      object(
        {
          name: 'EventWaivedCharge',
          description: 'A waived charge.',
          fields: {
            description: text('Description of the charge.', 'API calls'),
            amount: orNull(
              text('Amount as a decimal number, in the smallest currency unit.', '1250'),
              'the charge has no price',
            ),
          },
        },
        'Waived charges.',
      ),
    ),
  },
  'trial.started': trial,
  'trial.converted': { ...aboutSubscription, ...aboutPlan },
  'trial.expired': trial,
  'trial.will_end': trial,
  'trial.checkout_ready': {
    subscriptionId,
    customerId,
    planName,
    trialDays: int('Length of the free trial in days.', 14),
    checkoutUrl,
  },
  'checkout.ready': {
    subscriptionId,
    customerId,
    ...aboutInvoice,
    invoiceTotal,
    invoiceCurrency: currency,
    checkoutUrl,
  },
  'checkout.duplicate': {
    ...aboutSubscription,
    planId,
    heldSubscriptionId: id('sub', 'ID of the subscription that the customer already has.'),
  },
  'checkout.expired': { ...aboutSubscription, planId },
};
