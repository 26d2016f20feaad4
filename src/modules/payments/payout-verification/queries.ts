import { financeAccess } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { readPayoutAccount, readVerification } from './store.ts';
import { PayoutAccount, PayoutVerification } from './types.ts';

builder.queryField('payoutAccount', (t) =>
  t.field({
    type: PayoutAccount,
    description: 'Returns the payout account of the organization.',
    access: financeAccess,
    resolve: (_root, _args, ctx) => readPayoutAccount(ctx),
  }),
);

builder.queryField('payoutVerification', (t) =>
  t.field({
    type: PayoutVerification,
    description: 'Returns the verification of the organization.',
    errors: ['payouts_not_available_in_sandbox'],
    access: { member: 'owner' },
    resolve: (_root, _args, ctx) => readVerification(ctx),
  }),
);
