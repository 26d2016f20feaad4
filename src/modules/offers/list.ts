import { listOf } from '../../graphql/lists.ts';
import { ignoringCase } from '../../graphql/sort-keys.ts';
import { isOfferWith } from './store.ts';

export const offerList = listOf('Offer', {
  name: 'Offer',
  of: 'offers',
  filter: (f) => ({
    ids: f.ids(),
    isActive: f.flag(() => 't.active', 'Whether they are switched on.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  search: {
    idPrefix: 'ofr',
    description: 'Only those with this in their name.',
    condition: (text) => isOfferWith('t', text),
  },
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
