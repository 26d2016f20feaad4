import { builder } from '../../graphql/builder.ts';
import { readPayoutAccount, readVerification } from './store.ts';
import { PayoutAccount, PayoutVerification } from './types.ts';

builder.queryField('payoutAccount', (t) =>
  t.field({
    type: PayoutAccount,
    description: 'Whether the organization may take money out.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => readPayoutAccount(ctx),
  }),
);

builder.queryField('payoutVerification', (t) =>
  t.field({
    type: PayoutVerification,
    description: 'How far the verification of the organization is. `payouts_not_available_in_sandbox`.',
    errors: ['payouts_not_available_in_sandbox'],
    access: { member: 'owner' },
    resolve: (_root, _args, ctx) => readVerification(ctx),
  }),
);
