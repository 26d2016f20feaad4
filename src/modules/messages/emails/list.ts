import { listOf } from '../../../graphql/reading/lists.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { EmailKind } from '../../organization/organizations/types/organization.ts';
import { EmailStatus } from './types.ts';

export const emailList = listOf('EmailNotification', {
  name: 'EmailNotification',
  of: 'emails',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', EmailStatus, 'Statuses to include.'),
    kinds: f.oneOf('kind', EmailKind, 'Types of emails to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'EmailNotification_environmentId_customerId_createdAt_seq_idx' },
    }),
    createdAt: f.instants('createdAt', 'Time at which the email was created.'),
  }),
  search: {
    idPrefix: 'eml',
    description: "Text to search for in the customer's name, email address, or external ID.",
    ...customerSearch(),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'EmailNotification_environmentId_createdAt_seq_idx',
      description: 'Time at which the email was created.',
    },
  },
});
