import { listOf } from '../../graphql/lists.ts';
import { ignoringCase } from '../../graphql/sort-keys.ts';
import { isCustomerWith } from './store.ts';

/** The list of customers; subscriptions and invoices extend its filter. */
export const customerList = listOf('Customer', {
  name: 'Customer',
  of: 'customers',
  filter: (f) => ({
    ids: f.ids(),
    countries: f.oneOf('country', 'String', 'Country of the billing address, ISO 3166-1 alpha-2.', {
      rule: { format: 'country' },
    }),
    createdAt: f.instants('createdAt', 'When they were created.'),
  }),
  search: {
    idPrefix: 'cus',
    description: 'Only those with this in their name, email address or external id.',
    condition: isCustomerWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Customer_environmentId_createdAt_seq_idx',
      description: 'When they were created.',
    },
    name: {
      column: 'fullName',
      expression: ignoringCase,
      index: 'Customer_by_name',
      description: 'The full name, upper and lower case alike.',
    },
    email: {
      column: 'email',
      expression: ignoringCase,
      index: 'Customer_by_email',
      description: 'The email address, upper and lower case alike.',
    },
  },
});
