import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { PayoutBankAccountConnection } from './types.ts';

builder.queryField('payoutBankAccounts', (t) =>
  t.field({
    type: PayoutBankAccountConnection,
    description: 'The bank accounts of the organization, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'PayoutBankAccount', args),
  }),
);
