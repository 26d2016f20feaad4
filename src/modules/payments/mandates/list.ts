import { listOf } from '../../../graphql/reading/lists.ts';
import { MandateStatus } from '../transactions/enums.ts';

export const mandateList = listOf('Mandate', {
  name: 'Mandate',
  of: 'mandates',
  filter: (f) => ({
    ids: f.ids(),
    statuses: f.oneOf('status', MandateStatus, 'Statuses to include.', {
      index: { name: 'Mandate_environmentId_status_acceptedAt_seq_idx' },
    }),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'Mandate_environmentId_customerId_acceptedAt_seq_idx' },
    }),
    references: f.oneOf('reference', 'String', 'References to include.'),
    acceptedAt: f.instants('acceptedAt', 'Time at which the payer accepted the mandate.'),
  }),
  sort: {
    accepted_at: {
      column: 'acceptedAt',
      index: 'Mandate_environmentId_acceptedAt_seq_idx',
      description: 'Time at which the payer accepted the mandate.',
    },
  },
  defaultOrder: {
    name: 'accepted_at',
    keys: [{ column: 'acceptedAt' }, { column: 'seq' }],
    direction: 'desc',
    prefix: '',
  },
});
