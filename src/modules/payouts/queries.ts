import { readBalance } from '../../engine/merchant.ts';
import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { payoutList } from './list.ts';
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
    description: 'Payouts, newest first unless they are sorted otherwise.',
    access: { scope: 'read' },
    args: payoutList.args,
    resolve: (_root, args, ctx) => readList(ctx, payoutList, args),
  }),
);

builder.queryField('payout', (t) =>
  t.field({
    type: Payout,
    description: 'One payout; `not_found` when there is none.',
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => requirePayout(ctx, id),
  }),
);
