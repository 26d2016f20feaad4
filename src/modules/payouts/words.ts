import { builder } from '../../graphql/builder.ts';

// The closed lists of payouts, as the Prisma schema has them.

export const PayoutStatus = builder.enumType('PayoutStatus', {
  description: 'Statuses of a payout; `paid`, `failed` and `canceled` are terminal.',
  values: {
    pending: { description: 'Asked for; it can still be withdrawn.' },
    in_transit: { description: 'On its way to the bank.' },
    paid: { description: 'The bank has confirmed it.' },
    failed: { description: 'The bank has refused it; the amount is available again.' },
    canceled: { description: 'Withdrawn; the amount is available again.' },
  } as const,
});

export const PayoutAccountStatus = builder.enumType('PayoutAccountStatus', {
  description: 'Whether the organization may take money out.',
  values: {
    none: { description: 'Nothing has been submitted.' },
    pending: { description: 'Being looked at.' },
    verified: { description: 'It may.' },
    rejected: { description: 'It may not; it can be submitted again.' },
  } as const,
});

export const BankAccountType = builder.enumType('BankAccountType', {
  description: 'Kinds of bank accounts.',
  values: { checking: { description: 'For daily payments.' }, savings: { description: 'For savings.' } } as const,
});

export const BankAccountStatus = builder.enumType('BankAccountStatus', {
  description: 'Whether a bank account can be paid to.',
  values: { active: { description: 'It can.' }, errored: { description: 'The bank has refused it.' } } as const,
});
