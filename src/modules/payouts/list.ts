import { listOf } from '../../graphql/lists.ts';
import { PayoutStatus } from './enums.ts';

export const payoutList = listOf('Payout', {
  name: 'Payout',
  of: 'payouts',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', PayoutStatus, 'How far they have come.'),
    amount: f.amounts('amountMinor', 'What was asked to be sent, US cents.'),
    createdAt: f.instants('createdAt', 'When they were requested.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Payout_environmentId_createdAt_seq_idx',
      description: 'When they were requested.',
    },
    amount: {
      column: 'amountMinor',
      index: 'Payout_environmentId_amountMinor_seq_idx',
      description: 'What was asked to be sent.',
    },
  },
});
