import { together } from '../together.ts';
import type { Database, Query } from './pool.ts';

/** Access to a database for reads that support a distributed database. */
export type Reader = Pick<Database, 'query' | 'isDistributed'>;

/** Returns a function that checks whether Citus distributes the rows across nodes by environment. Successful checks are cached. */
export function distributionOf(query: Query): () => Promise<boolean> {
  let known: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    const rows = await query("SELECT FROM pg_extension WHERE extname = 'citus'");
    return rows.length > 0;
  };
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

/** Reads rows from several environments concurrently, with one SQL statement per environment. */
export async function readByEnvironment<Reference extends { readonly environmentId: string }, Row>(
  references: readonly Reference[],
  read: (environmentId: string, own: readonly Reference[]) => Promise<Row[]>,
): Promise<Row[]> {
  const byEnvironment = Map.groupBy(references, ({ environmentId }) => environmentId);
  return (await together([...byEnvironment].map(([id, own]) => read(id, own)))).flat();
}
