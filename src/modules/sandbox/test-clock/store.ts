import { specificError } from '../../../domain/errors/errors.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import type { PageArguments } from '../../../graphql/reading/pages.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type RunRow = Omit<Row<'TestClockRun'>, 'environmentId'>;
export type RunItemRow = Omit<Row<'TestClockRunItem'>, 'environmentId'>;

const runColumns = columnList('TestClockRun', 't');
const itemColumns = columnList('TestClockRunItem', 't');

/** Reads the clock's simulated time. `null` if the clock was never advanced (BIL-50). */
export async function readSimulatedTime(sql: Query): Promise<Date | null> {
  const [row] = await sql<{ simulatedTime: Date | null }>(
    `SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1`,
  );
  return row?.simulatedTime ?? null;
}

export async function stopClockAt(sql: Query, instant: Date): Promise<void> {
  await sql(`UPDATE "TestClock" SET "simulatedTime" = $2 WHERE "environmentId" = $1`, [instant]);
}

/** Reads the latest run of the test clock. `null` if the clock was never advanced. */
export async function readLatestRun(sql: Query): Promise<RunRow | null> {
  const [run] = await sql<RunRow>(
    `SELECT ${runColumns} FROM "TestClockRun" t WHERE t."environmentId" = $1 ORDER BY t.seq DESC LIMIT 1`,
  );
  return run ?? null;
}

/** Reads the simulated time and the latest run of the test clock. */
export async function readClock(
  sql: Query,
): Promise<{ readonly simulatedTime: Date | null; readonly latestRun: RunRow | null }> {
  return { simulatedTime: await readSimulatedTime(sql), latestRun: await readLatestRun(sql) };
}

/** Reads a run of the test clock by ID. `null` if the run doesn't exist. */
export async function readRun(sql: Query, id: string): Promise<RunRow | null> {
  const [run] = await sql<RunRow>(
    `SELECT ${runColumns} FROM "TestClockRun" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return run ?? null;
}

export type ClockState = {
  readonly simulatedTime: Date | null;
  readonly now: Date;
  readonly latestRun: RunRow | null;
};

export async function readTestClock({ sql, wall }: Context): Promise<ClockState> {
  const clock = await readClock(sql);
  return { ...clock, now: clock.simulatedTime ?? wall.now() };
}

/** Returns the environment's test clock if `id` is the environment's ID, otherwise `null`. */
export const loadTestClock = async (ctx: Context, id: string): Promise<ClockState | null> =>
  id === ctx.environment.id ? readTestClock(ctx) : null;

/** Requests the cancellation of a test clock run. Does nothing if the run has ended. */
export async function requestRunCancel(sql: Query, id: string): Promise<void> {
  await sql(
    `UPDATE "TestClockRun" SET "isCancelRequested" = true WHERE "environmentId" = $1 AND id = $2 AND status IN ('pending', 'running')`,
    [id],
  );
}

export const latestRunsFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'run.',
};

/** Sorts run items in the order that the clock run processed their deadlines. */
const asExecuted: NamedOrder = { name: 'seq', keys: [{ column: 'seq' }], direction: 'asc', prefix: 'item.' };

/** Lists the deadlines that a clock run processed, in execution order. Lookups are batched. */
export const loadRunItems = (
  ctx: Context,
  runId: string,
  args: PageArguments,
): Promise<Page<Row<'TestClockRunItem'>>> =>
  loadPageBy(ctx, { model: 'TestClockRunItem', order: asExecuted }, 'runId', runId, args);

/** Reads the last `limit` items of a run in processing order. */
export async function readLatestRunItems(sql: Query, runId: string, limit: number): Promise<RunItemRow[]> {
  const items = await sql<RunItemRow>(
    `SELECT ${itemColumns} FROM "TestClockRunItem" t WHERE t."environmentId" = $1 AND t."runId" = $2 ORDER BY t.seq DESC LIMIT $3`,
    [runId, limit],
  );
  return items.reverse();
}

/** Makes failed deadlines ready to be processed again (BIL-56). */
export async function readyFailedDeadlines(sql: Query): Promise<void> {
  await sql(
    `UPDATE "Deadline" SET state = 'ready', "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'failed'`,
  );
}

/** Counts the environment's deadlines with ranks from 1 to `lastRank` that are due at or before `target`. */
export async function countDeadlines(sql: Query, target: Date, lastRank: number): Promise<number> {
  const [row] = await sql<{ known: bigint }>(
    `SELECT count(*) AS known FROM "Deadline" WHERE "environmentId" = $1 AND "dueAt" <= $2 AND rank BETWEEN 1 AND $3`,
    [target, lastRank],
  );
  return Number(row?.known ?? 0n);
}

/** Maximum number of processed deadlines that the API returns with a clock run. */
export const shownItems = 1_000;

/**
 * Maximum progress of an unfinished run. Less than 1, because a run that has reached its target time may still process
 * deadlines that are due at that time.
 */
const maxUnfinished = 0.999;

/**
 * Returns the progress of a run in simulated time, from 0 to 1. Progress is 1 only after the run completes, and never decreases. A failed
 * or canceled run keeps its progress.
 */
export function progressOf({
  status,
  startedAtTime,
  cursorTime,
  targetTime,
}: Pick<RunRow, 'status' | 'startedAtTime' | 'cursorTime' | 'targetTime'>): number {
  if (status === 'completed') return 1;
  const passed = cursorTime.getTime() - startedAtTime.getTime();
  const all = targetTime.getTime() - startedAtTime.getTime();
  return Math.min(maxUnfinished, Math.max(0, passed / all));
}

/** True if a run of the test clock has completed or failed. */
export const isOver = ({ status }: Pick<RunRow, 'status'>): boolean =>
  status === 'completed' || status === 'failed';

/** Returns a run of the test clock by ID. Throws `not_found` if the run doesn't exist. */
export async function requireRun(ctx: Context, id: string): Promise<RunRow> {
  const run = await readRun(ctx.sql, id);
  if (run === null) throw specificError('not_found', 'clock_run', { param: 'id' });
  return run;
}
