import { builder } from '../../graphql/builder.ts';
import { name } from '../../graphql/shapes.ts';

export const BankAccountType = builder.enumType('BankAccountType', {
  description: 'Kinds of bank accounts.',
  values: {
    checking: { description: 'For daily payments.' },
    savings: { description: 'For savings.' },
  } as const,
});

export const BankAccountStatus = builder.enumType('BankAccountStatus', {
  description: 'Whether a bank account can be paid to.',
  values: {
    active: { description: 'It can.' },
    errored: { description: 'The bank has rejected it.' },
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
  routingNumber: {
    rule: { minLength: 1, maxLength: 40 },
    description: 'What the bank is found by, where the number does not tell.',
  },
  accountType: 'Its kind, where banks ask for it.',
} as const;
