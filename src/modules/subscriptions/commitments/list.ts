import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'commitment.',
};

/** Prepaid commitments, newest first. Includes ended commitments. */
export const commitmentList: OrderedList<'Lot'> = {
  model: 'Lot',
  filter: { source: 'commitment' },
  conditions: [],
  order: newestFirst,
};
