import type { Query } from '../../src/platform/db/pool.ts';

// Reads the database's complete content.

/** Rows as text, grouped by table, in a stable order. */
export type Dump = Readonly<Record<string, readonly string[]>>;

/**
 * Excluded tables: stored responses (which include rejections), leases and cursors, sums and exports written by workers, rate limit
 * counters, migrations, and when keys were last used.
 */
const omittedTables = [
  'IdempotencyKey',
  'EnvironmentLease',
  'WebhookCursor',
  'EmailCursor',
  'UsageDay',
  'UsageCustomerDay',
  'MarginDay',
  'MarginCustomerDay',
  'TrialCase',
  'TrialDay',
  'RecoveryCase',
  'RecoveryDay',
  'SumCursor',
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
  'UseWindow',
  '_prisma_migrations',
];

type Table = { readonly name: string; readonly isTenants: boolean };

const hasColumn = (name: string): string =>
  `EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = '${name}')`;

/** Returns the tables to observe, and whether each has an ID within an environment. */
export const observedTables = (query: Query): Promise<Table[]> =>
  query<Table>(
    `SELECT relname AS name, ${hasColumn('environmentId')} AND ${hasColumn('id')} AS "isTenants"
     FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relname = ANY($1)`,
    [omittedTables],
  );

/** Reads all rows from the observed tables with one statement. */
export async function dump(query: Query): Promise<Dump> {
  const parts = (await observedTables(query)).map(
    ({ name }) => `SELECT '${name}' AS name, (to_jsonb(t) - 'lastUsedAt')::text AS row FROM "${name}" t`,
  );
  const rows = await query<{ name: string; row: string }>(`${parts.join(' UNION ALL ')} ORDER BY 1, 2`);
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, of.map(({ row }) => row)]),
  );
}

/** Returns the IDs of all rows in an environment. Reads them as a single text, which is faster than reading thousands of rows. */
export async function idsIn(query: Query, environmentId: string): Promise<string[]> {
  const tables = (await observedTables(query)).filter(({ isTenants }) => isTenants);
  const parts = tables.map(({ name }) => `SELECT id::text FROM "${name}" WHERE "environmentId" = $1`);
  const [row] = await query<{ ids: string | null }>(
    `SELECT string_agg(id, E'\\n') AS ids FROM (${parts.join(' UNION ALL ')}) AS rows`,
    [environmentId],
  );
  // Countries in a market have their country code as their ID, which can also occur in other strings.
  return (row?.ids?.split('\n') ?? []).filter((id) => id.includes('_'));
}
