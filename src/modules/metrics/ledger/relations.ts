import { builder } from '../../../graphql/reading/builder.ts';
import { loadPayoutEntries, loadTransfers } from './load-transfers.ts';
import { BalanceEntry, LedgerTransfer } from './types.ts';

builder.prismaObjectFields('Invoice', (t) => ({
  ledger: t.computed({
    type: [LedgerTransfer],
    description: 'Ledger transfers of the invoice, oldest first.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadTransfers(ctx, id),
  }),
}));

builder.prismaObjectField('Payout', 'entries', (t) =>
  t.computed({
    type: [BalanceEntry],
    description:
      'Balance changes since the previous payout, including the current payout, newest first. The entries of this payout and all earlier payouts add up to the balance that remained after this payout.',
    args: {
      first: t.arg.int({
        rule: { minimum: 1, maximum: 1_000 },
        description: 'Number of results to return, from 1 to 1,000. Defaults to 100.',
      }),
    },
    columns: ['id'],
    resolve: ({ id }, { first }, ctx) => loadPayoutEntries(ctx, id, first ?? 100),
  }),
);
