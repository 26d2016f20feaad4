import type { Database, Query } from '../platform/db/pool.ts';
import type { WaitBudget } from '../platform/db/wait-budget.ts';

// Statements of an environment, on the primary server or on its read replica.

/** Binds a query function to an environment. The environment ID becomes the first parameter of each SQL statement. */
export const scopedQuery =
  (query: Query, environmentId: string): Query =>
  (text, params = [], rowOf) =>
    query(text, [environmentId, ...params], rowOf);

/** Caller of a request, and the time that the request may wait. Background work and live fields have no limit, and read the latest rows. */
type Reading = {
  readonly waits: WaitBudget | null;
  readonly caller: {
    readonly kind: string;
    readonly apiKeyId?: string;
    readonly memberId?: string;
    readonly subjectId?: string;
  };
};

const nameOf = ({ kind, apiKeyId, memberId, subjectId }: Reading['caller']): string =>
  apiKeyId ?? memberId ?? subjectId ?? kind;

/** Binds a query function to an environment, and to the environment's share of connections. */
export const sharedQuery =
  ({ share }: Database, query: Query, environmentId: string, budget: WaitBudget | null): Query =>
  (text, params = [], rowOf) =>
    share.run(environmentId, () => query(text, [environmentId, ...params], rowOf), { budget });

/** Returns the function that reads lists and metrics: the replica's if its data is recent and the caller has written nothing lately. */
export const readerOf = ({ query, replica }: Database, { waits, caller }: Reading): Query =>
  replica !== null && waits !== null && replica.serves(nameOf(caller)) ? replica.query : query;

/** Notes that a request writes, so that subsequent requests of its caller read from the primary server. */
export function noteWrite({ replica }: Database, { waits, caller }: Reading): void {
  if (waits !== null) replica?.noteWrite(nameOf(caller));
}
