import { distributedTable, placementOf, tablesInOrder } from '../src/platform/db/placement.ts';
import type { Database } from '../src/platform/db/pool.ts';
import { placedTables, type Report } from './distribution.ts';

// Prints the nodes of a cluster, and the node, the size, and the load of each environment.

/** Maximum number of environments to print. Environments with the most events are printed first. */
const mostEnvironments = 100;

type EnvironmentLine = {
  readonly id: string;
  readonly mode: string;
  readonly organization: string;
  readonly node: string;
  readonly shardId: bigint;
  readonly neighbors: number;
  readonly events: bigint;
  readonly statements: number;
};

/** Reads the environments with the most events, with their node, the number of environments in the same shard, and their current load. */
const readEnvironments = ({ query }: Database): Promise<EnvironmentLine[]> =>
  query<EnvironmentLine>(
    `WITH placed AS (
       SELECT e.id, e.mode::text AS mode, o.name AS organization, get_shard_id_for_distribution_column('"EnvironmentCounter"', e.id) AS "shardId"
       FROM "Environment" e JOIN "Organization" o ON o.id = e."organizationId"),
     numbers AS (SELECT "environmentId", "eventPosition" AS events FROM "EnvironmentCounter" OFFSET 0)
     SELECT p.id, p.mode, p.organization, p."shardId", n.nodename || ':' || n.nodeport AS node,
       (count(*) OVER (PARTITION BY p."shardId") - 1)::int AS neighbors, coalesce(c.events, 0) AS events, coalesce(t.query_count_in_this_period, 0) AS statements
     FROM placed p JOIN pg_dist_placement s ON s.shardid = p."shardId" JOIN pg_dist_node n ON n.groupid = s.groupid AND n.noderole = 'primary'
     LEFT JOIN numbers c ON c."environmentId" = p.id LEFT JOIN citus_stat_tenants t ON t.tenant_attribute = p.id
     ORDER BY events DESC, p.id LIMIT $1`,
    [mostEnvironments],
  );

async function reportNodes({ query }: Database, report: Report): Promise<void> {
  const nodes = await query<{ address: string; isActive: boolean; shards: number; bytes: string }>(
    `SELECT n.nodename || ':' || n.nodeport AS address, n.isactive AS "isActive", count(s.shardid)::int AS shards, pg_size_pretty(coalesce(sum(s.shard_size), 0)) AS bytes
     FROM pg_dist_node n LEFT JOIN citus_shards s ON s.nodename = n.nodename AND s.nodeport = n.nodeport AND s.citus_table_type = 'distributed'
     WHERE n.groupid <> 0 GROUP BY n.nodename, n.nodeport, n.isactive ORDER BY 1`,
  );
  for (const { address, isActive, shards, bytes } of nodes)
    report(`${address}: ${shards} shards, ${bytes}${isActive ? '' : ', disabled'}`);
}

async function reportTables(database: Database, report: Report): Promise<void> {
  const placed = await placedTables(database);
  const misplaced = (await tablesInOrder(database.query)).filter(
    (table) => placed.has(table) !== (placementOf(table) !== 'local'),
  );
  report(
    misplaced.length === 0 ? 'Every table is in its place.' : `Not in their place: ${misplaced.join(', ')}.`,
  );
}

/** Prints the nodes with their shards and sizes, misplaced tables, moves in progress, and the environments with the most events. */
export async function reportStatus(database: Database, report: Report): Promise<void> {
  if ((await distributedTable(database.query)) === null) {
    report('This database is not distributed yet. Name its nodes: --nodes host:port,…');
    return;
  }
  await reportNodes(database, report);
  await reportTables(database, report);
  const jobs = await database.query<{ state: string }>(
    `SELECT state::text FROM pg_dist_background_job WHERE state IN ('scheduled', 'running', 'failing', 'failed')`,
  );
  if (jobs.length > 0) report(`Moves of shards: ${jobs.map(({ state }) => state).join(', ')}.`);
  for (const {
    id,
    mode,
    organization,
    node,
    shardId,
    neighbors,
    events,
    statements,
  } of await readEnvironments(database))
    report(
      `${id} (${organization}, ${mode}): ${node}, shard ${shardId} with ${neighbors} other environments, ${events} events, ${statements} statements in this minute`,
    );
}
