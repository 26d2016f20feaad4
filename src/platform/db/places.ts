import { LRUCache } from 'lru-cache';
import { coalesced } from '../coalesce.ts';
import type { Database } from './pool.ts';

// Places of environments in a database: the node of a cluster that contains an environment's rows.

/** Number of environments whose places are remembered, and the time for which they're remembered, in milliseconds. Shards can move to other nodes. */
const remembered = { max: 10_000, ttl: 30_000 } as const;

/** Name that stands for all environments. Its place is the whole database. */
export const everywhere = '*';

/** Returns the place of an environment, without a promise if the place is known. */
export type PlaceOf = (environmentId: string) => string | Promise<string>;

/**
 * Returns a function that finds the places of environments. On a single server, each environment is a separate place. On Citus, the place is
 * a node. The coordinator knows the nodes, so finding a place doesn't depend on the node.
 */
export function openPlaces({ query, isDistributed }: Pick<Database, 'query' | 'isDistributed'>): PlaceOf {
  const known = new LRUCache<string, string>(remembered);
  const find = coalesced<string, string>(async (environmentIds) => {
    const rows = await query<{ environmentId: string; node: string }>(
      `SELECT e.id AS "environmentId", n.nodename || ':' || n.nodeport AS node FROM unnest($1::text[]) AS e(id)
       JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('"EnvironmentCounter"', e.id)
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'`,
      [environmentIds],
    );
    const nodes = new Map(rows.map(({ environmentId, node }) => [environmentId, node]));
    return environmentIds.map((environmentId) => nodes.get(environmentId) ?? environmentId);
  });
  let isSingle = false;
  return (environmentId) => {
    if (isSingle || environmentId === everywhere) return environmentId;
    const place = known.get(environmentId);
    if (place !== undefined) return place;
    return isDistributed().then(async (distributed) => {
      isSingle = !distributed;
      if (isSingle) return environmentId;
      const found = await find(environmentId);
      known.set(environmentId, found);
      return found;
    });
  };
}
