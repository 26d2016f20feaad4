import { listOf } from '../../graphql/lists.ts';
import { EventKind } from '../events/enums.ts';
import { WebhookDeliveryStatus } from './types.ts';

export const deliveryList = listOf('WebhookDelivery', {
  name: 'WebhookDelivery',
  of: 'webhook deliveries',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', WebhookDeliveryStatus, 'How far they have come.', {
      index: {
        name: 'WebhookDelivery_failed',
        partial: { where: `t.status = 'failed'`, without: ['pending', 'succeeded', 'canceled'] },
      },
    }),
    webhookIds: f.oneOf('webhookId', 'ID', 'Ids of the endpoints.', {
      index: { name: 'WebhookDelivery_environmentId_webhookId_createdAt_seq_idx' },
    }),
    events: f.oneOf('kind', EventKind, 'What happened.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'WebhookDelivery_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
  },
});
