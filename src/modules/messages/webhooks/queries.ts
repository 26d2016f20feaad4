import { builder } from '../../../graphql/reading/builder.ts';
import { single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { deliveryList } from './list.ts';
import { webhookRows } from './store.ts';
import { Webhook, WebhookConnection, WebhookDeliveryConnection, WebhookDeliveryStatus } from './types.ts';

builder.queryField('webhooks', (t) =>
  t.field({
    type: WebhookConnection,
    description:
      'Lists the webhook endpoints of the environment, newest first. Includes disabled endpoints, and never contains secrets.',
    rest: { method: 'GET', path: '/webhooks', view: 'Webhook' },
    access: { scope: 'read', role: 'admin' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'Webhook', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    description: 'Returns a webhook endpoint, without its secret.',
    rest: { method: 'GET', path: '/webhooks/{id}', view: 'Webhook' },
    errors: ['webhook_not_found'],
    access: { scope: 'read', role: 'admin' },
    args: { id: t.arg.id({ required: true, description: 'ID of the endpoint.' }) },
    resolve: (_root, { id }, ctx) => webhookRows.require(ctx, id),
  }),
);

builder.queryField('webhookDeliveries', (t) =>
  t.field({
    type: WebhookDeliveryConnection,
    description:
      'Lists deliveries to webhook endpoints, including tests. Newest first by default. Records of finished deliveries are deleted after the retention period.',
    errors: [['webhook_not_found', "`webhookId` doesn't exist"]],
    access: { scope: 'read' },
    args: {
      ...deliveryList.args,
      webhookId: t.arg.id({
        description: 'ID of the endpoint whose deliveries to include. Defaults to all endpoints.',
      }),
      status: t.arg({
        type: WebhookDeliveryStatus,
        description: 'Status of the deliveries to include. Defaults to all statuses.',
      }),
    },
    resolve: async (_root, { webhookId, status, ...page }, ctx) => {
      if (webhookId) await webhookRows.require(ctx, webhookId);
      const members = { webhookIds: single(webhookId), statuses: single(status) };
      return readList(ctx, deliveryList, withMembers(page, members));
    },
  }),
);
