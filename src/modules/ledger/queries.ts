import { accountSums } from '../../domain/ledger/accounts.ts';
import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { readPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { Currency } from '../currencies/enums.ts';
import { checkLedger } from './check.ts';
import { balanceEntries, transferList } from './list.ts';
import { readFactAmounts } from './store.ts';
import {
  BalanceEntryConnection,
  BalanceEntryFilter,
  LedgerAccount,
  LedgerTransferConnection,
  LedgerVerification,
} from './types.ts';

builder.queryField('ledgerVerify', (t) =>
  t.field({
    type: LedgerVerification,
    description:
      'Replays the double-entry ledger of the environment and compares it with outstanding invoices, customer credits and transactions; then replays pools and counters of consumption from their entries and events, and compares the sums of days that metrics are read from with their transfers. Costs time in proportion to all entries.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => checkLedger(ctx),
  }),
);

builder.queryField('ledgerAccounts', (t) =>
  t.field({
    type: [LedgerAccount],
    description:
      'The accounts of the ledger that something was posted to, by currency and name, with their balances now or as they were at an instant. Costs time in proportion to the days of the ledger and the transfers of the day of `at`.',
    access: { scope: 'read' },
    args: {
      at: t.arg({
        type: 'DateTime',
        description: 'Only what was posted up to this instant, which is included. Defaults to everything.',
      }),
      currency: t.arg({ type: Currency, description: 'Only accounts in this currency.' }),
    },
    resolve: async (_root, { at, currency }, ctx) =>
      accountSums(await readFactAmounts(ctx.sql, { at: at ?? null, currency: currency ?? null })),
  }),
);

builder.queryField('ledgerTransfers', (t) =>
  t.field({
    type: LedgerTransferConnection,
    description: 'The transfers of the ledger, newest first unless they are sorted otherwise.',
    access: { scope: 'read' },
    args: transferList.args,
    resolve: (_root, args, ctx, info) => readList(ctx, transferList, args, { info }),
  }),
);

builder.queryField('balanceEntries', (t) =>
  t.field({
    type: BalanceEntryConnection,
    description:
      'What changed the balance that can be paid out, the latest first; together they are `payoutBalance.available`.',
    access: { scope: 'finance' },
    args: { ...pageArgs(), filter: t.arg({ type: BalanceEntryFilter, description: 'Which ones.' }) },
    resolve: (_root, { filter, ...page }, ctx, info) =>
      readPage(ctx, balanceEntries(filter ?? {}), page, { info }),
  }),
);
