import { together } from '../together.ts';
import type { Database, Query } from './pool.ts';
import { queryWithin } from './share.ts';

/** Access to a database for reads that support a distributed database. */
export type Reader = Pick<Database, 'query' | 'isDistributed' | 'share'>;

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

/** Reads from a distributed database. `read` gets the references of one environment, and a query function within the environment's share. */
type EnvironmentRead<Reference, Answer> = (
  query: Query,
  environmentId: string,
  own: readonly Reference[],
) => Promise<Answer>;

/** Starts one read per environment. Returns the reads by environment. */
const readsOf = <Reference extends { readonly environmentId: string }, Answer>(
  database: Reader,
  references: readonly Reference[],
  read: EnvironmentRead<Reference, Answer>,
): Map<string, Promise<Answer>> =>
  new Map(
    [...Map.groupBy(references, ({ environmentId }) => environmentId)].map(([id, own]) => [
      id,
      read(queryWithin(database, id), id, own),
    ]),
  );

/** Reads rows from several environments concurrently, with one SQL statement per environment. */
export const readByEnvironment = async <Reference extends { readonly environmentId: string }, Row>(
  database: Reader,
  references: readonly Reference[],
  read: EnvironmentRead<Reference, Row[]>,
): Promise<Row[]> => (await together([...readsOf(database, references, read).values()])).flat();

/**
 * Reads values for references from several environments, with one SQL statement per environment. Returns one promise per reference, in the
 * same order, so that an unavailable server affects only references to environments on this server. `pick` selects the value for a reference.
 */
export function answersByEnvironment<Reference extends { readonly environmentId: string }, Row, Answer>(
  database: Reader,
  references: readonly Reference[],
  read: EnvironmentRead<Reference, readonly Row[]>,
  pick: (rows: readonly Row[], reference: Reference) => Answer,
): Promise<Answer>[] {
  const reads = readsOf(database, references, read);
  return references.map(async (reference) =>
    pick((await reads.get(reference.environmentId)) ?? [], reference),
  );
}

/** Environments on the same server, and the query function to read them with. */
type ServerGroup = { readonly query: Query; readonly environmentIds: readonly string[] };

/** Groups environments by server, so that one statement per server can read them. */
export async function groupsByServer(
  database: Reader,
  environmentIds: readonly string[],
): Promise<ServerGroup[]> {
  if (!(await database.isDistributed())) return [{ query: database.query, environmentIds }];
  const places = await Promise.all(
    environmentIds.map(async (environmentId) => ({
      environmentId,
      place: await database.share.placeOf(environmentId),
    })),
  );
  return [...Map.groupBy(places, ({ place }) => place).values()].map((own) => ({
    query: queryWithin(database, own[0]?.environmentId ?? ''),
    environmentIds: own.map(({ environmentId }) => environmentId),
  }));
}
