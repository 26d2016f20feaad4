import { listOf } from '../../../graphql/reading/lists.ts';
import { byCodePoint, ignoringCase } from '../../../graphql/reading/sort-keys.ts';
import { isCustomerWith } from './store.ts';

/** List of customers. The subscriptions and invoices modules extend its filter. */
export const customerList = listOf('Customer', {
  name: 'Customer',
  of: 'customers',
  filter: (f) => ({
    ids: f.ids(),
    countries: f.oneOf(
      'country',
      'String',
      'Countries of the billing address, as ISO 3166-1 alpha-2 codes.',
      {
        rule: { format: 'country' },
      },
    ),
    createdAt: f.instants('createdAt', 'Time at which the customer was created.'),
  }),
  search: {
    idPrefix: 'cus',
    description: 'Searches names, email addresses, and external IDs.',
    condition: isCustomerWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Customer_environmentId_createdAt_seq_idx',
      description: 'Time at which the customer was created.',
    },
    name: {
      column: 'fullName',
      expression: ignoringCase,
      index: 'Customer_by_name',
      description: 'Full name, case-insensitive.',
    },
    email: {
      column: 'emailKey',
      expression: byCodePoint,
      index: 'Customer_by_email',
      description: 'Email address, case-insensitive.',
    },
  },
});
