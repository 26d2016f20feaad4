import { builder } from '../../../graphql/reading/builder.ts';
import { newestFirst } from '../../../graphql/reading/cursors.ts';
import { readPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import { ApprovalStatus } from './enums.ts';
import { readsAll, requireApproval } from './store.ts';
import { Approval, ApprovalConnection } from './types.ts';

/** Returns the condition for approvals with a status at a time. Open approvals that have expired have the status `expired`. */
const hasStatus =
  (status: string, now: Date): Condition =>
  (value) =>
    status === 'expired'
      ? `t.status IN ('pending', 'approved') AND t."expiresAt" <= ${value(now)}`
      : status === 'pending' || status === 'approved'
        ? `t.status::text = ${value(status)} AND t."expiresAt" > ${value(now)}`
        : `t.status::text = ${value(status)}`;

/** Returns the condition for approvals that a key without the scope `keys` can read: approvals of usage, and its own calls. */
const isReadableBy =
  (apiKeyId: string): Condition =>
  (value) =>
    `(t."apiKeyId" IS NULL OR t."apiKeyId" = ${value(apiKeyId)})`;

builder.queryField('approvals', (t) =>
  t.field({
    type: ApprovalConnection,
    description:
      'Lists approvals, newest first. API keys without the scope `keys` see only approvals of usage, and of calls that the key made.',
    rest: { method: 'GET', path: '/approvals', view: 'Approval' },
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      status: t.arg({ type: ApprovalStatus, description: 'Status to filter by. Defaults to all statuses.' }),
    },
    resolve: (_root, { status, ...args }, ctx, info) => {
      const { caller } = ctx;
      const conditions = [
        ...(status == null ? [] : [hasStatus(status, ctx.wall.now())]),
        ...(readsAll(ctx) || caller.kind !== 'key' ? [] : [isReadableBy(caller.apiKeyId)]),
      ];
      return readPage(ctx, { model: 'Approval', conditions, order: newestFirst }, args, { info });
    },
  }),
);

builder.queryField('approval', (t) =>
  t.field({
    type: Approval,
    description:
      'Returns an approval. API keys without the scope `keys` can read only approvals of usage, and of calls that the key made.',
    rest: { method: 'GET', path: '/approvals/{id}', view: 'Approval' },
    errors: ['not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the approval.' }) },
    resolve: (_root, { id }, ctx) => requireApproval(ctx, id),
  }),
);
