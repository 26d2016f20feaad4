import { QuittanceError } from '../../domain/errors.ts';
import { smallestPayoutMinor } from '../../domain/payout.ts';
import { builder } from '../../graphql/builder.ts';
import type { Rule } from '../../graphql/rules.ts';
import { addBankAccount } from './bank-accounts.ts';
import { requestPayout } from './request.ts';
import { Payout, PayoutBankAccount } from './types.ts';
import { BankAccountType, bankTexts } from './words.ts';

export const payoutAmount = { minimum: Number(smallestPayoutMinor) } as const satisfies Rule;
export const payoutDescription = { minLength: 1, maxLength: 1_000 } as const satisfies Rule;

const PayoutCreateInput = builder.inputType('PayoutCreateInput', {
  description: 'A payout to ask for.',
  fields: (t) => ({
    amount: t.field({ type: 'SafeInt', required: true, amount: 'MINOR', rule: payoutAmount, description: 'US cents, at least 1000.' }),
    description: t.string({ rule: payoutDescription, description: 'What to call it, 1 to 1000 characters.' }),
  }),
});

builder.mutationField('payoutCreate', (t) =>
  t.field({
    type: Payout,
    description:
      'Sends available funds to the default bank account; the amount leaves the available balance at once, without a fee (PAY-36). `forbidden` before the organization is verified and without a bank account, `insufficient_balance` for more than is available. In a sandbox `payoutSimulate` plays it.',
    rest: {
      method: 'POST',
      path: '/payouts',
      status: 201,
      view: 'Payout',
      errors: ['insufficient_balance', 'payouts_not_available_in_sandbox'],
    },
    access: { scope: 'finance' },
    args: { input: t.arg({ type: PayoutCreateInput, required: true, description: 'The payout.' }) },
    resolve: (_root, { input }, context) => requestPayout(context, input),
  }),
);

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
    description: 'Registers a bank account (PAY-39). Country and currency are those of the payout account; `forbidden` without one.',
    rest: {
      method: 'POST',
      path: '/payouts/bank-accounts',
      status: 201,
      view: 'PayoutBankAccount',
      errors: ['payouts_not_available_in_sandbox'],
    },
    access: { scope: 'finance' },
    args: { input: t.arg({ type: PayoutBankAccountAddInput, required: true, description: 'The account.' }) },
    resolve: (_root, { input }, context) => addBankAccount(context, input),
  }),
);

builder.mutationField('payoutVerificationComplete', (t) =>
  t.field({
    type: Payout,
    description: 'Retired: always answers `endpoint_deprecated`. Organizations are verified on the dashboard (PAY-38).',
    rest: { method: 'POST', path: '/payouts/verification', status: 410, view: 'Payout', errors: ['endpoint_deprecated'] },
    access: { scope: 'finance' },
    resolve: () => {
      throw new QuittanceError('endpoint_deprecated', 'This operation has been retired; organizations are verified on the dashboard.');
    },
  }),
);
