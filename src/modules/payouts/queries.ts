import { readBalance } from '../../engine/merchant.ts';
import { builder } from '../../graphql/builder.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { requirePayout } from './store.ts';
import { Payout, PayoutBalance, PayoutConnection } from './types.ts';

builder.queryField('payoutBalance', (t) =>
  t.field({
    type: PayoutBalance,
    description: "The organization's money on the platform's own processor.",
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => readBalance(ctx),
  }),
);

builder.queryField('payouts', (t) =>
  t.field({
    type: PayoutConnection,
    description: 'Payouts, newest first.',
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'Payout', args),
  }),
);

builder.queryField('payout', (t) =>
  t.field({
    type: Payout,
    description: 'One payout; `not_found` when there is none.',
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requirePayout(ctx, id),
  }),
);
