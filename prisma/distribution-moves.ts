import { distributedTable } from '../src/platform/db/placement.ts';
import type { Database } from '../src/platform/db/pool.ts';
import { DistributionError, type Node, type Report, runLong } from './distribution.ts';

// Moves environments between the nodes of a Citus cluster.

const addressOf = ({ host, port }: Node): string => `${host}:${port}`;

/** Throws DistributionError if the cluster doesn't have an active node with this address. */
async function requireNode({ query }: Database, { host, port }: Node): Promise<void> {
  const [found] = await query(
    'SELECT FROM pg_dist_node WHERE nodename = $1 AND nodeport = $2 AND groupid <> 0 AND isactive',
    [host, port],
  );
  if (found === undefined) throw new DistributionError(`The cluster has no active node ${host}:${port}.`);
}

type Location = { readonly shardId: bigint; readonly neighbors: number; readonly node: Node };

/** Finds the shard and the node of an environment, and counts the other environments in the shard. Throws DistributionError. */
async function locate(database: Database, environmentId: string): Promise<Location> {
  if ((await distributedTable(database.query)) === null)
    throw new DistributionError('This database is not distributed yet.');
  const [row] = await database.query<{ shardId: bigint; neighbors: number; host: string; port: number }>(
    `WITH placed AS (SELECT id, get_shard_id_for_distribution_column('"EnvironmentCounter"', id) AS "shardId" FROM "Environment")
     SELECT p."shardId", n.nodename AS host, n.nodeport AS port,
       (SELECT count(*)::int - 1 FROM placed o WHERE o."shardId" = p."shardId") AS neighbors
     FROM placed p JOIN pg_dist_placement s ON s.shardid = p."shardId" JOIN pg_dist_node n ON n.groupid = s.groupid AND n.noderole = 'primary'
     WHERE p.id = $1`,
    [environmentId],
  );
  if (row === undefined) throw new DistributionError(`There is no environment ${environmentId}.`);
  return { shardId: row.shardId, neighbors: row.neighbors, node: { host: row.host, port: row.port } };
}

/**
 * Moves an environment to a separate shard. Writes to the environment are blocked during the move. Returns the ID of the shard.
 */
export async function isolate(database: Database, environmentId: string): Promise<bigint> {
  const { shardId, neighbors } = await locate(database, environmentId);
  if (neighbors === 0) return shardId;
  const [shard] = await runLong<{ id: bigint }>(
    database,
    `SELECT isolate_tenant_to_new_shard('"EnvironmentCounter"'::regclass, $1::text, 'CASCADE', shard_transfer_mode => 'block_writes') AS id`,
    [environmentId],
  );
  if (shard === undefined) throw new Error('Citus answered no shard.');
  return shard.id;
}

/** Moves an environment to a node. Other environments in the same shard stay where they are, because the environment first gets its own shard. */
export async function moveEnvironment(
  database: Database,
  environmentId: string,
  target: Node,
  report: Report,
): Promise<void> {
  await requireNode(database, target);
  const shardId = await isolate(database, environmentId);
  const { node } = await locate(database, environmentId);
  if (addressOf(node) === addressOf(target)) {
    report(`${environmentId} is already on ${addressOf(target)}.`);
    return;
  }
  // Logical replication copies the rows while the service writes. Writes wait only at the end of the move.
  await runLong(
    database,
    `SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode => 'force_logical')`,
    [shardId, node.host, node.port, target.host, target.port],
  );
  report(`Moved ${environmentId} from ${addressOf(node)} to ${addressOf(target)}.`);
}

/** Name of the strategy that balances environments, and of its cost function. */
const strategy = 'by_environments';

/**
 * Installs the strategy. The cost of a shard is the number of its environments, plus its size in units of 100 MB. Without environments, a shard costs
 * nearly nothing. The strategies of Citus balance the number or the size of shards, and can collect all environments on one node.
 */
async function installStrategy({ query }: Database): Promise<void> {
  await query(
    `CREATE OR REPLACE FUNCTION quittance_shard_cost(shard bigint) RETURNS real LANGUAGE sql STABLE AS $function$
       SELECT (0.001 + count(e.id) + (SELECT coalesce(max(x.shard_size), 0) / 1e8 FROM citus_shards x WHERE x.shardid = $1))::real
       FROM pg_dist_shard s JOIN pg_dist_shard c ON c.logicalrelid = '"EnvironmentCounter"'::regclass AND c.shardminvalue = s.shardminvalue
       LEFT JOIN "Environment" e ON get_shard_id_for_distribution_column('"EnvironmentCounter"', e.id) = c.shardid
       WHERE s.shardid = $1 $function$`,
  );
  const [known] = await query('SELECT FROM pg_dist_rebalance_strategy WHERE name = $1', [strategy]);
  if (known === undefined)
    await query(
      `SELECT citus_add_rebalance_strategy($1, 'quittance_shard_cost', 'citus_node_capacity_1', 'citus_shard_allowed_on_node_true', 0.1)`,
      [strategy],
    );
}

/** Starts moving shards in the background, so that each node gets a similar number of environments. Writes aren't blocked. */
export async function rebalance(database: Database, report: Report): Promise<void> {
  await installStrategy(database);
  await database.query('SELECT citus_rebalance_start(rebalance_strategy => $1)', [strategy]);
  report('Environments move in the background. --status lists the progress.');
}

/** Moves all environments from a node to the other nodes, so that the node can be removed. The node gets no new shards. */
export async function drain(database: Database, node: Node, report: Report): Promise<void> {
  await requireNode(database, node);
  await installStrategy(database);
  await runLong(
    database,
    `SELECT citus_drain_node($1, $2, shard_transfer_mode => 'force_logical', rebalance_strategy => $3)`,
    [node.host, node.port, strategy],
  );
  report(
    `${addressOf(node)} has no environments any more. Remove it with SELECT citus_remove_node('${node.host}', ${node.port}).`,
  );
}
