import { addTotals } from '../../../organization/currencies/types/list-totals.ts';
import { RefundStatus, TransactionStatus } from '../enums.ts';
import { RefundConnection, TransactionConnection } from '../types.ts';

addTotals(TransactionConnection, {
  name: 'TransactionTotals',
  of: 'payment attempts',
  status: { type: TransactionStatus, description: 'Status of the payment attempts.' },
  sums: {
    amount: {
      column: 'amountMinor',
      description: 'Sum of the charged amounts including tax, in the smallest currency unit.',
    },
    refunded: {
      column: 'refundedMinor',
      description: 'Sum of successful refunds, in the smallest currency unit.',
    },
  },
});

addTotals(RefundConnection, {
  name: 'RefundTotals',
  of: 'refunds',
  status: { type: RefundStatus, description: 'Status of the refunds.' },
  sums: {
    amount: {
      column: 'amountMinor',
      description: 'Sum of the refunded amounts, in the smallest currency unit.',
    },
  },
});
