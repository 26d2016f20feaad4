import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';

/** Newest credits first. Cursors have the same form as in other lists. */
const newestFirst: NamedOrder = {
  name: 'created_at',
  keys: [{ column: 'effectiveAt' }, { column: 'seq' }],
  direction: 'desc',
  prefix: '',
};

/** Customer credits, newest first. The condition matches a partial index. */
export const creditList: OrderedList<'Lot'> = {
  model: 'Lot',
  conditions: [() => 't."subscriptionId" IS NULL'],
  order: newestFirst,
};
