import { builder } from '../../graphql/builder.ts';
import { addBankAccount } from './add.ts';
import { BankAccountType, bankTexts } from './enums.ts';
import { PayoutBankAccount } from './types.ts';

const PayoutBankAccountAddInput = builder.inputType('PayoutBankAccountAddInput', {
  description: 'A bank account to be paid to.',
  fields: (t) => ({
    accountNumber: t.string(bankTexts.accountNumber),
    accountHolderName: t.string(bankTexts.accountHolderName),
    routingNumber: t.string(bankTexts.routingNumber),
    accountType: t.field({ type: BankAccountType, description: bankTexts.accountType }),
    setDefault: t.boolean({ description: 'True makes it the one payouts go to; the first one is anyway.' }),
  }),
});

builder.mutationField('payoutBankAccountAdd', (t) =>
  t.field({
    type: PayoutBankAccount,
    description:
      'Registers a bank account. Country and currency are those of the payout account; `forbidden` without one.',
    rest: {
      method: 'POST',
      path: '/payouts/bank-accounts',
      status: 201,
      view: 'PayoutBankAccount',
      errors: ['payouts_not_available_in_sandbox'],
    },
    access: { scope: 'finance', proof: true },
    args: { input: t.arg({ type: PayoutBankAccountAddInput, required: true, description: 'The account.' }) },
    resolve: (_root, { input }, ctx) => addBankAccount(ctx, input),
  }),
);
