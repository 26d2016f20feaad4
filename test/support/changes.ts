import type { Query } from '../../src/platform/db/pool.ts';
import { observedTables } from './dump.ts';
import { eventually } from './eventually.ts';
import { onEach, runOnEach } from './nodes.ts';
import { isDistributed } from './template.ts';

// Uses triggers to record changes to any row, so that tests can assert that a rejected request changes nothing. The cost of a check doesn't
// depend on the number of rows.

const definitions = [
  'CREATE SCHEMA watch',
  'CREATE UNLOGGED TABLE watch.change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sign integer NOT NULL, row text NOT NULL)',
  // Ignores when API keys were last used, which every request updates. Removes the numeric suffix from shards of a distributed table.
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

export const watchTrigger = 'watch';

const triggerOn = (table: string): string =>
  `CREATE TRIGGER ${watchTrigger} AFTER INSERT OR UPDATE OR DELETE ON "${table}" FOR EACH ROW EXECUTE FUNCTION watch.note()`;

/** True if triggers record changes in this database. */
export async function isWatched(query: Query): Promise<boolean> {
  const [row] = await query<{ isWatched: boolean }>(
    `SELECT to_regclass('watch.change') IS NOT NULL AS "isWatched"`,
  );
  return row?.isWatched === true;
}

/** Statement that removes the triggers and the recorded changes. */
export const unwatch = 'DROP SCHEMA watch CASCADE;';

export const forgetChanges = (query: Query): Promise<void> => runOnEach(query, 'TRUNCATE watch.change');

async function install(query: Query): Promise<void> {
  if (await isWatched(query)) return;
  for (const definition of definitions) await runOnEach(query, definition);
  // Creates each trigger in a separate statement, because locking several tables together could cause a deadlock with a worker.
  for (const { name } of await observedTables(query))
    await query(
      isDistributed()
        ? `DO $block$ BEGIN SET LOCAL citus.enable_unsafe_triggers TO on; ${triggerOn(name)}; END $block$`
        : triggerOn(name),
    );
}

/** Waits until the worker has completed all exports, because each completion records an event. */
const exportsWritten = (query: Query): Promise<boolean> =>
  eventually(async () => {
    const under = await query(`SELECT FROM "Export" WHERE status IN ('queued', 'running') LIMIT 1`);
    return under.length === 0;
  });

/**
 * Waits for running exports, then starts recording changes to all tables. The returned function lists the rows that committed transactions
 * added (+) or deleted (-). If `mentioned` is set, lists only rows that contain this text.
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
