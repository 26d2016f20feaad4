import { isObjectType } from 'graphql';
import { schema } from '../../src/schema.ts';
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

/**
 * Returns the declarations of a list's arguments as variables, and the arguments that pass these variables. Requests with the same text share
 * one compiled operation.
 */
export function listVariables(type: string, field: string): { declared: string; passed: string } {
  const owner = schema.getType(type);
  const args = isObjectType(owner) ? (owner.getFields()[field]?.args ?? []) : [];
  if (args.length === 0) throw new Error(`${type}.${field} is no list.`);
  return {
    declared: args.map((each) => `$${each.name}: ${each.type}`).join(', '),
    passed: `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})`,
  };
}
