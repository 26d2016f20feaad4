import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'budget.',
};

/** Budgets of customers, newest first. */
export const budgetList: OrderedList<'Budget'> = {
  model: 'Budget',
  filter: {},
  conditions: [],
  order: newestFirst,
};
