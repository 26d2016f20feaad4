import type { Query } from '../../src/infra/db.ts';

// What refusals are held to: the whole content of the database, before and after.

/** Rows as text, by table, in an order of their own. */
export type Dump = Readonly<Record<string, readonly string[]>>;

/**
 * What is left out: stored answers (a refusal is stored under its key like any answer), leases and cursors (the worker moves them all the time),
 * the migrations, and when a key was last used.
 */
const omittedTables = ['IdempotencyKey', 'EnvironmentLease', 'WebhookCursor', '_prisma_migrations'];

/** All rows of all tables in one statement; with `environmentId` those of that environment's tables only. */
export async function dump(query: Query, environmentId?: string): Promise<Dump> {
  const tables = await query<{ name: string; scoped: boolean }>(
    `SELECT t.table_name AS name, EXISTS (SELECT FROM information_schema.columns c
       WHERE c.table_schema = 'public' AND c.table_name = t.table_name AND c.column_name = 'environmentId') AS scoped
     FROM information_schema.tables t WHERE t.table_schema = 'public' AND NOT t.table_name = ANY($1)`,
    [omittedTables],
  );
  const wanted = tables.filter(({ scoped }) => environmentId === undefined || scoped);
  const parts = wanted.map(({ name, scoped }) => {
    const filter = environmentId === undefined || !scoped ? '' : ` WHERE t."environmentId" = '${environmentId.replaceAll("'", "''")}'`;
    return `SELECT '${name}' AS name, (to_jsonb(t) - 'lastUsedAt')::text AS row FROM "${name}" t${filter}`;
  });
  const rows = await query<{ name: string; row: string }>(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`);
  return Object.fromEntries([...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, of.map(({ row }) => row)]));
}
