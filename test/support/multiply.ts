import type { Query } from '../../src/platform/db/pool.ts';

// Copies rows for tests with long lists. Creating the rows through the API would take minutes.

type Column = { readonly table: string; readonly name: string; readonly type: string };

/** Columns with a unique index that reference no other table. Each copy needs new values for them. */
async function ownColumns(query: Query): Promise<Column[]> {
  return query<Column>(
    `SELECT DISTINCT t.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type
     FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY(i.indkey)
     WHERE t.relnamespace = 'public'::regnamespace AND format_type(a.atttypid, NULL) IN ('text', 'bigint', 'integer') AND a.attname <> 'environmentId'
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'f' AND a.attnum = ANY(c.conkey))`,
  );
}

/**
 * Table whose rows appear in lists, and its column with the creation time. Lots have the time at which they become usable instead, and
 * mandates have the time at which they were accepted.
 */
type ListedTable = { readonly name: string; readonly time: string };

/** Returns the tables with an ID, a sequence number, and a creation time. */
const listedTables = (query: Query): Promise<ListedTable[]> =>
  query<ListedTable>(
    `SELECT table_name AS name, max(column_name) FILTER (WHERE column_name NOT IN ('id', 'seq')) AS time FROM information_schema.columns
     WHERE table_schema = 'public' AND (column_name IN ('id', 'seq', 'createdAt') OR table_name = 'Lot' AND column_name = 'effectiveAt' OR table_name = 'Mandate' AND column_name = 'acceptedAt')
     GROUP BY table_name HAVING count(*) = 3 ORDER BY 1`,
  );

/**
 * Copies the newest row of each table whose rows appear in lists, `count` times. Copies both the newest customer credit and the newest other lot. The copies are older than the original and have the same
 * parent, so the first page starts with the row that has children. Skips copies that would violate a unique index.
 */
export async function multiplyRows(query: Query, environmentId: string, count: number): Promise<void> {
  const own = Map.groupBy(await ownColumns(query), ({ table }) => table);
  for (const { name: table, time } of await listedTables(query)) {
    const changes = new Map([
      ['id', `t.id || 'x' || n`],
      ['seq', 't.seq + n * 1000000'],
      [time, `t."${time}" - n * interval '1 minute'`],
      ...(own.get(table) ?? []).map(
        ({ name, type }) =>
          [name, type === 'text' ? `t."${name}" || 'x' || n` : `t."${name}" + n * 1000000`] as const,
      ),
    ]);
    const kind = table === 'Lot' ? '"subscriptionId" IS NULL' : 'seq IS NULL';
    const changed = [...changes].map(([name, expression]) => `'${name}', ${expression}`).join(', ');
    await query(
      `INSERT INTO "${table}" SELECT (jsonb_populate_record(NULL::"${table}", to_jsonb(t) || jsonb_build_object(${changed}))).*
       FROM (SELECT DISTINCT ON (${kind}) * FROM "${table}" WHERE "environmentId" = $1 ORDER BY ${kind}, "${time}" DESC, seq DESC) t, generate_series(1, ${count}) n
       ON CONFLICT DO NOTHING`,
      [environmentId],
    );
  }
}
