import { listOf } from '../../graphql/lists.ts';
import type { OrderedList } from '../../graphql/pages.ts';
import { belongsToCustomerWith } from '../customers/store.ts';
import { PaymentProvider, RefundReason, RefundStatus, TransactionStatus } from './enums.ts';

export const transactionList = listOf('Transaction', {
  name: 'Transaction',
  of: 'transactions',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', TransactionStatus, 'How the attempts went.', {
      index: {
        name: 'Transaction_unsettled',
        partial: { where: `t.status <> 'succeeded'`, without: ['succeeded'] },
      },
    }),
    providers: f.oneOf('provider', PaymentProvider, 'The connections that were asked.'),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of those who were charged.', {
      index: { name: 'Transaction_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'Ids of the subscriptions they were charged for.', {
      // Found among those of the customer: one index in order is enough.
      index: {
        name: 'Transaction_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    currencies: f.oneOf('currency', 'String', 'Lower-case ISO 4217 codes of the charges.'),
    declineCodes: f.oneOf('declineCode', 'String', 'Why they were declined.'),
    amount: f.amounts('amountMinor', 'What was charged, minor units of the currency of the charge.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
    isDisputed: f.flag(() => 't."disputedAt" IS NOT NULL', 'Whether a dispute was ever opened.'),
  }),
  search: {
    idPrefix: 'txn',
    description: 'Only those of customers with this in name, email address or external id.',
    condition: belongsToCustomerWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Transaction_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
    amount: {
      column: 'amountMinor',
      index: 'Transaction_environmentId_amountMinor_seq_idx',
      description: 'What was charged, in minor units of the currency.',
    },
  },
});

export const refundList = listOf('Refund', {
  name: 'Refund',
  of: 'refunds',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', RefundStatus, 'How they went.'),
    reasons: f.oneOf('reason', RefundReason, 'Why money went back.'),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of those who get money back.', {
      index: { name: 'Refund_environmentId_customerId_createdAt_seq_idx' },
    }),
    currencies: f.oneOf('currency', 'String', 'Lower-case ISO 4217 codes of the refunds.'),
    createdAt: f.instants('createdAt', 'When they were requested.'),
  }),
  search: {
    idPrefix: 'ref',
    description: 'Only those to customers with this in name, email address or external id.',
    condition: belongsToCustomerWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Refund_environmentId_createdAt_seq_idx',
      description: 'When they were requested.',
    },
  },
});

/** The open disputes, those that were opened first at the head, since all have as long to be answered. The index `Transaction_open_disputes` has them. */
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
