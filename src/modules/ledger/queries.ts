import { builder } from '../../graphql/builder.ts';
import { checkLedger } from './check.ts';
import { LedgerVerification } from './types.ts';

builder.queryField('ledgerVerify', (t) =>
  t.field({
    type: LedgerVerification,
    description:
      'Replays the double-entry ledger of the environment and compares it with outstanding invoices, customer credits and transactions; then replays pools and counters of consumption from their entries and events. Costs time in proportion to all entries.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => checkLedger(ctx),
  }),
);
