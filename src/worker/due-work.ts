import type { Context } from '../context.ts';
import type { DeadlineRow } from '../domain/subscription/state/aggregate.ts';
import { releaseAt } from '../engine/merchant.ts';
import { earliestHeldSql } from '../engine/payout-store.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { Query } from '../platform/db/pool.ts';

/**
 * The next batch: up to `limit` ready deadlines of the earliest instant and lowest rank due at `until`, in order of their subjects' seq,
 * each customer once. It ends before the first customer that comes again, so that the order in which deadlines run does
 * not depend on the size of batches. Empty when nothing is due.
 */
export async function readDue(ctx: Context, until: Date, limit: number): Promise<DeadlineRow[]> {
  const rows = await ctx.sql<DeadlineRow>(
    `WITH next AS (
       SELECT "dueAt", rank FROM "Deadline" WHERE "environmentId" = $1 AND state = 'ready' AND "dueAt" <= $2 ORDER BY "dueAt", rank LIMIT 1)
     SELECT ${columnList('Deadline', 't')} FROM next JOIN "Deadline" t ON t."dueAt" = next."dueAt" AND t.rank = next.rank
     WHERE t."environmentId" = $1 AND t.state = 'ready' ORDER BY t."subjectSeq", t.id LIMIT $3`,
    [until, limit],
  );
  const customers = new Set<string>();
  const repeated = rows.findIndex(({ customerId }) => customers.size === customers.add(customerId).size);
  return repeated === -1 ? rows : rows.slice(0, repeated);
}

/** What the worker finds when it comes to an environment. */
export type Work = {
  /** Whether a clock run has not ended. */
  readonly hasRun: boolean;
  /** Whether the sandbox is being filled with the example shop. */
  readonly hasExampleRun: boolean;
  /** Where the test clock stands; null in real time (BIL-50). */
  readonly simulatedTime: Date | null;
  /** The earliest ready deadline, the next attempt of a failed one, or the first task of the environment; null for none. */
  readonly dueAt: Date | null;
  /** When a gateway or the provider is to be asked next, by operational time; the instant of the attempt where nobody has asked yet. */
  readonly inquireAt: Date | null;
  /** When an attempt in doubt is to be compared with what its gateway has on record, by operational time; null for none. */
  readonly compareAt: Date | null;
};

/** Reads what the worker has to know about an environment, in one statement. `sql` has the environment as $1. */
export async function readWork(sql: Query): Promise<Work> {
  const [row] = await sql<Work & { readonly heldAt: Date | null }>(
    `SELECT EXISTS (SELECT 1 FROM "TestClockRun" WHERE "environmentId" = $1 AND status IN ('pending', 'running')) AS "hasRun",
       EXISTS (SELECT 1 FROM "ExampleRun" WHERE "environmentId" = $1 AND status = 'running') AS "hasExampleRun",
       (SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1) AS "simulatedTime",
       least(
         (SELECT min("dueAt") FROM "Deadline" WHERE "environmentId" = $1 AND state = 'ready'),
         (SELECT min("notBefore") FROM "Deadline" WHERE "environmentId" = $1 AND state = 'failed'),
         (SELECT min("nextStepAt") FROM "Payout" WHERE "environmentId" = $1 AND "nextStepAt" IS NOT NULL)) AS "dueAt",
       (${earliestHeldSql}) AS "heldAt",
       least(
         (SELECT min(CASE WHEN "isBatch" AND asks = 0 THEN "createdAt" ELSE "inquireAt" END) FROM "ChargeAttempt"
           WHERE "environmentId" = $1 AND "inquireAt" IS NOT NULL),
         (SELECT min("inquireAt") FROM "ProviderRequest" WHERE "environmentId" = $1)) AS "inquireAt",
       (SELECT min("compareAt") FROM "ChargeAttempt" WHERE "environmentId" = $1 AND "compareAt" IS NOT NULL) AS "compareAt"`,
  );
  if (row === undefined) throw new Error('The look at an environment answered nothing.');
  const { heldAt, dueAt, ...work } = row;
  const releasedAt = heldAt === null ? null : releaseAt(heldAt);
  return {
    ...work,
    dueAt: releasedAt === null || (dueAt !== null && dueAt < releasedAt) ? dueAt : releasedAt,
  };
}

/**
 * When the environment needs the worker next: now while a run of the clock or an example run is unfinished, in real time when something falls due, and whatever its clock
 * when a gateway is to be asked or compared with; else when it is woken.
 */
export const nextVisit = (
  { hasRun, hasExampleRun, simulatedTime, dueAt, inquireAt, compareAt }: Work,
  now: Date,
): Date | null => {
  if (hasRun || hasExampleRun) return now;
  const times = [inquireAt, compareAt, simulatedTime === null ? dueAt : null].filter((time) => time !== null);
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
};
