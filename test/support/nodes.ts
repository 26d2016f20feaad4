import type { Query } from '../../src/platform/db/pool.ts';
import { isDistributed } from './template.ts';

// What tests ask the servers over which their database may be distributed, each by itself.

type NodeAnswer = { readonly server: number; readonly success: boolean; readonly result: string };

/** What every server answers to a statement of its own. Throws where one does not run it. */
async function askNodes(query: Query, text: string): Promise<NodeAnswer[]> {
  const answers = await query<NodeAnswer>(
    'SELECT nodeid AS server, success, result FROM run_command_on_all_nodes($1)',
    [text],
  );
  const failed = answers.find(({ success }) => !success);
  if (failed !== undefined) throw new Error(`A server did not run a statement: ${failed.result}`);
  return answers;
}

/** What a server answers to a query. */
export type Answer<Row> = { readonly server: number; readonly rows: readonly Row[] };

/** What a query answers on each server over which rows are distributed; on the only one where they are not. */
export async function onEach<Row>(query: Query, text: string): Promise<Answer<Row>[]> {
  if (!isDistributed()) return [{ server: 0, rows: await query<never>(text) }];
  const answers = await askNodes(query, `SELECT coalesce(json_agg(r), '[]')::text FROM (${text}) AS r`);
  return answers.map(({ server, result }) => ({ server, rows: JSON.parse(result) as Row[] }));
}

/** Runs a statement on every server, for itself. */
export async function runOnEach(query: Query, text: string): Promise<void> {
  if (!isDistributed()) return void (await query(text));
  await askNodes(
    query,
    `DO $block$ BEGIN SET LOCAL citus.enable_ddl_propagation TO off; ${text}; END $block$`,
  );
}

/** The process ids of sessions of the database that wait for a lock, here or by way of a coordinator's session on a node. */
export async function waitingForLocks(query: Query): Promise<number[]> {
  // What a coordinator sends to a node is named by the session it is for.
  const answers = await onEach<{ pid: string }>(
    query,
    `SELECT coalesce(substring(application_name FROM 'gpid=([0-9]+)')::bigint % 10000000000, pid)::text AS pid
     FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return answers.flatMap(({ rows }) => rows.map(({ pid }) => Number(pid)));
}

/** Why a test that reads plans holds on one server only. */
export const plansAreRead = 'plans are read, and a coordinator tells those of its nodes in a form of its own';

/** Whether to skip what holds on one server only, since the database is distributed; says why it does. */
export const needsOneServer = (because: string): boolean => because !== '' && isDistributed();
