import type { PreviewMoney } from '../../../domain/limits/approval.ts';
import { hasRole } from '../../../domain/limits/member-roles.ts';
import type { RunOutcome, ShownError } from '../../../engine/policy/approved-runs.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { Context } from '../../../request/context.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { isRunnable } from './check-run.ts';
import { ApprovalStatus } from './enums.ts';
import { type ApprovalRow, loadRunOutcome } from './store.ts';

const ApprovalMoney = builder.objectRef<PreviewMoney>('ApprovalMoney').implement({
  description: 'Money that an operation moves.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Currency of the amount.',
      resolve: ({ currency }) => currency as typeof Currency.$inferType,
    }),
    amount: t.member('amount', 'SafeInt').describe('Amount in the smallest currency unit.'),
  }),
});

const ApprovalError = builder.objectRef<ShownError>('ApprovalError').implement({
  description: 'Error of a call that Quittance made.',
  fields: (t) => ({
    code: t.member('code', 'String').describe('Error code, such as `payment_declined`.'),
    message: t.member('message', 'String').describe('Description of the error.'),
    param: t.string({
      nullable: true,
      description: 'Argument that caused the error. `null` if no argument caused the error.',
      resolve: ({ param }) => param ?? null,
    }),
  }),
});

/** Returns true if the caller can read the response to a call: the API key that requested the call, and members who can make the call. */
const readsOutcome = (
  { caller }: Context,
  { apiKeyId, role }: Pick<ApprovalRow, 'apiKeyId' | 'role'>,
): boolean =>
  caller.kind === 'key'
    ? caller.apiKeyId === apiKeyId
    : caller.kind === 'member' && hasRole(caller.role, role);

/** Returns the outcome of a call that Quittance made. `null` if the outcome isn't stored, or the caller can't read it. */
const outcomeFor = async (
  ctx: Context,
  approval: Pick<ApprovalRow, 'id' | 'apiKeyId' | 'role' | 'ranAt'>,
): Promise<RunOutcome | null> =>
  approval.ranAt !== null && readsOutcome(ctx, approval) ? loadRunOutcome(ctx, approval.id) : null;

export const Approval = builder.prismaObject('Approval', {
  ...node({ prefix: 'apr', access: { member: 'any' } }),
  description:
    'Request for the approval of a call that a policy of an API key rejected, or of usage that a limit rejected. All times are real time.',
  fields: (t) => ({
    ...t.columns('id', 'operation', 'previewHash'),
    apiKey: t.rowById('ApiKey', {
      id: 'apiKeyId',
      nullable: true,
      description:
        "API key that requested the call. `null` if the caller wasn't an API key, or if the key was deleted.",
    }),
    customer: t.rowById('Customer', {
      id: 'customerId',
      nullable: true,
      description:
        'Customer whose usage exceeds a limit. `null` if the approval is for one call of an API key.',
    }),
    limit: t.rowById('Limit', {
      id: 'limitId',
      nullable: true,
      description: 'Limit that an approval raises. `null` if the approval is for one call of an API key.',
    }),
    ...t.columns('budgetKey', 'raise'),
    arguments: t.computed({
      type: 'Json',
      description: 'Arguments of the operation, without payment methods and secrets.',
      columns: ['arguments'],
      resolve: (approval) => approval.arguments,
    }),
    money: t.computed({
      type: [ApprovalMoney],
      description: 'Money that the operation moves, by currency.',
      columns: ['preview'],
      resolve: ({ preview }) => [...preview.money],
    }),
    amountUsd: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description:
        "Money that the operation moves, in US cents. `null` if a currency has no exchange rate, or if the operation can't be previewed.",
      columns: ['preview'],
      resolve: ({ preview }) => preview.amountUsd,
    }),
    events: t.computed({
      type: ['Json'],
      description: 'Events that the operation causes, each with `kind` and `data`.',
      columns: ['preview'],
      resolve: ({ preview }) => preview.events.map(({ kind, data }) => ({ kind, data })),
    }),
    role: t.column('role'),
    status: t.computed({
      type: ApprovalStatus,
      description: 'Status of the approval.',
      columns: ['status', 'expiresAt'],
      resolve: ({ status, expiresAt }, _args, { wall }) =>
        (status === 'pending' || status === 'approved') && expiresAt <= wall.now() ? 'expired' : status,
    }),
    canRun: t.computed({
      type: 'Boolean',
      description:
        'Whether a member can approve the request with `run`. `false` for usage, for operations whose response contains a secret, for arguments with payment methods or secrets, and if the API key was deleted or has expired.',
      columns: ['apiKeyId', 'limitId', 'operation', 'arguments', 'argumentsHash', 'status', 'expiresAt'],
      resolve: async ({ status, expiresAt, ...approval }, _args, ctx) =>
        (status === 'pending' || status === 'approved') &&
        expiresAt > ctx.wall.now() &&
        isRunnable(ctx, approval),
    }),
    ...t.columns('decidedBy', 'note', 'expiresAt', 'decidedAt', 'usedAt', 'ranAt', 'createdAt'),
    result: t.computed({
      type: 'Json',
      nullable: true,
      description:
        'Response to the call that Quittance made, in the format of the REST API. Kept for 24 hours. `null` if Quittance made no call, if the call failed, or if the caller could not make the call.',
      columns: ['id', 'apiKeyId', 'role', 'ranAt'],
      resolve: async (approval, _args, ctx) => {
        const outcome = await outcomeFor(ctx, approval);
        return outcome !== null && 'result' in outcome ? outcome.result : null;
      },
    }),
    error: t.computed({
      type: ApprovalError,
      nullable: true,
      description:
        'Error of the call that Quittance made. Kept for 24 hours. `null` if Quittance made no call, if the call succeeded, or if the caller could not make the call.',
      columns: ['id', 'apiKeyId', 'role', 'ranAt'],
      resolve: async (approval, _args, ctx) => {
        const outcome = await outcomeFor(ctx, approval);
        return outcome !== null && 'error' in outcome ? outcome.error : null;
      },
    }),
    ...t.resource('approval'),
  }),
});

export const ApprovalConnection = connectionOf('Approval', Approval, 'approvals');

restView(
  'Approval',
  'Approval',
  `id operation apiKey { id name } customer { id externalId } limit { id name } budgetKey raise arguments money { currency amount } amountUsd events
  previewHash role status decidedBy note expiresAt decidedAt usedAt ranAt createdAt object livemode`,
);
