import { listOf } from '../../graphql/lists.ts';
import { belongsToCustomerWith } from '../customers/store.ts';
import { EmailKind } from '../organizations/types/organization.ts';
import { EmailStatus } from './types.ts';

export const emailList = listOf('EmailNotification', {
  name: 'EmailNotification',
  of: 'emails',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', EmailStatus, 'How far they have come.'),
    kinds: f.oneOf('kind', EmailKind, 'What they are about.'),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of the customers.', {
      index: { name: 'EmailNotification_environmentId_customerId_createdAt_seq_idx' },
    }),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  search: {
    idPrefix: 'eml',
    description: 'Only those to customers with this in name, email address or external id.',
    condition: belongsToCustomerWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'EmailNotification_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
  },
});
