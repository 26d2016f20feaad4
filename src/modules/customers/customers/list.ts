import { listOf } from '../../../graphql/reading/lists.ts';
import { byCodePoint, emptyIfNull, ignoringCase } from '../../../graphql/reading/sort-keys.ts';
import { ownSearch } from './search-store.ts';

const amountText =
  'Amounts in different currencies are compared by their numbers of currency units, without conversion.';

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
    ...ownSearch,
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
    country: {
      column: 'country',
      expression: emptyIfNull,
      index: 'Customer_by_country',
      description:
        'Country code of the billing address. Customers without an address come first in ascending order.',
    },
    mrr: {
      column: 'sortMrr',
      index: 'Customer_environmentId_sortMrr_seq_idx',
      description: `Current monthly recurring revenue. ${amountText}`,
    },
    outstanding: {
      column: 'sortOutstanding',
      index: 'Customer_environmentId_sortOutstanding_seq_idx',
      description: `Outstanding amount. ${amountText}`,
    },
    total_paid: {
      column: 'sortPaid',
      index: 'Customer_environmentId_sortPaid_seq_idx',
      description: `Total collected amount before refunds. ${amountText}`,
    },
    status: {
      column: 'sortStatus',
      index: 'Customer_environmentId_sortStatus_seq_idx',
      description:
        'Status of the current subscription. In ascending order, customers without a current subscription come first, followed by `draft`, `pending_payment`, `trialing`, `active`, and `past_due`.',
    },
    plan: {
      column: 'sortPlan',
      expression: byCodePoint,
      index: 'Customer_by_plan',
      description: 'Plan of the current subscription, in the order in which the plans were created.',
    },
  },
});
