import type { Database, Query } from '../db/pool.ts';
import { isFree, isWithin, leaseTable, within } from './lease-table.ts';

// Which environment needs the worker, and who works on it.

/** What topics under which it is hinted that an environment has something due begin with; the environment follows. */
export const workTopicPrefix = 'work:';

/** Topic under which it is hinted that an environment has something due. */
export const workTopic = (environmentId: string): string => `${workTopicPrefix}${environmentId}`;

/** An environment, as the key of its lease. */
export type EnvironmentKey = { readonly environmentId: string };

/** The leases of environments. */
export const environmentLeases = leaseTable<EnvironmentKey>(
  'EnvironmentLease',
  ['environmentId'],
  'nextDueAt',
);

/**
 * Notes that the environment needs the worker at `at` or earlier. The row stays locked until the transaction ends, so this is the last
 * statement of one: a worker that is working out when to come back waits for it and sees what it wrote.
 */
export async function wakeEnvironment(query: Query, environmentId: string, at: Date): Promise<void> {
  await query(
    `INSERT INTO "EnvironmentLease" ("environmentId", "nextDueAt") VALUES ($1, $2)
     ON CONFLICT ("environmentId") DO UPDATE SET "nextDueAt" = EXCLUDED."nextDueAt"
     WHERE "EnvironmentLease"."nextDueAt" IS NULL OR "EnvironmentLease"."nextDueAt" > EXCLUDED."nextDueAt"`,
    [environmentId, at],
  );
}

/** Takes an environment out of what the worker looks at, until it is woken again. */
export async function forgetEnvironment(query: Query, environmentId: string): Promise<void> {
  await query('DELETE FROM "EnvironmentLease" WHERE "environmentId" = $1', [environmentId]);
}

/** Up to `limit` environments due at `now` that nobody works on, those that have waited longest first, or one of them. Locks nothing. */
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

/**
 * Gives a lease back and notes when the environment needs the worker next, computed by `nextDue` while no signal can wake it: code that has
 * something new waits, and lowers the note afterwards. A lease that has passed to another worker is left alone.
 */
export async function releaseEnvironment(
  database: Database,
  environmentId: string,
  owner: string,
  nextDue: (query: Query) => Promise<Date | null>,
): Promise<void> {
  await database.transaction(async ({ query }) => {
    const [lease] = await query<{ leaseOwner: string | null }>(
      `SELECT "leaseOwner" FROM "EnvironmentLease" WHERE "environmentId" = $1 FOR UPDATE`,
      [environmentId],
    );
    if (lease?.leaseOwner !== owner) return;
    await query(
      `UPDATE "EnvironmentLease" SET "leaseOwner" = NULL, "leaseUntil" = NULL, "nextDueAt" = $2 WHERE "environmentId" = $1`,
      [environmentId, await nextDue(query)],
    );
  });
}
