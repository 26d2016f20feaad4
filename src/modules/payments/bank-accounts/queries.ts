import { financeAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { PayoutBankAccountConnection } from './types.ts';

builder.queryField('payoutBankAccounts', (t) =>
  t.field({
    type: PayoutBankAccountConnection,
    description: "Lists the organization's bank accounts, newest first.",
    access: financeAccess,
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PayoutBankAccount', args),
  }),
);
