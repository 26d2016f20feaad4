import { listOf } from '../../../graphql/reading/lists.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { WebhookDeliveryStatus } from './types.ts';

export const deliveryList = listOf('WebhookDelivery', {
  name: 'WebhookDelivery',
  of: 'webhook deliveries',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', WebhookDeliveryStatus, 'Statuses to include.', {
      index: {
        name: 'WebhookDelivery_failed',
        partial: { where: `t.status = 'failed'`, without: ['pending', 'succeeded', 'canceled'] },
      },
    }),
    webhookIds: f.oneOf('webhookId', 'ID', 'IDs of the endpoints to include.', {
      index: { name: 'WebhookDelivery_environmentId_webhookId_createdAt_seq_idx' },
    }),
    events: f.oneOf('kind', EventKind, 'Event types to include.'),
    createdAt: f.instants('createdAt', 'Time at which the delivery was created.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'WebhookDelivery_environmentId_createdAt_seq_idx',
      description: 'Time at which the delivery was created.',
    },
  },
});
