import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import type { DeliveryRow } from './service.ts';

/** The secret rides on the row only where the endpoint has just been made. */
const secretOf = (webhook: object): string | null =>
  'secretKey' in webhook && typeof webhook.secretKey === 'string' ? webhook.secretKey : null;

export const Webhook = builder.prismaObject('Webhook', {
  description: 'An address that is told of events. Each message is signed with its secret.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `whe_…`.' }),
    url: t.exposeString('url', { description: 'Where events are posted to: https in live mode, http or https in the sandbox.' }),
    events: t.expose('events', { type: ['EventKind'], description: 'Kinds it receives, each once.' }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    isActive: t.exposeBoolean('isActive', {
      description:
        'False receives nothing but tests and deliveries resent by hand; three events in a row that fail for good switch it off.',
    }),
    apiVersion: t.exposeString('apiVersion', {
      description: 'The version it wants its messages in; one that does not exist counts as the current one.',
    }),
    secretKey: t.string({
      nullable: true,
      description: 'The signing secret, `whsec_…`, all of it the key; null everywhere but in the answer of `webhookCreate`.',
      resolve: secretOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    object: t.string({ description: 'Always `webhook`.', resolve: () => 'webhook' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_webhook, _args, context) => context.livemode }),
  }),
});

export const WebhookConnection = connectionOf('Webhook', Webhook, 'webhook endpoints');

export const WebhookTest = builder.objectRef<DeliveryRow>('WebhookTest').implement({
  description: 'How a test of an endpoint went.',
  fields: (t) => ({
    success: t.boolean({ description: 'Whether the endpoint answered 2xx in time.', resolve: ({ status }) => status === 'succeeded' }),
    deliveryId: t.exposeID('id', { description: 'Id of the delivery that was recorded, `whd_…`.' }),
    deliveredAt: t.field({
      type: 'DateTime',
      description: 'When the test was sent, by operational time.',
      resolve: ({ lastAttemptAt, createdAt }) => lastAttemptAt ?? createdAt,
    }),
    object: t.string({ description: 'Always `webhook_delivery`.', resolve: () => 'webhook_delivery' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_test, _args, context) => context.livemode }),
  }),
});

const shown = 'id url events description isActive apiVersion createdAt object livemode';

restView('Webhook', 'Webhook', shown);
restView('CreatedWebhook', 'Webhook', `${shown} secretKey`);
restView('WebhookTest', 'WebhookTest', 'success deliveryId deliveredAt object livemode');
