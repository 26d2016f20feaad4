import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';

export const BankAccountType = builder.enumType('BankAccountType', {
  description: 'Type of a bank account.',
  values: {
    checking: { description: 'Checking account.' },
    savings: { description: 'Savings account.' },
  } as const,
});

builder.enumType('BankAccountStatus', {
  description: 'Status of a bank account.',
  values: {
    active: { description: 'The bank account can receive payouts.' },
    errored: { description: 'The bank rejected a payout to the bank account.' },
  } as const,
});

export const bankTexts = {
  accountNumber: {
    required: true,
    rule: { minLength: 4, maxLength: 40, pattern: /^[A-Za-z0-9][A-Za-z0-9 -]*$/ },
    description:
      'Account number or IBAN. From 4 to 40 characters. Stored encrypted. Only the last four digits are returned.',
  },
  accountHolderName: {
    required: true,
    rule: name,
    description: 'Name of the account holder. From 1 to 200 characters.',
  },
  routingNumber: {
    rule: { minLength: 1, maxLength: 40 },
    description: "Routing number of the bank. Required if the account number doesn't identify the bank.",
  },
  accountType: 'Type of the bank account, if the bank requires a type.',
} as const;
