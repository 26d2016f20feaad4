import { builder } from '../../graphql/builder.ts';
import { submitVerification } from './submit.ts';
import { PayoutVerification, PayoutVerificationSubmitInput } from './types.ts';

builder.mutationField('payoutVerificationSubmit', (t) =>
  t.field({
    type: PayoutVerification,
    description:
      'Submits the organization to be verified, once, and again after it was rejected; the payout provider decides. The country is locked from then on. `validation_error` while it is being looked at, once it is approved, for another country than before and for days that cannot be; `payouts_not_available_in_sandbox`.',
    errors: ['payouts_not_available_in_sandbox'],
    access: { member: 'owner' },
    args: {
      input: t.arg({
        type: PayoutVerificationSubmitInput,
        required: true,
        description: 'What it is verified by.',
      }),
    },
    resolve: (_root, { input }, ctx) => submitVerification(ctx, input),
  }),
);
