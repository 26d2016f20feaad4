import { accountSums } from '../../../domain/ledger/accounts.ts';
import { financeAccess } from '../../../graphql/declare/access.ts';
import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { inTurn } from '../../../request/turn.ts';
import { Currency } from '../../organization/currencies/enums.ts';
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
      "Recalculates the environment's ledger and compares it with outstanding invoices, customer credits, and transactions. Also compares credit balances with their entries, usage counters with usage events, and daily metric sums with ledger transfers. Takes longer as the ledger grows.",
    access: financeAccess,
    complexity: { field: workCosts.wholeTables },
    resolve: (_root, _args, ctx) => inTurn(ctx, () => checkLedger(ctx)),
  }),
);

builder.queryField('ledgerAccounts', (t) =>
  t.field({
    type: [LedgerAccount],
    description:
      'Returns the ledger accounts that have postings, with their balances, sorted by currency and name. The balances are current unless `at` is set. Takes longer if the ledger covers many days, or if the day of `at` has many transfers.',
    access: financeAccess,
    args: {
      at: t.arg({
        type: 'DateTime',
        description:
          'Time as of which to calculate the balances. Transfers posted at exactly this time are included. By default, all transfers are included.',
      }),
      currency: t.arg({
        type: Currency,
        description: 'Currency of the accounts to include. Defaults to all currencies.',
      }),
    },
    complexity: { field: workCosts.impact, multiplier: 5 },
    resolve: async (_root, { at, currency }, ctx) =>
      accountSums(await readFactAmounts(ctx.sql, { at: at ?? null, currency: currency ?? null })),
  }),
);

builder.queryField('ledgerTransfers', (t) =>
  t.field({
    type: LedgerTransferConnection,
    description: 'Lists ledger transfers. Newest first by default.',
    access: financeAccess,
    args: transferList.args,
    resolve: (_root, args, ctx, info) => readList(ctx, transferList, args, { info }),
  }),
);

builder.queryField('balanceEntries', (t) =>
  t.field({
    type: BalanceEntryConnection,
    description:
      'Lists changes to the balance that is available for payout, newest first. The sum of all changes is `payoutBalance.available`.',
    access: financeAccess,
    args: { ...pageArgs(), filter: t.arg({ type: BalanceEntryFilter, description: 'Filters the results.' }) },
    resolve: (_root, { filter, ...page }, ctx, info) =>
      readPage(ctx, balanceEntries(filter ?? {}), page, { info }),
  }),
);
