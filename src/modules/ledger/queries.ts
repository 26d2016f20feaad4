import type { LedgerMismatch as Mismatch } from '../../domain/ledger.ts';
import { builder } from '../../graphql/builder.ts';
import { checkLedger, type LedgerReport } from './check.ts';

const LedgerMismatch = builder.objectRef<Mismatch>('LedgerMismatch').implement({
  description: 'An account whose replayed entries differ from the documents.',
  fields: (t) => ({
    account: t.exposeString('account', { description: 'Account and currency, and the customer it belongs to where it belongs to one.' }),
    expected: t.expose('expected', { type: 'SafeInt', amount: 'MINOR', description: 'What the documents say, minor units.' }),
    actual: t.expose('actual', { type: 'SafeInt', amount: 'MINOR', description: 'Debits minus credits of the ledger, minor units.' }),
  }),
});

const LedgerVerification = builder.objectRef<LedgerReport>('LedgerVerification').implement({
  description: 'Outcome of a check of the ledger.',
  fields: (t) => ({
    ok: t.exposeBoolean('ok', { description: 'True when nothing differs.' }),
    mismatches: t.field({ type: [LedgerMismatch], description: 'What differs.', resolve: (report) => [...report.mismatches] }),
  }),
});

builder.queryField('ledgerVerify', (t) =>
  t.field({
    type: LedgerVerification,
    description:
      'Replays the double-entry ledger of the environment and compares it with outstanding invoices, customer credits and settled transactions. Costs time in proportion to all entries.',
    access: { scope: 'read' },
    resolve: (_root, _args, context) => checkLedger(context),
  }),
);
