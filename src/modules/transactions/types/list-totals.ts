import { addTotals } from '../../currencies/types/list-totals.ts';
import { RefundStatus, TransactionStatus } from '../enums.ts';
import { RefundConnection, TransactionConnection } from '../types.ts';

addTotals(TransactionConnection, {
  name: 'TransactionTotals',
  of: 'payment attempts',
  status: { type: TransactionStatus, description: 'How the attempts went.' },
  sums: {
    amount: { column: 'amountMinor', description: 'The sum of what was to be charged, minor units.' },
    refunded: {
      column: 'refundedMinor',
      description: 'The sum of what confirmed refunds have returned, minor units.',
    },
  },
});

addTotals(RefundConnection, {
  name: 'RefundTotals',
  of: 'refunds',
  status: { type: RefundStatus, description: 'How the refunds went.' },
  sums: { amount: { column: 'amountMinor', description: 'The sum of what goes back, minor units.' } },
});
