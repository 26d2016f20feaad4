import { builder } from '../../../graphql/reading/builder.ts';

// Payout enums. Values match the Prisma schema.

export const PayoutStatus = builder.enumType('PayoutStatus', {
  description: 'Status of a payout. `paid`, `failed`, and `canceled` are final.',
  values: {
    pending: { description: 'The payout was requested. You can still cancel it.' },
    in_transit: { description: "The payout was sent to the bank and hasn't arrived yet." },
    paid: { description: 'The bank confirmed the payout.' },
    failed: { description: 'The bank rejected the payout. The amount is available again.' },
    canceled: { description: 'The payout was canceled. The amount is available again.' },
  } as const,
});
