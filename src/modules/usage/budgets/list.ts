import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';
import { pattern } from '../../../graphql/reading/search.ts';
import { byCodePoint, ignoringCase } from '../../../graphql/reading/sort-keys.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'budget.',
};

const byKey: NamedOrder = {
  name: 'key',
  keys: [{ column: 'key', expression: byCodePoint }],
  direction: 'asc',
};

/** Sort orders of budgets. */
export const budgetOrders = { created_at: newestFirst, key: byKey } as const;

/** Budgets of customers, newest first. */
const budgetList: OrderedList<'Budget'> = {
  model: 'Budget',
  filter: {},
  conditions: [],
  order: newestFirst,
};

/** Returns a condition for budgets whose key or name contains a text. A customer's budgets are few enough to be read without an index. */
const contains =
  (text: string): Condition =>
  (bind) => {
    const bound = `${bind(pattern(text.toLowerCase()))}::text`;
    return `(${ignoringCase('t.key')} LIKE ${bound} OR ${ignoringCase("coalesce(t.name, '')")} LIKE ${bound})`;
  };

/** Returns the list of budgets whose key or name contains a text. `null` includes all budgets. */
export const budgetsWith = (text: string | null): OrderedList<'Budget'> =>
  text === null ? budgetList : { ...budgetList, conditions: [contains(text)] };
