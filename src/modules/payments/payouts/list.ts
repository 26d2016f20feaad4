import { listOf } from '../../../graphql/reading/lists.ts';
import { PayoutStatus } from './enums.ts';

export const payoutList = listOf('Payout', {
  name: 'Payout',
  of: 'payouts',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', PayoutStatus, 'Statuses to include.'),
    amount: f.amounts('amountMinor', 'Requested amount in US cents.'),
    createdAt: f.instants('createdAt', 'Time of creation.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Payout_environmentId_createdAt_seq_idx',
      description: 'Time of creation.',
    },
    amount: {
      column: 'amountMinor',
      index: 'Payout_environmentId_amountMinor_seq_idx',
      description: 'Requested amount in US cents.',
    },
  },
});
