import type { TestApp } from './harness.ts';
import { type ListCase, listCases, type Row, type World } from './list-cases.ts';

// Reads stored rows and sorts them in JavaScript, for comparison with the product's lists.

/** Reads the rows for all lists in the sandbox. Returns a function that returns the rows for a list. */
export async function readWorlds(t: TestApp): Promise<(list: ListCase) => World> {
  const rowsOf = (table: string) =>
    t.app.database.query<Row>(`SELECT * FROM "${table}" WHERE "environmentId" = $1`, [t.sandboxId]);
  const byId = async (table: string) => new Map((await rowsOf(table)).map((row) => [String(row['id']), row]));
  const [customers, offers] = [await byId('Customer'), await byId('Offer')];
  const [subscriptions, invoices] = [await rowsOf('Subscription'), await rowsOf('Invoice')];
  const offerApplications = await rowsOf('OfferApplication');
  const now = t.app.wall.now();
  const worlds = new Map<string, World>();
  for (const { table, lists = () => true } of listCases) {
    const rows = (await rowsOf(table)).filter(lists);
    worlds.set(table, { rows, customers, offers, subscriptions, invoices, offerApplications, now });
  }
  return ({ table }) => {
    const world = worlds.get(table);
    if (world === undefined) throw new Error(`There are no rows of ${table}.`);
    return world;
  };
}

const compare = (a: string | bigint | number, b: string | bigint | number): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Returns the IDs of rows in a sort order. Rows with equal values are ordered by sequence number. */
export function sortedIds(
  rows: readonly Row[],
  key: ListCase['sorts'][string],
  direction: 'asc' | 'desc',
): string[] {
  const place = (row: Row) => (row['seq'] ?? row['position']) as bigint;
  const ascending = rows.toSorted((a, b) => compare(key(a), key(b)) || compare(place(a), place(b)));
  return (direction === 'asc' ? ascending : ascending.reverse()).map(({ id }) => String(id));
}

/** Returns the IDs of rows in the list's default order. */
export const usualIds = (list: ListCase, rows: readonly Row[]): string[] => {
  const [usual] = Object.values(list.sorts);
  if (usual === undefined) throw new Error(`${list.field} has no order.`);
  return sortedIds(rows, usual, 'desc');
};

/** Formats arguments as GraphQL literals. Strings that start with `$` become enum values. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' && value.startsWith('$') ? value.slice(1) : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')} }`;
}

export const argumentsText = (args: Readonly<Record<string, unknown>>): string => {
  const texts = Object.entries(args).map(([name, value]) => `${name}: ${literal(value)}`);
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
};

/** Matches the names of filter fields that accept enum values. */
const enumMembers =
  /[sS]tatuses$|^types$|^events$|^kinds$|^providers$|^billingIntervals$|^reasons$|^sources$|^outcomes$/;

export const asLiteral = (name: string, value: unknown): unknown =>
  enumMembers.test(name) && Array.isArray(value) ? value.map((one) => `$${one}`) : value;
