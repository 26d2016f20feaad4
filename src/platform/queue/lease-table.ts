import type { Query } from '../db/pool.ts';

// Leases that workers hold on rows. Leases only avoid duplicate work; locks and the written rows ensure correctness.

export type LeaseKey = Readonly<Record<string, string>>;

/**
 * Leases on a table with the columns `leaseOwner` and `leaseUntil`. Each SQL statement changes one row, and leasing
 * never waits for locks.
 */
export type LeaseTable<K extends LeaseKey> = {
  /** True if the rows belong to environments and are therefore distributed by environment. */
  readonly isOfEnvironments: boolean;
  /** Leases a row until `until`. Returns false if another worker has leased or locked the row, or has already completed the work. */
  readonly lease: (query: Query, key: K, owner: string, now: Date, until: Date) => Promise<boolean>;
  /** Extends a lease until `until`. Returns false if another worker has leased the row. */
  readonly extend: (query: Query, key: K, owner: string, until: Date) => Promise<boolean>;
  /** Ends a lease. The row can be leased again from `until`. Has no effect if another worker has leased the row. */
  readonly release: (query: Query, key: K, owner: string, until: Date) => Promise<void>;
  /** Ends all leases on the table. Allowed only if no other process is running. */
  readonly forget: (query: Query) => Promise<void>;
};

/** Returns the SQL condition that no valid lease exists on a row. */
export const isFree = (row: string, now: string): string =>
  `(${row}."leaseUntil" IS NULL OR ${row}."leaseUntil" <= ${now})`;

/** Returns the SQL condition that a row belongs to the environment, which determines the row's node. Empty if `environmentId` is `null`. */
export const isWithin = (row: string, environmentId: string | null, parameter: string): string =>
  environmentId === null ? '' : `AND ${row}."environmentId" = ${parameter}`;

/** Returns an SQL expression for a row's environment, so that joined rows are found on the same node. */
export const environmentOf = (row: string, environmentId: string | null, parameter: string): string =>
  environmentId === null ? `${row}."environmentId"` : parameter;

export const within = (environmentId: string | null): string[] =>
  environmentId === null ? [] : [environmentId];

/**
 * Returns the lease operations for a table with these key columns. With a due column, only due rows are leased, because another worker may have
 * completed the work since the search.
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
  // Repeats the key in the outer condition, so that a distributed database can route the statement.
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
