import type { LedgerMismatch as Mismatch } from '../../domain/ledger.ts';
import { builder } from '../../graphql/builder.ts';
import type { LedgerReport } from './check.ts';

const LedgerMismatch = builder.objectRef<Mismatch>('LedgerMismatch').implement({
  description:
    'A stored amount that differs from what makes it up. Money of the ledger is in minor units, credits and units are counts, balances are at 10000 for 1.00.',
  fields: (t) => ({
    account: t.exposeString('account', {
      description:
        'Account and currency, and the customer it belongs to where it belongs to one; or a pool, an entry or a counter with its id.',
    }),
    expected: t.expose('expected', {
      type: 'SafeInt',
      description: 'What the document, account or counter says.',
    }),
    actual: t.expose('actual', {
      type: 'SafeInt',
      description: 'What the replay says: debits minus credits, or the sum of the entries or events.',
    }),
  }),
});

export const LedgerVerification = builder.objectRef<LedgerReport>('LedgerVerification').implement({
  description: 'Outcome of a check of the ledger.',
  fields: (t) => ({
    ok: t.exposeBoolean('ok', { description: 'True when nothing differs.' }),
    mismatches: t.field({
      type: [LedgerMismatch],
      description: 'What differs.',
      resolve: (report) => [...report.mismatches],
    }),
  }),
});
