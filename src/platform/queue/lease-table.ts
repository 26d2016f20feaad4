import type { Query } from '../db/pool.ts';

// Leases of rows: who works on which. A lease is an agreement between workers that keeps them out of each other's way; what makes their work right
// are locks and rows of what they work on.

/** The values of a row's key columns, by name. */
export type LeaseKey = Readonly<Record<string, string>>;

/** The leases of one table, in its columns `leaseOwner` and `leaseUntil`. Every statement concerns one row and waits for nobody's lock to lease it. */
export type LeaseTable<K extends LeaseKey> = {
  /** Whether its rows lie with those of their environments, on one of several servers, where the database is distributed. */
  readonly isOfEnvironments: boolean;
  /** Leases a row until `until`; false when another worker has it, or has it locked at the moment, or has done what was due. */
  readonly lease: (query: Query, key: K, owner: string, now: Date, until: Date) => Promise<boolean>;
  /** Keeps a lease until `until`; false when it has passed to another worker. */
  readonly extend: (query: Query, key: K, owner: string, until: Date) => Promise<boolean>;
  /** Gives a row back, to be leased from `until` on; one that has passed to another worker is left alone. */
  readonly release: (query: Query, key: K, owner: string, until: Date) => Promise<void>;
  /** Ends all leases: where there is one process only, their owners are gone. */
  readonly forget: (query: Query) => Promise<void>;
};

/** The condition that a row can be leased at the instant of the parameter. */
export const isFree = (row: string, now: string): string =>
  `(${row}."leaseUntil" IS NULL OR ${row}."leaseUntil" <= ${now})`;

/** The condition that a row is of the environment of the parameter, which stands in the text only where one is looked in: it names the place of its rows. */
export const isWithin = (row: string, environmentId: string | null, parameter: string): string =>
  environmentId === null ? '' : `AND ${row}."environmentId" = ${parameter}`;

/** The environment of a row, as the same text: what is looked at beside the row is found in its place. */
export const environmentOf = (row: string, environmentId: string | null, parameter: string): string =>
  environmentId === null ? `${row}."environmentId"` : parameter;

/** The parameter of such a text. */
export const within = (environmentId: string | null): string[] =>
  environmentId === null ? [] : [environmentId];

/**
 * The leases of a table whose primary key is made of these columns. Where a column says from when on a row has something to do, a row is leased only
 * when it is due: between the look that found it and the lease another worker may have done its work and given it back.
 */
export function leaseTable<K extends LeaseKey>(
  table: string,
  keyColumns: readonly (keyof K & string)[],
  dueColumn?: string,
): LeaseTable<K> {
  const columns = keyColumns.map((column) => `"${column}"`).join(', ');
  const matches = keyColumns.map((column, index) => `t."${column}" = $${index + 1}`).join(' AND ');
  const next = keyColumns.length + 1;
  const keyOf = (key: K): string[] => keyColumns.map((column) => key[column] ?? '');
  const [owner, first, second] = [`$${next}`, `$${next + 1}`, `$${next + 2}`];
  const isDue = dueColumn === undefined ? '' : ` AND t."${dueColumn}" <= ${first}`;
  // The row is named outside as well: a distributed database sends the statement to its place.
  const leasing = `UPDATE "${table}" l SET "leaseOwner" = ${owner}, "leaseUntil" = ${second} WHERE ${matches.replaceAll('t."', 'l."')} AND (${columns}) IN (
    SELECT ${columns} FROM "${table}" t WHERE ${matches} AND ${isFree('t', first)}${isDue} FOR UPDATE SKIP LOCKED) RETURNING l."leaseOwner"`;
  const extending = `UPDATE "${table}" t SET "leaseUntil" = ${first} WHERE ${matches} AND t."leaseOwner" = ${owner} RETURNING t."leaseOwner"`;
  const releasing = `UPDATE "${table}" t SET "leaseOwner" = NULL, "leaseUntil" = ${first} WHERE ${matches} AND t."leaseOwner" = ${owner}`;
  return {
    isOfEnvironments: keyColumns.some((column) => column === 'environmentId'),
    lease: async (query, key, name, now, until) =>
      (await query(leasing, [...keyOf(key), name, now, until])).length === 1,
    extend: async (query, key, name, until) =>
      (await query(extending, [...keyOf(key), name, until])).length === 1,
    release: async (query, key, name, until) => {
      await query(releasing, [...keyOf(key), name, until]);
    },
    forget: async (query) => {
      await query(
        `UPDATE "${table}" SET "leaseOwner" = NULL, "leaseUntil" = NULL WHERE ${keyColumns.map((column) => `"${column}" <> ''`).join(' AND ')} AND "leaseOwner" IS NOT NULL`,
      );
    },
  };
}
