import { builder } from '../../graphql/builder.ts';
import { loadTransfers } from './load-transfers.ts';
import { LedgerTransfer } from './types.ts';

builder.prismaObjectFields('Invoice', (t) => ({
  ledger: t.computed({
    type: [LedgerTransfer],
    description: 'What it moved in the ledger, the earliest first.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadTransfers(ctx, id),
  }),
}));
