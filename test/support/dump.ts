import type { Query } from '../../src/infra/db.ts';

// What refusals are held to: the whole content of the database, before and after.

/** Rows as text, by table, in an order of their own. */
export type Dump = Readonly<Record<string, readonly string[]>>;

/**
 * What is left out: stored answers (a refusal is stored under its key like any answer), leases and cursors (the worker moves them all the time),
 * the migrations, and when a key was last used.
 */
const omittedTables = ['IdempotencyKey', 'EnvironmentLease', 'WebhookCursor', 'LetterCursor', '_prisma_migrations'];

/** All rows of all tables in one statement. */
export async function dump(query: Query): Promise<Dump> {
  const tables = await query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relname = ANY($1)",
    [omittedTables],
  );
  const parts = tables.map(({ name }) => `SELECT '${name}' AS name, (to_jsonb(t) - 'lastUsedAt')::text AS row FROM "${name}" t`);
  const rows = await query<{ name: string; row: string }>(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`);
  return Object.fromEntries([...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, of.map(({ row }) => row)]));
}
