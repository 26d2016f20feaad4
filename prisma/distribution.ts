import {
  defaultShards,
  distributedTable,
  placementOf,
  placingStatement,
  tablesInOrder,
} from '../src/platform/db/placement.ts';
import type { Database } from '../src/platform/db/pool.ts';

// Distributes a database across the nodes of a Citus cluster. Each step checks the current state, so an interrupted run can be repeated.

/** Error for a request that can't be completed. The message explains how to fix the problem. */
export class DistributionError extends Error {
  override name = 'DistributionError';
}

export type Node = { readonly host: string; readonly port: number };

/** Prints a line of output. */
export type Report = (line: string) => void;

/** Parses `host:port`. The port defaults to 5432. Throws DistributionError for any other text. */
export function readNode(text: string): Node {
  const [, host = '', port = '5432'] = /^([\w.-]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (host === '' || Number(port) < 1 || Number(port) > 65_535)
    throw new DistributionError(`"${text}" is no address of a node. Write host:port.`);
  return { host, port: Number(port) };
}

const oldestMajor = 12;

/** Throws DistributionError if the database doesn't have a supported version of Citus. */
export async function requireCitus(database: Database): Promise<void> {
  if (database.kind !== 'postgres')
    throw new DistributionError(
      'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator.',
    );
  const [citus] = await database.query<{ version: string }>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  );
  if (citus === undefined)
    throw new DistributionError(
      "This database has no Citus. On the coordinator and on every node, start PostgreSQL with shared_preload_libraries = 'citus', make the database, and run CREATE EXTENSION citus in it.",
    );
  if (Number.parseInt(citus.version, 10) < oldestMajor)
    throw new DistributionError(`Citus ${citus.version} is too old. It has to be ${oldestMajor} or newer.`);
}

/** Executes an SQL statement that moves data, without a time limit. */
export const runLong = <Row>(
  database: Database,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> =>
  database.transaction(({ query }) => query<Row>(text, params), { timeoutMs: 24 * 3_600_000 });

async function addNodes(
  database: Database,
  coordinator: Node,
  nodes: readonly Node[],
  report: Report,
): Promise<void> {
  const { query } = database;
  const known = await query<Node & { group: number }>(
    'SELECT nodename AS host, nodeport AS port, groupid AS group FROM pg_dist_node',
  );
  if (!known.some(({ group }) => group === 0))
    await query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
  for (const { host, port } of nodes) {
    if (known.some((each) => each.host === host && each.port === port)) continue;
    await runLong(database, 'SELECT citus_add_node($1, $2)', [host, port]);
    report(`Added the node ${host}:${port}.`);
  }
  const [workers] = await query<{ count: number }>(
    'SELECT count(*)::int AS count FROM pg_dist_node WHERE groupid <> 0 AND isactive',
  );
  if (workers?.count === 0)
    throw new DistributionError('There is no node yet. Name them: --nodes host:port,…');
}

/** Creates the functions that SQL statements on the nodes use. Citus distributes new functions automatically. */
async function distributeFunctions(database: Database): Promise<void> {
  const functions = await database.query<{ signature: string }>(
    `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
       AND NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)`,
  );
  for (const { signature } of functions)
    await database.query('SELECT create_distributed_function($1::regprocedure)', [signature]);
}

/** Returns the names of the tables that are distributed or copied to all nodes. */
export async function placedTables({ query }: Database): Promise<ReadonlySet<string>> {
  const placed = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h' OR p.repmodel = 't'`,
  );
  return new Set(placed.map(({ name }) => name));
}

async function placeTables(database: Database, shards: number, report: Report): Promise<void> {
  const tables = await tablesInOrder(database.query);
  // `placementOf` throws for tables without a known placement, before any table is moved.
  const left = tables.filter((table) => placementOf(table) !== 'local');
  const placed = await placedTables(database);
  // An earlier version copied tables to all nodes that are now on the coordinator.
  for (const table of tables.filter((each) => placed.has(each) && placementOf(each) === 'local')) {
    await runLong(database, 'SELECT undistribute_table($1::regclass)', [`"${table}"`]);
    report(`${table}: local.`);
  }
  let beside = await distributedTable(database.query);
  for (const table of left) {
    if (placed.has(table)) continue;
    const statement = placingStatement(table, beside, shards);
    if (statement === null) continue;
    await runLong(database, statement);
    if (placementOf(table) === 'distributed') beside ??= table;
    report(`${table}: ${placementOf(table)}.`);
  }
}

/** Frees the disk space of distributed tables on the coordinator. Referencing tables are truncated before the tables that they reference. */
async function freeCoordinator(database: Database): Promise<void> {
  const tables = (await tablesInOrder(database.query)).toReversed();
  for (const table of tables.filter((each) => placementOf(each) === 'distributed')) {
    const [size] = await database.query<{ bytes: bigint }>('SELECT pg_relation_size($1::regclass) AS bytes', [
      `"${table}"`,
    ]);
    if (size !== undefined && size.bytes > 0n)
      await runLong(database, 'SELECT truncate_local_data_after_distributing_table($1::regclass)', [
        `"${table}"`,
      ]);
  }
}

/** True if an active node has no shards. */
export async function hasEmptyNode({ query }: Database): Promise<boolean> {
  const empty = await query(
    `SELECT FROM pg_dist_node n WHERE n.shouldhaveshards AND n.isactive
       AND NOT EXISTS (SELECT FROM citus_shards s WHERE s.nodename = n.nodename AND s.nodeport = n.nodeport AND s.citus_table_type = 'distributed')`,
  );
  return empty.length > 0;
}

/**
 * Distributes the database across its current nodes and the new nodes. Stop the service before the first run, because each table is locked while its
 * rows are moved.
 */
export async function distribute(
  database: Database,
  settings: { coordinator: Node; nodes: readonly Node[]; shards?: number },
  report: Report,
): Promise<void> {
  await addNodes(database, settings.coordinator, settings.nodes, report);
  await distributeFunctions(database);
  await placeTables(database, settings.shards ?? defaultShards, report);
  await freeCoordinator(database);
}
