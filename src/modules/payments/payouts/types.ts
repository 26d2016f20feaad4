import { arrivesBy } from '../../../domain/payments/payout.ts';
import {
  readUpcomingFunds,
  type UpcomingFunds as UpcomingFundsRow,
} from '../../../engine/effects/payout-store.ts';
import type { MerchantBalance } from '../../../engine/merchant.ts';
import { financeAccess } from '../../../graphql/declare/access.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { addTotals } from '../../organization/currencies/types/list-totals.ts';
import { payoutCurrency } from '../bank-accounts/store.ts';
import { PayoutStatus } from './enums.ts';
import { isBeingWithdrawn } from './store.ts';

export const Payout = builder.prismaObject('Payout', {
  ...node({ prefix: 'po', access: financeAccess }),
  description: "Transfer of the organization's funds to its bank account. Amounts are in US cents.",
  fields: (t) => ({
    ...t.columns('id', 'status'),
    amount: t.column('amountMinor'),
    fee: t.column('feeMinor'),
    netAmount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount that arrives at the bank, in US cents: `amount` minus `fee`.',
      columns: ['amountMinor', 'feeMinor'],
      resolve: ({ amountMinor, feeMinor }) => amountMinor - feeMinor,
    }),
    currency: t.field({ type: Currency, description: 'Always `usd`.', resolve: () => payoutCurrency }),
    ...t.columns('description', 'providerTransferId', 'failureCode', 'failureMessage'),
    isCancelRequested: t.computed({
      type: 'Boolean',
      description:
        'Whether a cancellation at the payout provider is pending. `false` once the provider has responded.',
      columns: ['id', 'status'],
      resolve: ({ id, status }, _args, ctx) => status === 'pending' && isBeingWithdrawn(ctx, id),
    }),
    arrivesBy: t.computed({
      type: 'DateTime',
      description: 'Latest expected arrival time: the end of the seventh business day after the request.',
      columns: ['createdAt'],
      resolve: ({ createdAt }) => arrivesBy(createdAt),
    }),
    ...t.columns('createdAt', 'updatedAt'),
    bankAccount: t.row('bankAccount', {
      description: 'Destination bank account. `null` in a sandbox without bank accounts.',
    }),
    ...t.resource('payout'),
  }),
});

export const PayoutConnection = connectionOf('Payout', Payout, 'payouts');

addTotals(PayoutConnection, {
  name: 'PayoutTotals',
  of: 'payouts',
  status: { type: PayoutStatus, description: 'Status of the payouts.' },
  currency: payoutCurrency,
  sums: {
    amount: {
      column: 'amountMinor',
      description: 'Sum of the amounts deducted from the available balance, in US cents.',
    },
    fee: { column: 'feeMinor', description: 'Sum of the fees, in US cents.' },
  },
});

const UpcomingFunds = builder.objectRef<UpcomingFundsRow>('UpcomingFunds').implement({
  description: 'Pending funds that become available at the same time, in US cents.',
  fields: (t) => ({
    availableAt: t
      .member('availableAt', 'DateTime')
      .describe('Time at which the funds become available. Always midnight UTC.'),
    amount: t.member('amountMinor', 'MINOR').describe('Amount that becomes available, in US cents.'),
  }),
});

export const PayoutBalance = builder.objectRef<MerchantBalance>('PayoutBalance').implement({
  description: "The organization's balance at the platform's payment provider, in US cents.",
  fields: (t) => ({
    pending: t
      .member('pendingMinor', 'MINOR')
      .describe("Funds from successful charges that aren't available yet."),
    available: t
      .member('availableMinor', 'MINOR')
      .describe('Funds available for payout. Negative if refunds and disputes exceed the balance.'),
    frozen: t.member('frozenMinor', 'MINOR').describe('Funds on hold because of open disputes.'),
    inTransit: t.member('inTransitMinor', 'MINOR').describe("Funds in payouts that haven't arrived yet."),
    currency: t.field({ type: Currency, description: 'Always `usd`.', resolve: () => payoutCurrency }),
    upcoming: t.field({
      type: [UpcomingFunds],
      description:
        'Pending funds, grouped by the time at which the funds become available, earliest first. The amounts add up to `pending`. Up to 60 entries.',
      resolve: (_balance, _args, ctx) => readUpcomingFunds(ctx.sql),
    }),
  }),
});

restView(
  'Payout',
  'Payout',
  'id status amount fee netAmount currency description providerTransferId createdAt object livemode',
);
