import { arrivesBy } from '../../domain/payout.ts';
import type { MerchantBalance } from '../../engine/merchant.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import type { PayoutAccountState } from './account.ts';
import { payoutCurrency } from './service.ts';
import { BankAccountStatus, BankAccountType, PayoutAccountStatus, PayoutStatus } from './words.ts';

export const PayoutBankAccount = builder.prismaObject('PayoutBankAccount', {
  description: 'Where payouts go; of its number only the last four digits are ever shown.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pba_…`.' }),
    providerExternalAccountId: t.exposeString('providerExternalAccountId', {
      nullable: true,
      description: 'What the bank rail calls it; null until it has a name there.',
    }),
    holderName: t.exposeString('holderName', { description: 'Whose account it is.' }),
    last4: t.exposeString('last4', { description: 'The last four digits of its number.' }),
    bankName: t.exposeString('bankName', { nullable: true, description: 'The bank; null while it is not known.' }),
    country: t.exposeString('country', { description: 'ISO 3166-1 alpha-2, upper case; that of the payout account.' }),
    currency: t.exposeString('currency', { description: 'Lower-case ISO 4217 code of the account.' }),
    accountType: t.expose('accountType', { type: BankAccountType, nullable: true, description: 'Null when not told.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether payouts go there.' }),
    status: t.expose('status', { type: BankAccountStatus, description: 'Whether it can be paid to.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of its registration.' }),
    object: t.string({ description: 'Always `payout_bank_account`.', resolve: () => 'payout_bank_account' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_account, _args, context) => context.livemode }),
  }),
});

export const Payout = builder.prismaObject('Payout', {
  description: 'Money of the organization sent to its bank, in US cents.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `po_…`.' }),
    status: t.expose('status', { type: PayoutStatus, description: 'Where it stands.' }),
    amount: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR', description: 'What left the available balance, US cents.' }),
    fee: t.expose('feeMinor', { type: 'SafeInt', amount: 'MINOR', description: 'What the payout costs, US cents; 0.' }),
    netAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What the bank gets, US cents: amount less fee.',
      resolve: ({ amountMinor, feeMinor }) => amountMinor - feeMinor,
    }),
    currency: t.string({ description: 'Always `usd`.', resolve: () => payoutCurrency }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    providerTransferId: t.exposeString('providerTransferId', { description: 'What the bank rail knows it by.' }),
    failureCode: t.exposeString('failureCode', { nullable: true, description: 'Why it failed; null unless it did.' }),
    failureMessage: t.exposeString('failureMessage', { nullable: true, description: 'The same in a sentence; null unless it failed.' }),
    isCancelRequested: t.boolean({
      description: 'Whether the bank rail is being asked to take it back; false once it has answered.',
      resolve: async ({ id, status }, _args, context) =>
        status === 'pending' && ((await loadRow(context, 'RailRequest', id))?.isWithdrawn ?? false),
    }),
    arrivesBy: t.field({
      type: 'DateTime',
      description: 'When it should have arrived at the latest: the end of the seventh business day after its day.',
      resolve: ({ createdAt }) => arrivesBy(createdAt),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the request.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    bankAccount: t.field({
      type: PayoutBankAccount,
      nullable: true,
      description: 'Where it goes; null in a sandbox without bank accounts.',
      resolve: ({ bankAccountId }, _args, context) =>
        bankAccountId === null ? null : loadExistingRow(context, 'PayoutBankAccount', bankAccountId),
    }),
    object: t.string({ description: 'Always `payout`.', resolve: () => 'payout' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_payout, _args, context) => context.livemode }),
  }),
});

export const PayoutConnection = connectionOf('Payout', Payout, 'payouts');
export const PayoutBankAccountConnection = connectionOf('PayoutBankAccount', PayoutBankAccount, 'bank accounts');

export const PayoutAccount = builder.objectRef<PayoutAccountState>('PayoutAccount').implement({
  description: 'Whether the organization may take money out.',
  fields: (t) => ({
    status: t.expose('status', { type: PayoutAccountStatus, description: 'How far the verification is.' }),
    country: t.exposeString('country', { nullable: true, description: 'Where it is paid; null until that was submitted.' }),
  }),
});

export const PayoutBalance = builder.objectRef<MerchantBalance>('PayoutBalance').implement({
  description: "The organization's money on the platform's own rail, in US cents.",
  fields: (t) => ({
    pending: t.expose('pendingMinor', { type: 'SafeInt', amount: 'MINOR', description: 'Captured, and held for a while.' }),
    available: t.expose('availableMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What can be paid out; negative while refunds and disputes have taken more than was there.',
    }),
    frozen: t.expose('frozenMinor', { type: 'SafeInt', amount: 'MINOR', description: 'Taken from what is available by open disputes.' }),
    inTransit: t.expose('inTransitMinor', { type: 'SafeInt', amount: 'MINOR', description: 'In payouts that have not arrived.' }),
    currency: t.string({ description: 'Always `usd`.', resolve: () => payoutCurrency }),
  }),
});

restView('Payout', 'Payout', 'id status amount fee netAmount currency description providerTransferId createdAt object livemode');
const bank = 'id providerExternalAccountId holderName last4 bankName country currency accountType isDefault status createdAt';
restView('PayoutBankAccount', 'PayoutBankAccount', `${bank} object livemode`);
