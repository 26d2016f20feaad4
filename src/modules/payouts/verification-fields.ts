import { builder } from '../../graphql/builder.ts';
import { readVerification, submitVerification } from './submit-verification.ts';
import { PayoutVerification, PayoutVerificationSubmitInput } from './verification-types.ts';

builder.queryField('payoutVerification', (t) =>
  t.field({
    type: PayoutVerification,
    description: 'How far the verification of the organization is (PAY-38). `payouts_not_available_in_sandbox`.',
    access: { member: 'owner' },
    resolve: (_root, _args, context) => readVerification(context),
  }),
);

builder.mutationField('payoutVerificationSubmit', (t) =>
  t.field({
    type: PayoutVerification,
    description:
      'Submits the organization to be verified, once, and again after it was rejected; the bank rail decides (PAY-38). The country is locked from then on. `validation_error` while it is being looked at, once it is approved, for another country than before and for days that cannot be; `payouts_not_available_in_sandbox`.',
    access: { member: 'owner' },
    args: { input: t.arg({ type: PayoutVerificationSubmitInput, required: true, description: 'What it is verified by.' }) },
    resolve: (_root, { input }, context) => submitVerification(context, input),
  }),
);
