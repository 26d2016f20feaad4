// Payload fields that several event types share.
import {
  id,
  inGraphql,
  int,
  like,
  minor,
  type ObjectType,
  object,
  oneOf,
  orNull,
  text,
  time,
} from './fields.ts';

export const customerId = like(
  id('cus', 'External ID of the customer, or the ID of the customer if the customer has no external ID.'),
  'ada',
);

export const subscriptionId = id('sub', 'ID of the subscription.');

export const currency = oneOf('Currency', 'Currency of the amounts.', 'usd');

const subscriptionStatus = oneOf('SubscriptionStatus', 'Status of the subscription.', 'active');

export const billingInterval = orNull(
  oneOf('BillingInterval', 'Billing interval of the subscription.', 'monthly'),
  'the plan is free',
);

export const provider = oneOf('PaymentProvider', 'Payment provider of the charge.', 'platform');

export const planId = id('pln', 'ID of the plan.');

export const planName = text('Name of the plan.', 'Pro');

export const featureCode = text('Code of the feature.', 'api_calls');

const invoiceId = id('inv', 'ID of the invoice.');

const invoiceNumber = text('Number of the invoice.', 'INV-0007');

export const invoiceTotal = minor('Total of the invoice, in the smallest currency unit.');

/** Fields that most subscription events share. */
export const aboutSubscription = { subscriptionId, customerId, status: subscriptionStatus };

/** Fields that most usage events share. */
export const aboutConsumer = { subscriptionId, customerId };

export const aboutPlan = { planId, planName };

export const aboutInvoice = { invoiceId, invoiceNumber };

const planObject: ObjectType = {
  name: 'EventPlan',
  description: 'A plan in an event.',
  fields: { id: inGraphql('planId', planId), name: planName },
};

export const plan = (description: string) => object(planObject, description);

/** Period of usage in an event. */
export const periodObject: ObjectType = {
  name: 'EventPeriod',
  description: 'A period of usage in an event.',
  fields: {
    start: time('Start of the period.', '2026-08-01T00:00:00.000Z'),
    end: time('End of the period, exclusive.', '2026-09-01T00:00:00.000Z'),
  },
};

export const card = object(
  {
    name: 'EventCard',
    description: 'A card in an event.',
    fields: {
      brand: text('Brand of the card.', 'visa'),
      last4: text('Last 4 digits of the card number.', '4242'),
      expMonth: int('Expiration month, from 1 to 12.', 12),
      expYear: int('Expiration year.', 2030),
    },
  },
  'Card of the payment method.',
);
