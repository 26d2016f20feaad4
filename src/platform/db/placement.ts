import { coordinatorModels, globalModels, referenceModels } from '../../domain/rows/tenancy.ts';
import { modelFields } from './datamodel.ts';
import type { Query } from './pool.ts';

// Placement of tables in a distributed database (Citus). The placement is derived from the Prisma models.

/**
 * Placement of a table. `distributed` stores all rows of an environment on the same node. `reference` stores a copy on each node, for rarely written
 * tables that are joined with rows of environments. `local` stores the table on the coordinator.
 */
export type Placement = 'distributed' | 'reference' | 'local';

const localTables: ReadonlySet<string> = new Set([...globalModels, '_prisma_migrations']);

/** Returns the placement of a table. Tables with an environment are distributed. Throws for any other table that isn't listed. */
export function placementOf(table: string): Placement {
  if (referenceModels.has(table)) return 'reference';
  if (coordinatorModels.has(table)) return 'local';
  if (modelFields.get(table)?.some(({ name }) => name === 'environmentId') === true) return 'distributed';
  if (localTables.has(table)) return 'local';
  throw new Error(`The table ${table} has no environment, and domain/rows/tenancy.ts does not name it.`);
}

/** Foreign key from the table `source` to the table `target`. */
export type TableKey = { readonly source: string; readonly target: string };

/**
 * Sorts tables by dependency, so that each table follows the tables that it references. Independent tables are sorted by name. Throws if foreign
 * keys form a cycle.
 */
export function inOrderOfKeys(tables: readonly string[], keys: readonly TableKey[]): string[] {
  const ordered: string[] = [];
  const waiting = new Set(tables.toSorted());
  while (waiting.size > 0) {
    const isReady = (table: string) =>
      keys.every(({ source, target }) => source !== table || target === table || !waiting.has(target));
    const ready = [...waiting].filter(isReady);
    if (ready.length === 0) throw new Error(`Foreign keys form a cycle: ${[...waiting].join(', ')}.`);
    ordered.push(...ready);
    for (const table of ready) waiting.delete(table);
  }
  return ordered;
}

/** Returns the names of all tables, referenced tables first. */
export async function tablesInOrder(query: Query): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const keys = await query<TableKey>(
    `SELECT s.relname AS source, t.relname AS target FROM pg_constraint c JOIN pg_class s ON s.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
  );
  return inOrderOfKeys(
    tables.map(({ name }) => name),
    keys,
  );
}

/** Returns an existing distributed table that new tables can be colocated with. `null` if no table is distributed yet. */
export async function distributedTable(query: Query): Promise<string | null> {
  const [citus] = await query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (citus === undefined) return null;
  const [table] = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h' ORDER BY 1 LIMIT 1`,
  );
  return table?.name ?? null;
}

/** Number of shards per distributed table. Can't be changed after the first table is distributed. All rows of a shard are on one node. */
export const defaultShards = 64;

/** Returns the statement that distributes a table, colocated with an existing table. `null` if the table stays on the coordinator. */
export function placingStatement(
  table: string,
  beside: string | null,
  shards = defaultShards,
): string | null {
  const placement = placementOf(table);
  if (placement === 'local') return null;
  if (placement === 'reference') return `SELECT create_reference_table('"${table}"')`;
  const where = beside === null ? `'none', shard_count => ${shards}` : `'"${beside}"'`;
  return `SELECT create_distributed_table('"${table}"', 'environmentId', colocate_with => ${where})`;
}
