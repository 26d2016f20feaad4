import type { FoundOwners, Search } from '../../../graphql/reading/list-rows.ts';
import { containsIndexed, containsText } from '../../../graphql/reading/search.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import { isIdOf } from '../../../platform/ids.ts';

// Searches for rows by the text of their customers.

/**
 * Query for the IDs of customers whose name, email address, or external ID contains the search text. `c` is the customer. A large part
 * of the customers can match, so readers limit the number of IDs.
 */
export const customersWith =
  (text: string): Condition =>
  (bind) =>
    `SELECT c.id FROM "Customer" c WHERE c."environmentId" = $1 AND ${containsIndexed('c', text)(bind)}`;

/** Returns another condition for a search text. `null` if the text only concerns customers. */
type FindOther = (text: string) => Condition | null;

const withOther =
  (ofOwners: Condition, other: Condition | null): Condition =>
  (bind) =>
    other === null ? ofOwners(bind) : `(${ofOwners(bind)} OR ${other(bind)})`;

/** SQL condition: the customer of row `t` matches the search text. Finds all matching customers first. */
const belongsToAny =
  (text: string): Condition =>
  (bind) =>
    isIdOf('cus', text)
      ? `t."customerId" = ${bind(text)}`
      : `t."customerId" IN (${customersWith(text)(bind)})`;

/** SQL condition: the customer of row `t` matches the search text. Reads the customer of each row. */
const belongsToRead =
  (text: string): Condition =>
  (bind) =>
    `EXISTS (SELECT FROM "Customer" c WHERE c."environmentId" = $1 AND c.id = t."customerId" AND ${containsText('c', text)(bind)} OFFSET 0)`;

const belongsToFound =
  (ids: readonly string[]): Condition =>
  (bind) =>
    `t."customerId" = ANY(${bind(ids)}::text[])`;

type OwnerSearch = NonNullable<Search['owners']>;

const findCustomers: OwnerSearch['find'] = async (sql, text, most) => {
  if (isIdOf('cus', text)) return [text];
  const params: unknown[] = [];
  const query = customersWith(text)((value) => `$${params.push(value) + 1}`);
  const rows = await sql<{ id: string }>(`${query} LIMIT ${most}`, params);
  return rows.map(({ id }) => id);
};

const ownersOf = (other: FindOther): OwnerSearch => ({
  find: findCustomers,
  condition: (text: string, found: FoundOwners) =>
    withOther(found === 'many' ? belongsToRead(text) : belongsToFound(found), other(text)),
  filterName: (text) => (other(text) === null ? 'customerIds' : null),
});

/**
 * Returns the search for rows by the name, email address, and external ID of their customers, and by another condition that has its own
 * index. The list must have the filter `customerIds`.
 */
export const customerSearch = (other: FindOther = () => null): Pick<Search, 'condition' | 'owners'> => ({
  condition: (text) => withOther(belongsToAny(text), other(text)),
  owners: ownersOf(other),
});

/** Search for customers by name, email address, and external ID. */
export const ownSearch: Pick<Search, 'condition' | 'owners'> = {
  condition: (text) => containsIndexed('t', text),
  owners: {
    find: findCustomers,
    condition: (text) => containsText('t', text),
    filterName: () => 'ids',
  },
};
