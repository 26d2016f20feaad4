import { listOf } from '../../../graphql/reading/lists.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { PaymentProvider, RefundReason, RefundStatus, TransactionStatus } from './enums.ts';

export const transactionList = listOf('Transaction', {
  name: 'Transaction',
  of: 'transactions',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', TransactionStatus, 'Statuses to include.', {
      index: {
        name: 'Transaction_unsettled',
        partial: { where: `t.status <> 'succeeded'`, without: ['succeeded'] },
      },
    }),
    providers: f.oneOf('provider', PaymentProvider, 'Payment providers to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Transaction_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'IDs of the subscriptions to include.', {
      // The index on the customer ID is sufficient, because the filter also contains the customer of the subscription.
      index: {
        name: 'Transaction_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    declineCodes: f.oneOf('declineCode', 'String', 'Decline codes to include.'),
    amount: f.amounts('amountMinor', 'Charged amount including tax, in the smallest currency unit.'),
    createdAt: f.instants('createdAt', 'Time at which the payment attempt was created.'),
    isDisputed: f.flag(
      () => 't."disputedAt" IS NOT NULL',
      'Whether the payment attempt has ever been disputed.',
    ),
  }),
  search: {
    idPrefix: 'txn',
    description: "Text to search for in the customer's name, email address, and external ID.",
    ...customerSearch(),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Transaction_environmentId_createdAt_seq_idx',
      description: 'Time at which the payment attempt was created.',
    },
    amount: {
      column: 'amountMinor',
      index: 'Transaction_environmentId_amountMinor_seq_idx',
      description: 'Charged amount including tax, in the smallest currency unit.',
    },
    status: {
      column: 'status',
      index: 'Transaction_environmentId_status_seq_idx',
      description: 'Status, in this order: `pending`, `succeeded`, `failed`, `refunded`, `disputed`.',
    },
  },
});

export const refundList = listOf('Refund', {
  name: 'Refund',
  of: 'refunds',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', RefundStatus, 'Statuses to include.'),
    reasons: f.oneOf('reason', RefundReason, 'Reasons of the refunds to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Refund_environmentId_customerId_createdAt_seq_idx' },
    }),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    createdAt: f.instants('createdAt', 'Time at which the refund was created.'),
  }),
  search: {
    idPrefix: 'ref',
    description: "Text to search for in the customer's name, email address, and external ID.",
    ...customerSearch(),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Refund_environmentId_createdAt_seq_idx',
      description: 'Time at which the refund was created.',
    },
  },
});

/**
 * Open disputes, oldest first. Because all disputes have the same response period, the oldest is due first. Uses the index
 * `Transaction_open_disputes`.
 */
export const openDisputes: OrderedList<'Transaction'> = {
  model: 'Transaction',
  conditions: [() => 't."disputedAt" IS NOT NULL AND t."disputeOutcome" IS NULL'],
  order: {
    name: 'disputed_at',
    keys: [{ column: 'disputedAt' }, { column: 'seq' }],
    direction: 'asc',
    prefix: 'dispute.',
  },
};
