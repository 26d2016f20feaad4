import type { Query } from './pool.ts';

/** Answers a function that says whether the server distributes rows over others, by environment (Citus). It asks once, and again after a failure. */
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
