import { listOf } from '../../../graphql/reading/lists.ts';
import { PayoutStatus } from './enums.ts';

export const payoutList = listOf('Payout', {
  name: 'Payout',
  of: 'payouts',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', PayoutStatus, 'Statuses to include.'),
    amount: f.amounts('amountMinor', 'Amount of the payout, in US cents.'),
    createdAt: f.instants('createdAt', 'Time at which the payout was created.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Payout_environmentId_createdAt_seq_idx',
      description: 'Time at which the payout was created.',
    },
    amount: {
      column: 'amountMinor',
      index: 'Payout_environmentId_amountMinor_seq_idx',
      description: 'Amount of the payout, in US cents.',
    },
  },
});
