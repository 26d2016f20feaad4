import { builder } from '../../../graphql/reading/builder.ts';

// Payment enums. Values match the Prisma schema.

export const PaymentKind = builder.enumType('PaymentKind', {
  description: 'Method of collecting a one-time payment.',
  values: {
    link: { description: 'The payer pays on a hosted page.' },
    charge: { description: 'A stored payment method is charged without the payer being present.' },
  } as const,
});

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description:
    'Status of a one-time payment. `succeeded` and `canceled` are final. For a charge, `failed` and `requires_action` are also final.',
  values: {
    pending: { description: 'No payment has been attempted yet.' },
    processing: { description: 'A payment attempt is in progress.' },
    succeeded: { description: 'The payment succeeded, and the invoice was issued.' },
    requires_action: {
      description:
        'The card issuer requires authentication. The payer of a payment link can authenticate on the hosted page. For a charge, this status is final.',
    },
    failed: {
      description: 'The latest payment attempt was declined. The payer of a payment link can try again.',
    },
    canceled: { description: 'The payment link was canceled.' },
  } as const,
});

export const CardSaving = builder.enumType('CardSaving', {
  description: "Setting that determines whether a payment link saves the payer's card.",
  values: {
    always: { description: 'The card is saved. The page informs the payer above the payment button.' },
    optional: {
      description:
        'The page shows an unchecked checkbox. The card is saved if the payer selects the checkbox.',
    },
    never: { description: "The card isn't saved." },
  } as const,
});
