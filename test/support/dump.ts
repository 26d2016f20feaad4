import type { Query } from '../../src/platform/db/pool.ts';

// What rejections are held to: the whole content of the database, before and after.

/** Rows as text, by table, in an order of their own. */
export type Dump = Readonly<Record<string, readonly string[]>>;

/**
 * What is left out: stored answers (a rejection is stored under its key like any answer), leases and cursors (the worker moves them all the time),
 * the migrations, and when a key was last used.
 */
const omittedTables = [
  'IdempotencyKey',
  'EnvironmentLease',
  'WebhookCursor',
  'EmailCursor',
  'ScheduledTask',
  '_prisma_migrations',
];

type Table = { readonly name: string; readonly isUsed: boolean; readonly isTenants: boolean };

const hasColumn = (name: string): string =>
  `EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = '${name}')`;

/** The tables that are looked at; whether their rows say when they were last used, and whether they have ids in an environment. */
const tablesOf = (query: Query): Promise<Table[]> =>
  query<Table>(
    `SELECT relname AS name, ${hasColumn('lastUsedAt')} AS "isUsed", ${hasColumn('environmentId')} AND ${hasColumn('id')} AS "isTenants"
     FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relname = ANY($1)`,
    [omittedTables],
  );

/** All rows of all tables in one statement. */
export async function dump(query: Query): Promise<Dump> {
  const parts = (await tablesOf(query)).map(
    ({ name }) => `SELECT '${name}' AS name, (to_jsonb(t) - 'lastUsedAt')::text AS row FROM "${name}" t`,
  );
  const rows = await query<{ name: string; row: string }>(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`);
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, of.map(({ row }) => row)]),
  );
}

/**
 * How many rows each table has and a sum of their hashes, of all of them or of those that mention a text: equal when the rows are, and had in a
 * moment however many there are.
 */
export async function fingerprint(query: Query, mentioned = ''): Promise<Readonly<Record<string, string>>> {
  const parts = (await tablesOf(query)).map(({ name, isUsed }) => {
    const row = isUsed ? "(to_jsonb(t) - 'lastUsedAt')::text" : 't::text';
    const sum = `count(*) || ' rows, ' || coalesce(sum(hashtextextended(${row}, 0)), 0)`;
    return `SELECT '${name}' AS name, ${sum} AS rows FROM "${name}" t WHERE position($1 IN t::text) > 0`;
  });
  const tables = await query<{ name: string; rows: string }>(parts.join(' UNION ALL '), [mentioned]);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
}

/** The ids of all rows of an environment. */
export async function idsIn(query: Query, environmentId: string): Promise<string[]> {
  const tables = (await tablesOf(query)).filter(({ isTenants }) => isTenants);
  const parts = tables.map(({ name }) => `SELECT id::text FROM "${name}" WHERE "environmentId" = $1`);
  return (await query<{ id: string }>(parts.join(' UNION ALL '), [environmentId])).map(({ id }) => id);
}
