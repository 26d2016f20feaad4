import type { Query } from '../../src/platform/db/pool.ts';
import { observedTables } from './dump.ts';
import { eventually } from './eventually.ts';

// What rejections are held to: no row anywhere is added, changed or deleted. Triggers note every change, so that looking costs the same
// however many rows there are.

const definitions = [
  'CREATE SCHEMA watch',
  'CREATE UNLOGGED TABLE watch.change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sign integer NOT NULL, row text NOT NULL)',
  // When a key was last used is noted with every request, also a rejected one.
  `CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     before jsonb := to_jsonb(OLD) - 'lastUsedAt';
     after jsonb := to_jsonb(NEW) - 'lastUsedAt';
   BEGIN
     IF before = after THEN RETURN NULL; END IF;
     IF before IS NOT NULL THEN INSERT INTO watch.change (sign, row) VALUES (-1, TG_TABLE_NAME || ' ' || before); END IF;
     IF after IS NOT NULL THEN INSERT INTO watch.change (sign, row) VALUES (1, TG_TABLE_NAME || ' ' || after); END IF;
     RETURN NULL;
   END $$`,
];

/** The name of the triggers. */
export const watchTrigger = 'watch';

/** Whether changes of this database are noted. */
export async function isWatched(query: Query): Promise<boolean> {
  const [row] = await query<{ isWatched: boolean }>(
    `SELECT to_regclass('watch.change') IS NOT NULL AS "isWatched"`,
  );
  return row?.isWatched === true;
}

async function install(query: Query): Promise<void> {
  if (await isWatched(query)) return;
  for (const definition of definitions) await query(definition);
  // Table by table: locks on several at once could meet a worker's.
  for (const { name } of await observedTables(query))
    await query(
      `CREATE TRIGGER ${watchTrigger} AFTER INSERT OR UPDATE OR DELETE ON "${name}" FOR EACH ROW EXECUTE FUNCTION watch.note()`,
    );
}

/** Waits until the worker has written all exports: the end of each is an event. */
const exportsWritten = (query: Query): Promise<boolean> =>
  eventually(async () => {
    const under = await query(`SELECT FROM "Export" WHERE status IN ('queued', 'running') LIMIT 1`);
    return under.length === 0;
  });

/**
 * Watches all tables from now on, once no export is under way. The answered function tells the rows that have come (+) or gone (-) since by what was committed; with a text,
 * those that mention it. What was taken back is not told.
 */
export async function watchChanges(query: Query, mentioned = ''): Promise<() => Promise<string[]>> {
  await install(query);
  await exportsWritten(query);
  const [before] = await query<{ id: bigint }>('SELECT coalesce(max(id), 0) AS id FROM watch.change');
  return async () => {
    const rows = await query<{ change: string }>(
      `SELECT CASE WHEN sum(sign) > 0 THEN '+ ' ELSE '- ' END || row AS change FROM watch.change
       WHERE id > $1 AND position($2 IN row) > 0 GROUP BY row HAVING sum(sign) <> 0 ORDER BY min(id)`,
      [before?.id ?? 0n, mentioned],
    );
    return rows.map(({ change }) => change);
  };
}
