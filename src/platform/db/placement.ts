import { globalModels, referenceModels } from '../../domain/tenancy.ts';
import { modelFields } from './datamodel.ts';
import type { Query } from './pool.ts';

// Where the tables of a database lie that is distributed over several servers (Citus): one list, derived from the models.

/**
 * Where a table lies: `distributed` by environment over the nodes, all rows of an environment on one; `reference` with a copy on every node, for
 * what is read beside rows of an environment and seldom written; `local` on the coordinator alone.
 */
export type Placement = 'distributed' | 'reference' | 'local';

const localTables: ReadonlySet<string> = new Set([...globalModels, '_prisma_migrations']);

/** The placement of a table: by its environment where it has one and is no reference table. Throws for a table without one that no list names. */
export function placementOf(table: string): Placement {
  if (referenceModels.has(table)) return 'reference';
  if (modelFields.get(table)?.some(({ name }) => name === 'environmentId') === true) return 'distributed';
  if (localTables.has(table)) return 'local';
  throw new Error(`The table ${table} has no environment, and domain/tenancy.ts does not name it.`);
}

/** A foreign key between two tables. */
export type TableKey = { readonly source: string; readonly target: string };

/** The tables so ordered that each comes after those its foreign keys point to; otherwise by name. Throws where foreign keys form a cycle. */
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

/** The tables of the database, in order of their foreign keys. */
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

/** A distributed table that others are placed beside, so that rows of an environment share a node; null where there is none yet. */
export async function distributedTable(query: Query): Promise<string | null> {
  const [citus] = await query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (citus === undefined) return null;
  const [table] = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h' ORDER BY 1 LIMIT 1`,
  );
  return table?.name ?? null;
}

/** How many shards the distributed tables are cut into when the first of them is distributed: nodes share whole ones. */
export const defaultShards = 64;

/** The statement that places a table, `beside` one that is distributed, or as the first; null where it stays on the coordinator. */
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
