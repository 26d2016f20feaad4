import { builder } from '../../../graphql/reading/builder.ts';
import { ApprovalDecision } from './enums.ts';
import { decideApproval } from './resolve-approval.ts';
import { approveAndRun } from './resolve-run.ts';
import { Approval } from './types.ts';

const ApprovalDecideInput = builder.inputType('ApprovalDecideInput', {
  description: 'Parameters for deciding about an approval.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the approval.' }),
    decision: t.field({ type: ApprovalDecision, required: true, description: 'Decision.' }),
    run: t.boolean({
      description:
        'Whether Quittance makes the approved call immediately, as the API key that requested it. Not allowed for usage, for operations whose response contains a secret, and for arguments with payment methods or secrets. Defaults to `false`.',
    }),
    note: t.string({
      rule: { maxLength: 1_000, multiline: true },
      description: 'Note about the decision, up to 1,000 characters. By default, there is no note.',
    }),
  }),
});

builder.mutationField('approvalDecide', (t) =>
  t.field({
    type: Approval,
    description:
      'Approves or rejects a call or usage. An approved call can be made once within 24 hours of the request, with the same arguments and effects. With `run`, Quittance makes the call immediately, and the API key gets the response when it repeats the call within 24 hours. If the call fails, `error` contains the error. Approved usage raises the limit by the missing amount until its window ends. Members need the role that the operation requires; API keys never decide. A repeated decision changes nothing. Fails with `validation_error` if the approval has expired, or if a member has made another decision. With `run`, fails without any change with `validation_error` if the API key was deleted or has expired, with `forbidden` if the effects of the call have changed, or with the error of a call that changes nothing.',
    errors: ['not_found'],
    access: { member: 'member', proof: true },
    args: { input: t.arg({ type: ApprovalDecideInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      input.run === true ? approveAndRun(ctx, input) : decideApproval(ctx, input),
  }),
);
