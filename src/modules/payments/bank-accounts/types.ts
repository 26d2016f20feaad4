import { financeAccess } from '../../../graphql/declare/access.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

export const PayoutBankAccount = builder.prismaObject('PayoutBankAccount', {
  ...node({ prefix: 'pba', access: financeAccess }),
  description: 'Bank account for payouts. Only the last four digits of its number are returned.',
  fields: (t) => ({
    ...t.columns('id', 'providerExternalAccountId', 'holderName', 'last4', 'bankName'),
    ...t.columns('country', 'currency', 'accountType', 'isDefault', 'status'),
    ...t.columns('createdAt'),
    ...t.resource('payout_bank_account'),
  }),
});

export const PayoutBankAccountConnection = connectionOf(
  'PayoutBankAccount',
  PayoutBankAccount,
  'bank accounts',
);

const bank =
  'id providerExternalAccountId holderName last4 bankName country currency accountType isDefault status createdAt';

restView('PayoutBankAccount', 'PayoutBankAccount', `${bank} object livemode`);
