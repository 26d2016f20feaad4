import { arrivesBy } from '../../domain/payout.ts';
import type { MerchantBalance } from '../../engine/merchant.ts';
import { readUpcomingFunds, type UpcomingFunds as UpcomingFundsRow } from '../../engine/payout-store.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { payoutCurrency } from '../bank-accounts/store.ts';
import { Currency } from '../currencies/enums.ts';
import { addTotals } from '../currencies/types/list-totals.ts';
import { PayoutStatus } from './enums.ts';
import { isBeingWithdrawn } from './store.ts';

export const Payout = builder.prismaObject('Payout', {
  ...node({ prefix: 'po' }),
  description: 'Money of the organization sent to its bank, in US cents.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `po_…`.' }),
    status: t.expose('status', { type: PayoutStatus, description: 'Where it stands.' }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What left the available balance, US cents.',
    }),
    fee: t.expose('feeMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What the payout costs, US cents; 0.',
    }),
    netAmount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What the bank gets, US cents: amount less fee.',
      columns: ['amountMinor', 'feeMinor'],
      resolve: ({ amountMinor, feeMinor }) => amountMinor - feeMinor,
    }),
    currency: t.field({ type: Currency, description: 'Always `usd`.', resolve: () => payoutCurrency }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    providerTransferId: t.exposeString('providerTransferId', {
      description: 'What the payout provider knows it by.',
    }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'Why it failed; null unless it did.',
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The same in a sentence; null unless it failed.',
    }),
    isCancelRequested: t.computed({
      type: 'Boolean',
      description: 'Whether the payout provider is being asked to take it back; false once it has answered.',
      columns: ['id', 'status'],
      resolve: ({ id, status }, _args, ctx) => status === 'pending' && isBeingWithdrawn(ctx, id),
    }),
    arrivesBy: t.computed({
      type: 'DateTime',
      description:
        'When it should have arrived at the latest: the end of the seventh business day after its day.',
      columns: ['createdAt'],
      resolve: ({ createdAt }) => arrivesBy(createdAt),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the request.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of the last change.' }),
    bankAccount: t.row('bankAccount', {
      description: 'Where it goes; null in a sandbox without bank accounts.',
    }),
    object: t.string({ description: 'Always `payout`.', resolve: () => 'payout' }),
    livemode: t.livemode(),
  }),
});

export const PayoutConnection = connectionOf('Payout', Payout, 'payouts');

addTotals(PayoutConnection, {
  name: 'PayoutTotals',
  of: 'payouts',
  status: { type: PayoutStatus, description: 'Where the payouts stand.' },
  currency: payoutCurrency,
  sums: {
    amount: { column: 'amountMinor', description: 'The sum of what left the available balance, US cents.' },
    fee: { column: 'feeMinor', description: 'The sum of what they cost, US cents.' },
  },
});

export const UpcomingFunds = builder.objectRef<UpcomingFundsRow>('UpcomingFunds').implement({
  description: 'Pending funds that become available together, in US cents.',
  fields: (t) => ({
    availableAt: t.expose('availableAt', {
      type: 'DateTime',
      description: 'The midnight, UTC, from which they can be paid out.',
    }),
    amount: t.expose('amountMinor', { type: 'SafeInt', amount: 'MINOR', description: 'How much.' }),
  }),
});

export const PayoutBalance = builder.objectRef<MerchantBalance>('PayoutBalance').implement({
  description: "The organization's money on the platform's own processor, in US cents.",
  fields: (t) => ({
    pending: t.expose('pendingMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Captured, and held for a while.',
    }),
    available: t.expose('availableMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What can be paid out; negative while refunds and disputes have taken more than was there.',
    }),
    frozen: t.expose('frozenMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Taken from what is available by open disputes.',
    }),
    inTransit: t.expose('inTransitMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'In payouts that have not arrived.',
    }),
    currency: t.field({ type: Currency, description: 'Always `usd`.', resolve: () => payoutCurrency }),
    upcoming: t.field({
      type: [UpcomingFunds],
      description:
        'When what is pending becomes available, the next first; the sum is `pending`. At most 60.',
      resolve: (_balance, _args, ctx) => readUpcomingFunds(ctx.sql),
    }),
  }),
});

restView(
  'Payout',
  'Payout',
  'id status amount fee netAmount currency description providerTransferId createdAt object livemode',
);
