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

/** Returns a condition for budgets whose key or name contains a text. A customer's budgets are few enough to be read without an index. */
const contains =
  (text: string): Condition =>
  (bind) => {
    const bound = `${bind(pattern(text.toLowerCase()))}::text`;
    return `(${ignoringCase('t.key')} LIKE ${bound} OR ${ignoringCase("coalesce(t.name, '')")} LIKE ${bound})`;
  };

/** Filter of a list of budgets. All budgets are included if `text` is `null`. */
export type BudgetFilter = {
  readonly customerId: string;
  readonly hasArchived: boolean;
  /** Text that the key or the name must contain. */
  readonly text: string | null;
};

/** Returns the list of a customer's budgets. Newest first by default. */
export const budgetList = (
  { customerId, hasArchived, text }: BudgetFilter,
  order: NamedOrder = newestFirst,
): OrderedList<'Budget'> => ({
  model: 'Budget',
  filter: { customerId, archivedAt: hasArchived ? undefined : null },
  conditions: text === null ? [] : [contains(text)],
  order,
});
