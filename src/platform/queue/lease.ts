import type { WritePart } from '../db/bulk.ts';
import type { Database, Query, Transaction } from '../db/pool.ts';
import { isFree, isWithin, leaseTable, within } from './lease-table.ts';

// Leases that workers hold on environments with due work.

/** Prefix of the pub/sub topics that announce due work. The environment ID follows the prefix. */
export const workTopicPrefix = 'work:';

/** Returns the pub/sub topic that announces an environment's due work. */
export const workTopic = (environmentId: string): string => `${workTopicPrefix}${environmentId}`;

export type EnvironmentKey = { readonly environmentId: string };

export const environmentLeases = leaseTable<EnvironmentKey>(
  'EnvironmentLease',
  ['environmentId'],
  'nextDueAt',
);

const waking = (
  source: string,
): string => `INSERT INTO "EnvironmentLease" ("environmentId", "nextDueAt") ${source}
   ON CONFLICT ("environmentId") DO UPDATE SET "nextDueAt" = EXCLUDED."nextDueAt"
   WHERE "EnvironmentLease"."nextDueAt" IS NULL OR "EnvironmentLease"."nextDueAt" > EXCLUDED."nextDueAt"`;
const wake = waking('VALUES ($1, $2)');

/**
 * Schedules the worker for an environment at `at` or earlier. The row stays locked until the transaction ends, so this must be the last statement. A
 * worker that computes the next due time waits for the lock and then reads the committed data.
 */
export async function wakeEnvironment(query: Query, environmentId: string, at: Date): Promise<void> {
  await query(wake, [environmentId, at]);
}

/** Returns the statement of `wakeEnvironment` for a statement group, whose statements bind the environment as `$1`. Must be the last statement. */
export const wakePart = (at: Date): WritePart => ({ text: wake, params: [at] });

/** Returns the statement of `wakePart` that has an effect only if a condition holds. The parameters of the condition start at `$3`. */
export const wakePartIf = (at: Date, condition: string, params: readonly unknown[]): WritePart => ({
  text: waking(
    `SELECT a."environmentId", $2::timestamptz FROM "EnvironmentCounter" a WHERE a."environmentId" = $1 AND ${condition}`,
  ),
  params: [at, ...params],
});

/** Removes an environment from the worker's schedule until `wakeEnvironment` adds it again. */
export async function forgetEnvironment(query: Query, environmentId: string): Promise<void> {
  await query('DELETE FROM "EnvironmentLease" WHERE "environmentId" = $1', [environmentId]);
}

/** Returns due environments that aren't leased, longest waiting first, up to `limit`. Can be restricted to one environment. Acquires no locks. */
export const findDueEnvironments = (
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<EnvironmentKey[]> =>
  query<EnvironmentKey>(
    `SELECT l."environmentId" FROM "EnvironmentLease" l
     WHERE l."nextDueAt" <= $1 AND ${isFree('l', '$1')} ${isWithin('l', environmentId, '$3')} ORDER BY l."nextDueAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );

/** Returns the earliest time after `now` at which an environment's work becomes due. `null` if no work is scheduled. */
export async function findNextDue(query: Query, now: Date): Promise<Date | null> {
  const [next] = await query<{ at: Date }>(
    'SELECT l."nextDueAt" AS at FROM "EnvironmentLease" l WHERE l."nextDueAt" > $1 ORDER BY l."nextDueAt" LIMIT 1',
    [now],
  );
  return next?.at ?? null;
}

/**
 * Releases a lease and stores the next due time, which `nextDue` computes under a lock. Concurrent `wakeEnvironment` calls wait and then lower the
 * due time. Has no effect if another worker has leased the environment.
 */
export async function releaseEnvironment(
  database: Database,
  environmentId: string,
  owner: string,
  nextDue: (query: Query) => Promise<Date | null>,
): Promise<void> {
  const release = async ({ query }: Transaction): Promise<void> => {
    const [lease] = await query<{ leaseOwner: string | null }>(
      `SELECT "leaseOwner" FROM "EnvironmentLease" WHERE "environmentId" = $1 FOR UPDATE`,
      [environmentId],
    );
    if (lease?.leaseOwner !== owner) return;
    await query(
      `UPDATE "EnvironmentLease" SET "leaseOwner" = NULL, "leaseUntil" = NULL, "nextDueAt" = $2 WHERE "environmentId" = $1`,
      [environmentId, await nextDue(query)],
    );
  };
  await database.share.run(environmentId, () => database.transaction(release));
}
