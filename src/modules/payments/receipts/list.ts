import { listOf } from '../../../graphql/reading/lists.ts';
import { ReceiptSource, ReceiptStatus } from './enums.ts';

export const receiptList = listOf('Receipt', {
  name: 'Receipt',
  of: 'receipts',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', ReceiptStatus, 'Statuses to include.', {
      index: { name: 'Receipt_environmentId_status_createdAt_seq_idx' },
    }),
    sources: f.oneOf('source', ReceiptSource, 'Sources to include.'),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Receipt_environmentId_customerId_createdAt_seq_idx' },
    }),
    currencies: f.oneOf('currency', 'String', 'Lowercase ISO 4217 codes of the currencies to include.'),
    amount: f.amounts('amountMinor', 'Received amount, in the smallest currency unit.'),
    createdAt: f.instants('createdAt', 'Time at which the receipt was recorded.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Receipt_environmentId_createdAt_seq_idx',
      description: 'Time at which the receipt was recorded.',
    },
  },
});
