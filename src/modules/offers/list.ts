import { listOf } from '../../graphql/lists.ts';
import { ignoringCase } from '../../graphql/sort-keys.ts';

export const offerList = listOf('Offer', {
  name: 'Offer',
  of: 'offers',
  filter: (f) => ({
    ids: f.ids(),
    isActive: f.flag(() => 't.active', 'Whether they are switched on.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Offer_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
    name: {
      column: 'name',
      expression: ignoringCase,
      index: 'Offer_by_name',
      description: 'The name, upper and lower case alike.',
    },
  },
});
