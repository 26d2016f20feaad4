import type { Query } from '../../src/platform/db/pool.ts';

// The whole content of the database.

/** Rows as text, by table, in an order of their own. */
export type Dump = Readonly<Record<string, readonly string[]>>;

/**
 * What is left out: stored answers (a rejection is stored under its key like any answer), leases and cursors (the worker moves them all the time),
 * sums that the worker makes, exports that it writes, the migrations, and when a key was last used.
 */
const omittedTables = [
  'IdempotencyKey',
  'EnvironmentLease',
  'WebhookCursor',
  'EmailCursor',
  'LedgerDayCursor',
  'UsageDayCursor',
  'UsageDay',
  'UsageCustomerDay',
  'TrialCase',
  'TrialDay',
  'RecoveryCase',
  'RecoveryDay',
  'MetricsCursor',
  'MrrCustomer',
  'MrrCustomerDay',
  'MrrRollup',
  'MrrMonth',
  'MrrRetention',
  'MrrCohort',
  'LedgerDay',
  'ReceivableDay',
  'BilledDay',
  'SettledDay',
  'Export',
  'ExportChunk',
  'ScheduledTask',
  '_prisma_migrations',
];

type Table = { readonly name: string; readonly isTenants: boolean };

const hasColumn = (name: string): string =>
  `EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = '${name}')`;

/** The tables that are looked at, and whether their rows have ids in an environment. */
export const observedTables = (query: Query): Promise<Table[]> =>
  query<Table>(
    `SELECT relname AS name, ${hasColumn('environmentId')} AND ${hasColumn('id')} AS "isTenants"
     FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relname = ANY($1)`,
    [omittedTables],
  );

/** All rows of all tables in one statement. */
export async function dump(query: Query): Promise<Dump> {
  const parts = (await observedTables(query)).map(
    ({ name }) => `SELECT '${name}' AS name, (to_jsonb(t) - 'lastUsedAt')::text AS row FROM "${name}" t`,
  );
  const rows = await query<{ name: string; row: string }>(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`);
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, of.map(({ row }) => row)]),
  );
}

/** The ids of all rows of an environment. They come as one text: there are thousands. */
export async function idsIn(query: Query, environmentId: string): Promise<string[]> {
  const tables = (await observedTables(query)).filter(({ isTenants }) => isTenants);
  const parts = tables.map(({ name }) => `SELECT id::text FROM "${name}" WHERE "environmentId" = $1`);
  const [row] = await query<{ ids: string | null }>(
    `SELECT string_agg(id, E'\\n') AS ids FROM (${parts.join(' UNION ALL ')}) AS rows`,
    [environmentId],
  );
  return row?.ids?.split('\n') ?? [];
}
