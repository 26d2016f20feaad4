import { builder } from '../../graphql/builder.ts';
import { single, withMembers } from '../../graphql/list-rows.ts';
import { readList } from '../../graphql/lists.ts';
import { listRows } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { deliveryList } from './list.ts';
import { requireWebhook } from './store.ts';
import { Webhook, WebhookConnection, WebhookDeliveryConnection, WebhookDeliveryStatus } from './types.ts';

builder.queryField('webhooks', (t) =>
  t.field({
    type: WebhookConnection,
    description:
      'Webhook endpoints of the environment, newest first, inactive ones included. No secret is shown.',
    rest: { method: 'GET', path: '/webhooks', view: 'Webhook' },
    access: { scope: 'read', role: 'admin' },
    args: pageArgs(),
    resolve: (_root, args, ctx) => listRows(ctx, 'Webhook', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    description: 'One webhook endpoint, without its secret.',
    rest: { method: 'GET', path: '/webhooks/{id}', view: 'Webhook', errors: ['webhook_not_found'] },
    access: { scope: 'read', role: 'admin' },
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    resolve: (_root, { id }, ctx) => requireWebhook(ctx, id),
  }),
);

builder.queryField('webhookDeliveries', (t) =>
  t.field({
    type: WebhookDeliveryConnection,
    description:
      'Deliveries to webhook endpoints, newest first, tests included. Records are kept for a time after they ended.',
    errors: ['webhook_not_found'],
    access: { scope: 'read' },
    args: {
      ...deliveryList.args,
      webhookId: t.arg.id({
        description: 'Only those to this endpoint; `webhook_not_found` when there is no such endpoint.',
      }),
      status: t.arg({ type: WebhookDeliveryStatus, description: 'Only those that have come this far.' }),
    },
    resolve: async (_root, { webhookId, status, ...page }, ctx) => {
      if (webhookId) await requireWebhook(ctx, webhookId);
      const members = { webhookIds: single(webhookId), statuses: single(status) };
      return readList(ctx, deliveryList, withMembers(page, members));
    },
  }),
);
