import { listOf } from '../../graphql/lists.ts';
import { belongsToCustomerWithOr } from '../customers/store.ts';

export const usageEventList = listOf('UsageEvent', {
  name: 'UsageEvent',
  of: 'usage events',
  filter: (f) => ({
    ids: f.ids(),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of the customers.', {
      index: { name: 'UsageEvent_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'Ids of the subscriptions they counted for.', {
      // Found among those of the customer: usage is written too often for an index per question.
      index: {
        name: 'UsageEvent_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    featureIds: f.oneOf('featureId', 'ID', 'Ids of the features.'),
    ts: f.instants('ts', 'When they happened, by the word of the caller.'),
    createdAt: f.instants('createdAt', 'When they were recorded.'),
  }),
  search: {
    idPrefix: 'evt',
    description:
      'Only the one with exactly this id of the caller, and those of customers with this in name, email address or external id.',
    condition: (text) => belongsToCustomerWithOr(text, (bind) => `t."eventId" = ${bind(text)}`),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'UsageEvent_environmentId_createdAt_seq_idx',
      description: 'When they were recorded.',
    },
  },
});
