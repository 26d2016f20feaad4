import { builder } from '../../graphql/builder.ts';
import { name } from '../../graphql/shapes.ts';

// The closed lists of payouts, as the Prisma schema has them, and what is typed in of a bank account.

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

export const BusinessType = builder.enumType('BusinessType', {
  description: 'Kinds of businesses.',
  values: {
    individual: { description: 'One person, in their own name.' },
    company: { description: 'A company or partnership.' },
    nonprofit: { description: 'An organization that makes no profit.' },
  } as const,
});

export const IdentityDocument = builder.enumType('IdentityDocument', {
  description: 'Documents people prove their identity with.',
  values: {
    passport: { description: 'A passport.' },
    national_id: { description: 'An identity card.' },
    driving_license: { description: 'A driving licence.' },
    residence_permit: { description: 'A residence permit.' },
  } as const,
});

export const PayoutVerificationStatus = builder.enumType('PayoutVerificationStatus', {
  description: 'How far the verification of an organization is.',
  values: {
    not_started: { description: 'Nothing has been submitted.' },
    pending: { description: 'Being looked at.' },
    approved: { description: 'The organization may be paid.' },
    rejected: { description: 'It may not; it can be submitted again.' },
  } as const,
});

/** What is typed in of a bank account. */
export const bankTexts = {
  accountNumber: {
    required: true,
    rule: { minLength: 4, maxLength: 40, pattern: /^[A-Za-z0-9][A-Za-z0-9 -]*$/ },
    description: 'Its number or IBAN, 4 to 40 characters; stored sealed, shown never again but for its end.',
  },
  accountHolderName: { required: true, rule: name, description: 'Whose account it is, 1 to 200 characters.' },
  routingNumber: { rule: { minLength: 1, maxLength: 40 }, description: 'What the bank is found by, where the number does not tell.' },
  accountType: 'Its kind, where banks ask for it.',
} as const;
