import type { Database, Query } from './db.ts';

// Which environment needs the worker, and who works on it (protocols A10). A lease is an agreement between workers that keeps them out of
// each other's way; what makes their work right are the locks and rows of the environment itself.

/** Topic hinted when an environment has something due. */
export const workTopic = 'work';

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

/** Leases the environment that has waited longest of those due at `now`, until `until`; null when none is due or all are taken. */
export async function leaseEnvironment(query: Query, owner: string, now: Date, until: Date): Promise<string | null> {
  const [row] = await query<{ environmentId: string }>(
    `UPDATE "EnvironmentLease" SET "leaseOwner" = $1, "leaseUntil" = $3 WHERE "environmentId" = (
       SELECT "environmentId" FROM "EnvironmentLease" WHERE "nextDueAt" <= $2 AND ("leaseUntil" IS NULL OR "leaseUntil" <= $2)
       ORDER BY "nextDueAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING "environmentId"`,
    [owner, now, until],
  );
  return row?.environmentId ?? null;
}

/** Keeps a lease for longer; false when it has passed to another worker. */
export async function extendLease(query: Query, environmentId: string, owner: string, until: Date): Promise<boolean> {
  const rows = await query(
    `UPDATE "EnvironmentLease" SET "leaseUntil" = $3 WHERE "environmentId" = $1 AND "leaseOwner" = $2 RETURNING "environmentId"`,
    [environmentId, owner, until],
  );
  return rows.length === 1;
}

/**
 * Gives a lease back and notes when the environment needs the worker next, worked out by `nextDue` while nobody can wake it: whoever has
 * something new waits, and lowers the note afterwards. A lease that has passed to another worker is left alone.
 */
export async function releaseLease(
  database: Database,
  environmentId: string,
  owner: string,
  nextDue: (query: Query) => Promise<Date | null>,
): Promise<void> {
  await database.transaction(async ({ query }) => {
    const [held] = await query<{ leaseOwner: string | null }>(
      `SELECT "leaseOwner" FROM "EnvironmentLease" WHERE "environmentId" = $1 FOR UPDATE`,
      [environmentId],
    );
    if (held?.leaseOwner !== owner) return;
    await query(`UPDATE "EnvironmentLease" SET "leaseOwner" = NULL, "leaseUntil" = NULL, "nextDueAt" = $2 WHERE "environmentId" = $1`, [
      environmentId,
      await nextDue(query),
    ]);
  });
}
