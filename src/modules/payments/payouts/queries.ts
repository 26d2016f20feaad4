import { readBalance } from '../../../engine/merchant.ts';
import { financeAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { payoutList } from './list.ts';
import { requirePayout } from './store.ts';
import { Payout, PayoutBalance, PayoutConnection } from './types.ts';

builder.queryField('payoutBalance', (t) =>
  t.field({
    type: PayoutBalance,
    description: "Returns the organization's balance at the platform's payment provider.",
    access: financeAccess,
    resolve: (_root, _args, ctx) => readBalance(ctx),
  }),
);

builder.queryField('payouts', (t) =>
  t.field({
    type: PayoutConnection,
    description: 'Lists payouts. Newest first by default.',
    access: financeAccess,
    args: payoutList.args,
    resolve: (_root, args, ctx) => readList(ctx, payoutList, args),
  }),
);

builder.queryField('payout', (t) =>
  t.field({
    type: Payout,
    description: 'Returns a payout.',
    errors: ['not_found'],
    access: financeAccess,
    args: { id: t.arg.id({ required: true, description: 'ID of the payout.' }) },
    resolve: (_root, { id }, ctx) => requirePayout(ctx, id),
  }),
);
