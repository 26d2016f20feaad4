import { builder } from '../../../graphql/reading/builder.ts';

export const CheckoutStatus = builder.enumType('CheckoutStatus', {
  description: 'Status of a checkout.',
  values: {
    open: { description: 'The checkout can be completed.' },
    paid: { description: 'The checkout was completed.' },
    canceled: { description: "The checkout was canceled and can't be completed." },
    expired: { description: "The checkout wasn't completed in time." },
  } as const,
});

export const CheckoutKind = builder.enumType('CheckoutKind', {
  description: 'Effect of completing a checkout.',
  values: {
    payment: { description: 'Charges the amount due and stores the card.' },
    setup: { description: 'Stores the card without a charge.' },
  } as const,
});

export const CheckoutStep = builder.enumType('CheckoutStep', {
  description: 'Next step for the payer at checkout.',
  values: {
    pay: { description: 'The payer enters a card. Continue with `checkoutPay`.' },
    authenticate: {
      description:
        'The payer confirms the payment with the card issuer. Continue with `checkoutAuthenticate`, or pay with a new card.',
    },
    wait: { description: 'The payment is processing. No action is required.' },
    none: { description: 'The checkout is completed, canceled, or expired. No action is required.' },
  } as const,
});

export const CheckoutMethod = builder.enumType('CheckoutMethod', {
  description: 'Payment method available at checkout.',
  values: {
    card: { description: "Card entered on the page and collected by the platform's payment provider." },
    stripe: {
      description:
        "Payment methods of the Stripe account, entered in Stripe's payment fields. See `publishableKey`.",
    },
  } as const,
});

export const CheckoutMandate = builder.enumType('CheckoutMandate', {
  description: 'Charges that a payer agrees to at checkout.',
  values: {
    once: { description: 'The card is charged once.' },
    recurring: { description: 'The price is charged every interval until the subscription is canceled.' },
    recurring_with_usage: {
      description:
        'The price is charged every interval, plus any overage, until the subscription is canceled.',
    },
  } as const,
});
