import { builder } from '../../graphql/builder.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { requireWebhook } from './service.ts';
import { Webhook, WebhookConnection } from './types.ts';

builder.queryField('webhooks', (t) =>
  t.field({
    type: WebhookConnection,
    description: 'Webhook endpoints of the environment, newest first, inactive ones included. No secret is shown.',
    rest: { method: 'GET', path: '/webhooks', view: 'Webhook' },
    access: { scope: 'read' },
    args: pageArgs(),
    resolve: (_root, args, context) => listRows(context, 'Webhook', args, { filter: { deletedAt: null } }),
  }),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    description: 'One webhook endpoint, without its secret.',
    rest: { method: 'GET', path: '/webhooks/{id}', view: 'Webhook', errors: ['webhook_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    resolve: (_root, { id }, context) => requireWebhook(context, id),
  }),
);
