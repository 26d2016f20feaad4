import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'crossing.',
};

/** Crossings of limits, newest first. */
export const crossingList: OrderedList<'LimitCrossing'> = {
  model: 'LimitCrossing',
  filter: {},
  conditions: [],
  order: newestFirst,
};
