import type { Query } from '../../src/platform/db/pool.ts';
import { observedTables } from './dump.ts';
import { eventually } from './eventually.ts';
import { onEach, runOnEach } from './nodes.ts';
import { isDistributed } from './template.ts';

// What rejections are held to: no row anywhere is added, changed or deleted. Triggers note every change, so that looking costs the same
// however many rows there are.

const definitions = [
  'CREATE SCHEMA watch',
  'CREATE UNLOGGED TABLE watch.change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sign integer NOT NULL, row text NOT NULL)',
  // When a key was last used is noted with every request, also a rejected one. A part of a distributed table has a number behind its name.
  `CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     name text := regexp_replace(TG_TABLE_NAME, '_[0-9]+$', '');
     before jsonb := to_jsonb(OLD) - 'lastUsedAt';
     after jsonb := to_jsonb(NEW) - 'lastUsedAt';
   BEGIN
     IF before = after THEN RETURN NULL; END IF;
     IF before IS NOT NULL THEN INSERT INTO watch.change (sign, row) VALUES (-1, name || ' ' || before); END IF;
     IF after IS NOT NULL THEN INSERT INTO watch.change (sign, row) VALUES (1, name || ' ' || after); END IF;
     RETURN NULL;
   END $$`,
];

/** The name of the triggers. */
export const watchTrigger = 'watch';

const triggerOn = (table: string): string =>
  `CREATE TRIGGER ${watchTrigger} AFTER INSERT OR UPDATE OR DELETE ON "${table}" FOR EACH ROW EXECUTE FUNCTION watch.note()`;

/** Whether changes of this database are noted. */
export async function isWatched(query: Query): Promise<boolean> {
  const [row] = await query<{ isWatched: boolean }>(
    `SELECT to_regclass('watch.change') IS NOT NULL AS "isWatched"`,
  );
  return row?.isWatched === true;
}

/** Forgets what was noted. */
export const forgetChanges = (query: Query): Promise<void> => runOnEach(query, 'TRUNCATE watch.change');

async function install(query: Query): Promise<void> {
  if (await isWatched(query)) return;
  for (const definition of definitions) await runOnEach(query, definition);
  // Table by table: locks on several at once could meet a worker's.
  for (const { name } of await observedTables(query))
    await query(
      isDistributed()
        ? `DO $block$ BEGIN SET LOCAL citus.enable_unsafe_triggers TO on; ${triggerOn(name)}; END $block$`
        : triggerOn(name),
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
  const before = await onEach<{ id: string }>(
    query,
    'SELECT coalesce(max(id), 0)::text AS id FROM watch.change',
  );
  const since = new Map(before.map(({ server, rows }) => [server, BigInt(rows[0]?.id ?? 0)]));
  const earliest = [...since.values()].reduce((a, b) => (a < b ? a : b));
  return async () => {
    const answers = await onEach<{ id: string; sign: number; row: string }>(
      query,
      `SELECT id::text AS id, sign, row FROM watch.change t WHERE t.id > ${earliest} ORDER BY t.id`,
    );
    const signs = new Map<string, number>();
    for (const { server, rows } of answers)
      for (const { id, sign, row } of rows)
        if (BigInt(id) > (since.get(server) ?? 0n) && row.includes(mentioned))
          signs.set(row, (signs.get(row) ?? 0) + sign);
    return [...signs].flatMap(([row, sum]) => (sum === 0 ? [] : [`${sum > 0 ? '+' : '-'} ${row}`]));
  };
}
