import type { DeadlineRow } from '../domain/subscription/state/aggregate.ts';
import { earliestExpirySql, earliestHeldSql } from '../engine/effects/payout-store.ts';
import { releaseAt } from '../engine/merchant.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { Query } from '../platform/db/pool.ts';
import type { Context } from '../request/context.ts';

/**
 * Reads the next batch: up to `limit` ready deadlines due by `until` that share the earliest due time and the
 * lowest rank, ordered by the `seq` of their subjects. Stops before the second deadline of a customer, so
 * that the order of deadlines doesn't depend on the batch size. Empty if no deadline is due.
 */
export async function readDue(ctx: Context, until: Date, limit: number): Promise<DeadlineRow[]> {
  const rows = await ctx.sql<DeadlineRow>(
    `WITH next AS (
       SELECT "dueAt", rank FROM "Deadline" WHERE "environmentId" = $1 AND state = 'ready' AND "dueAt" <= $2 ORDER BY "dueAt", rank LIMIT 1)
     SELECT ${columnList('Deadline', 't')} FROM next JOIN "Deadline" t ON t."dueAt" = next."dueAt" AND t.rank = next.rank
     WHERE t."environmentId" = $1 AND t.state = 'ready' ORDER BY t."subjectSeq", t.id LIMIT $3`,
    [until, limit],
  );
  return onePerCustomer(rows);
}

/** Returns the deadlines before the second deadline of a customer. */
function onePerCustomer(rows: DeadlineRow[]): DeadlineRow[] {
  const customers = new Set<string>();
  const repeated = rows.findIndex(({ customerId }) => customers.size === customers.add(customerId).size);
  return repeated === -1 ? rows : rows.slice(0, repeated);
}

/** SQL: automatic top-ups that are due at the time of the test clock. Empty in real time. */
const dueTopUps = (columns: string): string =>
  `SELECT ${columns} FROM "Deadline" t WHERE t."environmentId" = $1 AND t.state = 'ready' AND t.kind = 'auto_topup'
     AND t."dueAt" <= (SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1)`;

/**
 * Reads up to `limit` automatic top-ups that are due at the time of the test clock, in order of their subjects' `seq`. Stops
 * before the second one of a customer.
 */
export async function readDueTopUps(ctx: Context, limit: number): Promise<DeadlineRow[]> {
  const rows = await ctx.sql<DeadlineRow>(
    `${dueTopUps(columnList('Deadline', 't'))} ORDER BY t."dueAt", t."subjectSeq", t.id LIMIT $2`,
    [limit],
  );
  return onePerCustomer(rows);
}

export type Work = {
  /** True if a clock run is pending or in progress. */
  readonly hasRun: boolean;
  /** True if a run that creates the example shop is in progress. */
  readonly hasExampleRun: boolean;
  /** Time of the test clock. `null` in real time (BIL-50). */
  readonly simulatedTime: Date | null;
  /** True if an automatic top-up is due at the time of the test clock. False in real time. */
  readonly hasTopUp: boolean;
  /** True if limits of the organization or of plans have crossings to report. */
  readonly hasCrossings: boolean;
  /** True if limits of the organization or of plans have past usage to count. */
  readonly isCounting: boolean;
  /** Time of the earliest ready deadline, retry of a failed deadline, or environment task. `null` if no work is scheduled. */
  readonly dueAt: Date | null;
  /**
   * Time of the next request to a provider, in real time. For an attempt that hasn't been sent yet, the creation time
   * of the attempt.
   */
  readonly inquireAt: Date | null;
  /**
   * Time of the next comparison of an attempt's unknown result with the provider's records, in real time. `null` if no
   * comparison is scheduled.
   */
  readonly compareAt: Date | null;
};

/** Time until crossings of shared limits are reported again if they couldn't be reported, in milliseconds. */
const sharedRestMs = 200;

/** Reads the pending work of an environment with one SQL statement. `sql` must pass the environment ID as $1. */
export async function readWork(sql: Query): Promise<Work> {
  const [row] = await sql<Work & { readonly heldAt: Date | null }>(
    `SELECT EXISTS (SELECT 1 FROM "TestClockRun" WHERE "environmentId" = $1 AND status IN ('pending', 'running')) AS "hasRun",
       EXISTS (SELECT 1 FROM "ExampleRun" WHERE "environmentId" = $1 AND status = 'running') AS "hasExampleRun",
       (SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1) AS "simulatedTime",
       EXISTS (${dueTopUps('1')}) AS "hasTopUp",
       EXISTS (SELECT FROM "SharedGauge" WHERE "environmentId" = $1 AND "crossedAt" IS NOT NULL) AS "hasCrossings",
       EXISTS (SELECT FROM "SharedGauge" WHERE "environmentId" = $1 AND "isCounting") AS "isCounting",
       least(
         (SELECT min("dueAt") FROM "Deadline" WHERE "environmentId" = $1 AND state = 'ready'),
         (${earliestExpirySql}),
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
 * Returns the time at which the worker must process the environment next. During a clock run or example run, and if an
 * automatic top-up is due at the test clock's time, the environment is due immediately. Otherwise, returns the earliest of the next due time (without a test clock), provider
 * request and comparison. `null` if the environment has no work until a notification arrives.
 */
export const nextVisit = (
  {
    hasRun,
    hasExampleRun,
    hasTopUp,
    hasCrossings,
    isCounting,
    simulatedTime,
    dueAt,
    inquireAt,
    compareAt,
  }: Work,
  now: Date,
): Date | null => {
  if (hasRun || hasExampleRun || hasTopUp) return now;
  const sharedAt = hasCrossings || isCounting ? new Date(now.getTime() + sharedRestMs) : null;
  const times = [inquireAt, compareAt, sharedAt, simulatedTime === null ? dueAt : null].filter(
    (time) => time !== null,
  );
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
};
