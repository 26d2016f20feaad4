import { builder } from '../../graphql/builder.ts';

// The closed lists of payouts, as the Prisma schema has them, and what is typed in of a bank account.

export const PayoutStatus = builder.enumType('PayoutStatus', {
  description: 'Statuses of a payout; `paid`, `failed` and `canceled` are terminal.',
  values: {
    pending: { description: 'Asked for; it can still be withdrawn.' },
    in_transit: { description: 'On its way to the bank.' },
    paid: { description: 'The bank has confirmed it.' },
    failed: { description: 'The bank has rejected it; the amount is available again.' },
    canceled: { description: 'Withdrawn; the amount is available again.' },
  } as const,
});
