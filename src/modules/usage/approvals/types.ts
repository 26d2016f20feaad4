import type { PreviewMoney } from '../../../domain/limits/approval.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { ApprovalStatus } from './enums.ts';

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

export const Approval = builder.prismaObject('Approval', {
  ...node({ prefix: 'apr', access: { member: 'member' } }),
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
      description: 'Arguments of the operation, without payment methods.',
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
    ...t.columns('decidedBy', 'note', 'expiresAt', 'decidedAt', 'usedAt', 'createdAt'),
    ...t.resource('approval'),
  }),
});

export const ApprovalConnection = connectionOf('Approval', Approval, 'approvals');

restView(
  'Approval',
  'Approval',
  `id operation apiKey { id name } customer { id externalId } limit { id name } budgetKey raise arguments money { currency amount } amountUsd events
  previewHash role status decidedBy note expiresAt decidedAt usedAt createdAt object livemode`,
);
