import { moneyAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { addBankAccount } from './add.ts';
import { BankAccountType, bankTexts } from './enums.ts';
import { PayoutBankAccount } from './types.ts';

const PayoutBankAccountAddInput = builder.inputType('PayoutBankAccountAddInput', {
  description: 'Parameters for adding a bank account.',
  fields: (t) => ({
    accountNumber: t.string(bankTexts.accountNumber),
    accountHolderName: t.string(bankTexts.accountHolderName),
    routingNumber: t.string(bankTexts.routingNumber),
    accountType: t.field({ type: BankAccountType, description: bankTexts.accountType }),
    setDefault: t.boolean({
      description: 'Whether payouts go to this account by default. The first account is always the default.',
    }),
  }),
});

builder.mutationField('payoutBankAccountAdd', (t) =>
  t.field({
    type: PayoutBankAccount,
    description:
      "Registers a bank account for payouts. The bank account has the payout account's country and that country's currency. Fails with `forbidden` if the organization has no payout account.",
    rest: {
      method: 'POST',
      path: '/payouts/bank-accounts',
      status: 201,
      view: 'PayoutBankAccount',
    },
    errors: ['payouts_not_available_in_sandbox'],
    access: moneyAccess,
    args: { input: t.arg({ type: PayoutBankAccountAddInput, required: true }) },
    resolve: (_root, { input }, ctx) => addBankAccount(ctx, input),
  }),
);
