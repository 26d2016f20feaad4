import type { Query } from '../../src/platform/db/pool.ts';
import { isDistributed } from './template.ts';

// Runs statements on each server of a distributed test database.

type NodeAnswer = { readonly server: number; readonly success: boolean; readonly result: string };

/** Runs a statement on every node. Throws if one fails. */
async function askNodes(query: Query, text: string): Promise<NodeAnswer[]> {
  const answers = await query<NodeAnswer>(
    'SELECT nodeid AS server, success, result FROM run_command_on_all_nodes($1)',
    [text],
  );
  const failed = answers.find(({ success }) => !success);
  if (failed !== undefined) throw new Error(`A server did not run a statement: ${failed.result}`);
  return answers;
}

/** Rows that one server returned. */
export type Answer<Row> = { readonly server: number; readonly rows: readonly Row[] };

/** Runs a query on each server that stores rows, or on the only server. */
export async function onEach<Row>(query: Query, text: string): Promise<Answer<Row>[]> {
  if (!isDistributed()) return [{ server: 0, rows: await query<never>(text) }];
  const answers = await askNodes(query, `SELECT coalesce(json_agg(r), '[]')::text FROM (${text}) AS r`);
  return answers.map(({ server, result }) => ({ server, rows: JSON.parse(result) as Row[] }));
}

export async function runOnEach(query: Query, text: string): Promise<void> {
  if (!isDistributed()) return void (await query(text));
  await askNodes(
    query,
    `DO $block$ BEGIN SET LOCAL citus.enable_ddl_propagation TO off; ${text}; END $block$`,
  );
}

/** Returns the process IDs of sessions that wait for a lock, either directly or through a session that the coordinator opened on a node. */
export async function waitingForLocks(query: Query): Promise<number[]> {
  // The name of a coordinator's session on a node contains the ID of the original session.
  const answers = await onEach<{ pid: string }>(
    query,
    `SELECT coalesce(substring(application_name FROM 'gpid=([0-9]+)')::bigint % 10000000000, pid)::text AS pid
     FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return answers.flatMap(({ rows }) => rows.map(({ pid }) => Number(pid)));
}

/** Reason for skipping tests that read query plans. */
export const plansAreRead = 'plans are read, and a coordinator tells those of its nodes in a form of its own';

/** True if the database is distributed, so a test that needs a single server must be skipped. The caller must pass a reason. */
export const needsOneServer = (because: string): boolean => because !== '' && isDistributed();
