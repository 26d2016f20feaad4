import { readBalance } from '../../engine/merchant.ts';
import { builder } from '../../graphql/builder.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { readPayoutAccount } from './account.ts';
import { requirePayout } from './service.ts';
import { Payout, PayoutAccount, PayoutBalance, PayoutBankAccountConnection, PayoutConnection } from './types.ts';

builder.queryField('payoutBalance', (t) =>
  t.field({
    type: PayoutBalance,
    description: "The organization's money on the platform's own rail (PAY-35).",
    access: { scope: 'read' },
    resolve: (_root, _args, context) => readBalance(context),
  }),
);

builder.queryField('payoutAccount', (t) =>
  t.field({
    type: PayoutAccount,
    description: 'Whether the organization may take money out (PAY-38).',
    access: { scope: 'read' },
    resolve: (_root, _args, context) => readPayoutAccount(context),
  }),
);

builder.queryField('payouts', (t) =>
  t.field({
    type: PayoutConnection,
    description: 'Payouts, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, context) => listRows(context, 'Payout', args),
  }),
);

builder.queryField('payout', (t) =>
  t.field({
    type: Payout,
    description: 'One payout; `not_found` when there is none.',
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, context) => requirePayout(context, id),
  }),
);

builder.queryField('payoutBankAccounts', (t) =>
  t.field({
    type: PayoutBankAccountConnection,
    description: 'The bank accounts of the organization, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, context) => listRows(context, 'PayoutBankAccount', args),
  }),
);
