import { builder } from '../../../graphql/reading/builder.ts';
import { submitVerification } from './submit.ts';
import { PayoutVerification, PayoutVerificationSubmitInput } from './types.ts';

builder.mutationField('payoutVerificationSubmit', (t) =>
  t.field({
    type: PayoutVerification,
    description:
      "Submits the organization's details for verification. The payout provider reviews the details. After a rejection, the details can be submitted again. The country can't be changed after submission. Fails with `validation_error` if the details are in review or approved, if the country differs from an earlier submission, if the date of birth isn't in the past, or if the document has expired.",
    errors: ['payouts_not_available_in_sandbox'],
    access: { member: 'owner', proof: true },
    args: {
      input: t.arg({
        type: PayoutVerificationSubmitInput,
        required: true,
      }),
    },
    resolve: (_root, { input }, ctx) => submitVerification(ctx, input),
  }),
);
