import { builder } from '../../graphql/builder.ts';

export const CheckoutStatus = builder.enumType('CheckoutStatus', {
  description: 'How a checkout stands.',
  values: {
    open: { description: 'It can be completed.' },
    paid: { description: 'It was completed.' },
    canceled: { description: 'It was withdrawn and cannot be completed.' },
  } as const,
});

export const CheckoutKind = builder.enumType('CheckoutKind', {
  description: 'What completing a checkout does.',
  values: {
    payment: { description: 'Charges the amount due and stores the card.' },
    setup: { description: 'Stores the card and charges nothing.' },
  } as const,
});

export const CheckoutStep = builder.enumType('CheckoutStep', {
  description: 'What the payer does next.',
  values: {
    pay: { description: 'Enter a card: `checkoutPay`.' },
    authenticate: {
      description:
        'Confirm the payment with the issuer: `checkoutAuthenticate`. A new card may be entered instead.',
    },
    wait: { description: 'Nothing; the payment is under way.' },
    none: { description: 'Nothing; the checkout is over.' },
  } as const,
});

export const CheckoutMethod = builder.enumType('CheckoutMethod', {
  description: 'A way to pay at a checkout.',
  values: {
    card: { description: "A card typed in at the page: the platform's own processor." },
    stripe: {
      description: 'What the account at Stripe takes, collected by its own fields: `publishableKey`.',
    },
  } as const,
});

export const CheckoutMandate = builder.enumType('CheckoutMandate', {
  description: 'What a payer agrees to at a checkout.',
  values: {
    once: { description: 'A charge now, and none later.' },
    recurring: { description: 'The price of every interval until the subscription is canceled.' },
    recurring_with_usage: {
      description:
        'The price of every interval, and what is used beyond it, until the subscription is canceled.',
    },
  } as const,
});
