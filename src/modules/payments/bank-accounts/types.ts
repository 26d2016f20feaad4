import { financeAccess } from '../../../graphql/declare/access.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { BankAccountStatus, BankAccountType } from './enums.ts';

export const PayoutBankAccount = builder.prismaObject('PayoutBankAccount', {
  ...node({ prefix: 'pba', access: financeAccess }),
  description: 'Bank account for payouts. Only the last four digits of its number are returned.',
  fields: (t) => ({
    id: t.exposeID('id'),
    providerExternalAccountId: t.exposeString('providerExternalAccountId', { nullable: true }),
    holderName: t.exposeString('holderName'),
    last4: t.exposeString('last4'),
    bankName: t.exposeString('bankName', { nullable: true }),
    country: t.exposeString('country'),
    currency: t.exposeString('currency'),
    accountType: t.expose('accountType', { type: BankAccountType, nullable: true }),
    isDefault: t.exposeBoolean('isDefault'),
    status: t.expose('status', { type: BankAccountStatus }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    object: t.string({ description: 'Always `payout_bank_account`.', resolve: () => 'payout_bank_account' }),
    livemode: t.livemode(),
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
