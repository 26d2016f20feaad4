import { builder } from '../../../graphql/reading/builder.ts';

export const AutoTopUpStatus = builder.enumType('AutoTopUpStatus', {
  description: 'Status of an automatic top-up.',
  values: {
    on: { description: 'The account is topped up when it is low.' },
    off: { description: "The account isn't topped up." },
    paused: { description: "The account isn't topped up until the top-up is resumed." },
  } as const,
});

/** Values that a request can set. */
export const AutoTopUpSwitch = builder.enumType('AutoTopUpSwitch', {
  description: 'Status of an automatic top-up that a request can set.',
  values: {
    on: { description: 'The account is topped up when it is low.' },
    off: { description: "The account isn't topped up." },
  } as const,
});

export const AutoTopUpReason = builder.enumType('AutoTopUpReason', {
  description: "Reason why an automatic top-up doesn't buy.",
  values: {
    monthly_count: { description: 'The number of purchases in the calendar month is reached.' },
    monthly_amount: { description: 'The amount for the calendar month is reached.' },
    min_pause: { description: 'The last purchase was too recent.' },
    no_payment_method: { description: 'The customer has no payment method.' },
    not_off_session: {
      description:
        "The customer's payment method can't be charged without the customer, such as Pix or a bank transfer.",
    },
    subscription_status: { description: "The subscription isn't trialing or active." },
    charge_in_progress: { description: 'Another charge of the subscription is in progress.' },
    declined: { description: 'The charge was declined.' },
    action_required: { description: 'The bank requires an authentication by the customer.' },
    not_sellable: { description: "The refill can't be purchased, for example because the pack was deleted." },
    no_exchange_rate: { description: "The plan has no exchange rate for the subscription's currency." },
    below_minimum_charge: { description: 'The amount is below the minimum charge.' },
    consent_outdated: { description: "The customer hasn't agreed to the current price or terms." },
  } as const,
});

builder.enumType('AutoTopUpAttemptStatus', {
  description: 'Status of an attempt of an automatic top-up.',
  values: {
    processing: { description: "The result of the charge isn't known yet." },
    succeeded: { description: 'The purchase was paid.' },
    failed: { description: 'The charge was declined.' },
    skipped: { description: 'Nothing was charged.' },
  } as const,
});
