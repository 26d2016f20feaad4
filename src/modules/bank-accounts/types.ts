import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { BankAccountStatus, BankAccountType } from './enums.ts';

export const PayoutBankAccount = builder.prismaObject('PayoutBankAccount', {
  ...node({ prefix: 'pba' }),
  description: 'Where payouts go; of its number only the last four digits are ever shown.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pba_…`.' }),
    providerExternalAccountId: t.exposeString('providerExternalAccountId', {
      nullable: true,
      description: 'What the payout provider calls it; null until it has a name there.',
    }),
    holderName: t.exposeString('holderName', { description: 'Whose account it is.' }),
    last4: t.exposeString('last4', { description: 'The last four digits of its number.' }),
    bankName: t.exposeString('bankName', {
      nullable: true,
      description: 'The bank; null while it is not known.',
    }),
    country: t.exposeString('country', {
      description: 'ISO 3166-1 alpha-2, upper case; that of the payout account.',
    }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code of the account.' }),
    accountType: t.expose('accountType', {
      type: BankAccountType,
      nullable: true,
      description: 'Null when unknown.',
    }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether payouts go there.' }),
    status: t.expose('status', { type: BankAccountStatus, description: 'Whether it can be paid to.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of its registration.' }),
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
