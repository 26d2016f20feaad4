import { listOf } from '../../../graphql/reading/lists.ts';
import { ignoringCase } from '../../../graphql/reading/sort-keys.ts';
import { isOfferWith } from './store.ts';

export const offerList = listOf('Offer', {
  name: 'Offer',
  of: 'offers',
  filter: (f) => ({
    ids: f.ids(),
    isActive: f.flag(() => 't.active', 'Whether the offer is active.'),
    createdAt: f.instants('createdAt', 'Time at which the offer was created.'),
  }),
  search: {
    idPrefix: 'ofr',
    description: 'Text to search for in the offer name.',
    condition: (text) => isOfferWith('t', text),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'Offer_environmentId_createdAt_seq_idx',
      description: 'Sort by creation time.',
    },
    name: {
      column: 'name',
      expression: ignoringCase,
      index: 'Offer_by_name',
      description: 'Sort by name, case-insensitive.',
    },
  },
});
