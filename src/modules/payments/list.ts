import { listOf } from '../../graphql/lists.ts';
import { contains } from '../../graphql/search.ts';
import { belongsToCustomerWithOr } from '../customers/store.ts';
import { PaymentProvider } from '../transactions/enums.ts';
import { PaymentKind, PaymentStatus } from './enums.ts';

export const paymentList = listOf('Payment', {
  name: 'Payment',
  of: 'one-time payments',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', PaymentStatus, 'Where they stand.'),
    kinds: f.oneOf('kind', PaymentKind, 'How they are collected.'),
    providers: f.oneOf('provider', PaymentProvider, 'The connections they go by.'),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of their customers.', {
      index: { name: 'Payment_environmentId_customerId_createdAt_seq_idx' },
    }),
    currencies: f.oneOf('currency', 'String', 'Lower-case ISO 4217 codes of their amounts.'),
    amount: f.amounts('totalMinor', 'What is to be paid, tax included.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  search: {
    idPrefix: 'pay',
    description:
      'Only those with this in their description, and those of customers with this in name, email address or external id.',
    condition: (text) => belongsToCustomerWithOr(text, contains('lower(t.description)', text)),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Payment_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
    amount: {
      column: 'totalMinor',
      index: 'Payment_environmentId_totalMinor_seq_idx',
      description: 'What is to be paid, in minor units of the currency.',
    },
  },
});
