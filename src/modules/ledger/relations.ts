import { builder } from '../../graphql/builder.ts';
import { loadPayoutEntries, loadTransfers } from './load-transfers.ts';
import { BalanceEntry, LedgerTransfer } from './types.ts';

builder.prismaObjectFields('Invoice', (t) => ({
  ledger: t.computed({
    type: [LedgerTransfer],
    description: 'What it moved in the ledger, the earliest first.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadTransfers(ctx, id),
  }),
}));

builder.prismaObjectField('Payout', 'entries', (t) =>
  t.computed({
    type: [BalanceEntry],
    description:
      'What it is made of: the changes of the available balance after the payout before it, up to its own, the latest first. With those of all payouts before it they add up to what it left available.',
    args: {
      first: t.arg.int({
        rule: { minimum: 1, maximum: 1_000 },
        description: 'How many to return, 1 to 1000. Defaults to 100.',
      }),
    },
    columns: ['id'],
    resolve: ({ id }, { first }, ctx) => loadPayoutEntries(ctx, id, first ?? 100),
  }),
);
