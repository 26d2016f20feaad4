import { listOf } from '../../../graphql/reading/lists.ts';
import { containsIndexed } from '../../../graphql/reading/search.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { PaymentProvider } from '../transactions/enums.ts';
import { PaymentKind, PaymentStatus } from './enums.ts';

export const paymentList = listOf('Payment', {
  name: 'Payment',
  of: 'one-time payments',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', PaymentStatus, 'Statuses to include.'),
    kinds: f.oneOf('kind', PaymentKind, 'Collection methods to include.'),
    providers: f.oneOf('provider', PaymentProvider, 'Payment providers to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Payment_environmentId_customerId_createdAt_seq_idx' },
    }),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    amount: f.amounts('totalMinor', 'Total including tax, in the smallest currency unit.'),
    createdAt: f.instants('createdAt', 'Time at which the one-time payment was created.'),
  }),
  search: {
    idPrefix: 'pay',
    description:
      "Text to search for in the payment's description and in the customer's name, email address, and external ID.",
    ...customerSearch((text) => containsIndexed('t', text)),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Payment_environmentId_createdAt_seq_idx',
      description: 'Time at which the one-time payment was created.',
    },
    amount: {
      column: 'totalMinor',
      index: 'Payment_environmentId_totalMinor_seq_idx',
      description: 'Total including tax, in the smallest currency unit.',
    },
  },
});
