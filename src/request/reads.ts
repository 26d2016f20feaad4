import type { Database, Query } from '../platform/db/pool.ts';
import type { WaitBudget } from '../platform/db/wait-budget.ts';

// Statements of an environment, on the primary server or on its read replica.

/** Binds a query function to an environment. The environment ID becomes the first parameter of each SQL statement. */
export const scopedQuery =
  (query: Query, environmentId: string): Query =>
  (text, params = [], rowOf) =>
    query(text, [environmentId, ...params], rowOf);

/** Request of a caller, as far as it determines the server. */
type Reading = {
  readonly database: Database;
  readonly environmentId: string;
  /** Time that the request may wait. Background work and live fields have no limit, and read the latest rows. */
  readonly budget: WaitBudget | null;
  readonly caller: {
    readonly kind: string;
    readonly apiKeyId?: string;
    readonly memberId?: string;
    readonly subjectId?: string;
  };
};

const nameOf = ({ kind, apiKeyId, memberId, subjectId }: Reading['caller']): string =>
  apiKeyId ?? memberId ?? subjectId ?? kind;

/** Returns the function that executes the statements of an environment on the primary server. */
export const primaryReads = ({ database, environmentId, budget }: Omit<Reading, 'caller'>): Query =>
  scopedQuery(
    (text, params, rowOf) =>
      database.share.run(environmentId, () => database.query(text, params, rowOf), { budget }),
    environmentId,
  );

/** Returns the function that reads lists and metrics: from the replica if its data is recent and the caller has written nothing lately. */
export function replicaReads(reading: Reading): Query {
  const { database, environmentId, budget, caller } = reading;
  const { replica } = database;
  if (replica === null || budget === null || !replica.serves(nameOf(caller))) return primaryReads(reading);
  return scopedQuery(
    (text, params, rowOf) =>
      database.share.run(environmentId, () => replica.query(text, params, rowOf), { budget }),
    environmentId,
  );
}

/** Notes that a request writes, so that subsequent requests of its caller read from the primary server. */
export function noteWrite({ database, budget, caller }: Omit<Reading, 'environmentId'>): void {
  if (budget !== null) database.replica?.noteWrite(nameOf(caller));
}
