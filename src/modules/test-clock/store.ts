import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { Page } from '../../graphql/connections.ts';
import type { NamedOrder } from '../../graphql/cursors.ts';
import { loadPageBy } from '../../graphql/loaders.ts';
import type { PageArguments } from '../../graphql/pages.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

// The statements about a sandbox's clock and its runs.

export type RunRow = Omit<Row<'TestClockRun'>, 'environmentId'>;
export type RunItemRow = Omit<Row<'TestClockRunItem'>, 'environmentId'>;

const runColumns = columnList('TestClockRun', 't');
const itemColumns = columnList('TestClockRunItem', 't');

/** Where the clock stands; null while it was never moved (BIL-50). */
export async function readSimulatedTime(sql: Query): Promise<Date | null> {
  const [row] = await sql<{ simulatedTime: Date | null }>(
    `SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1`,
  );
  return row?.simulatedTime ?? null;
}

/** Makes the clock stand at an instant. */
export async function stopClockAt(sql: Query, instant: Date): Promise<void> {
  await sql(`UPDATE "TestClock" SET "simulatedTime" = $2 WHERE "environmentId" = $1`, [instant]);
}

/** The run begun last, or null. */
export async function readLatestRun(sql: Query): Promise<RunRow | null> {
  const [run] = await sql<RunRow>(
    `SELECT ${runColumns} FROM "TestClockRun" t WHERE t."environmentId" = $1 ORDER BY t.seq DESC LIMIT 1`,
  );
  return run ?? null;
}

/** Where the clock stands, and the run begun last. */
export async function readClock(
  sql: Query,
): Promise<{ readonly simulatedTime: Date | null; readonly latestRun: RunRow | null }> {
  return { simulatedTime: await readSimulatedTime(sql), latestRun: await readLatestRun(sql) };
}

/** The run with this id, or null. */
export async function readRun(sql: Query, id: string): Promise<RunRow | null> {
  const [run] = await sql<RunRow>(
    `SELECT ${runColumns} FROM "TestClockRun" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return run ?? null;
}

/** The clock of a sandbox as it stands. */
export type ClockState = {
  readonly simulatedTime: Date | null;
  readonly now: Date;
  readonly latestRun: RunRow | null;
};

/** The clock of the environment and its latest run. */
export async function readTestClock({ sql, wall }: Context): Promise<ClockState> {
  const clock = await readClock(sql);
  return { ...clock, now: clock.simulatedTime ?? wall.now() };
}

/** The clock of the environment where the id is that of the environment, else null. */
export const loadTestClock = async (ctx: Context, id: string): Promise<ClockState | null> =>
  id === ctx.environment.id ? readTestClock(ctx) : null;

/** Asks an unfinished run to end; a run that is over stays as it is. */
export async function requestRunCancel(sql: Query, id: string): Promise<void> {
  await sql(
    `UPDATE "TestClockRun" SET "isCancelRequested" = true WHERE "environmentId" = $1 AND id = $2 AND status IN ('pending', 'running')`,
    [id],
  );
}

/** The order of runs: the latest first. */
export const latestRunsFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'run.',
};

/** The order items were executed in. */
const asExecuted: NamedOrder = { name: 'seq', keys: [{ column: 'seq' }], direction: 'asc', prefix: 'item.' };

/** A page of the items of a run in the order they were executed. Batched. */
export const loadRunItems = (
  ctx: Context,
  runId: string,
  args: PageArguments,
): Promise<Page<Row<'TestClockRunItem'>>> =>
  loadPageBy(ctx, { model: 'TestClockRunItem', order: asExecuted }, 'runId', runId, args);

/** The last `limit` items of a run in the order they were executed. */
export async function readLatestRunItems(sql: Query, runId: string, limit: number): Promise<RunItemRow[]> {
  const items = await sql<RunItemRow>(
    `SELECT ${itemColumns} FROM "TestClockRunItem" t WHERE t."environmentId" = $1 AND t."runId" = $2 ORDER BY t.seq DESC LIMIT $3`,
    [runId, limit],
  );
  return items.reverse();
}

/** Makes deadlines that failed ready again (BIL-56). */
export async function readyFailedDeadlines(sql: Query): Promise<void> {
  await sql(
    `UPDATE "Deadline" SET state = 'ready', "notBefore" = NULL WHERE "environmentId" = $1 AND state = 'failed'`,
  );
}

/** How many deadlines of the ranks 1 to `lastRank` fall due until `target`, the instant included. */
export async function countDeadlines(sql: Query, target: Date, lastRank: number): Promise<number> {
  const [row] = await sql<{ known: bigint }>(
    `SELECT count(*) AS known FROM "Deadline" WHERE "environmentId" = $1 AND "dueAt" <= $2 AND rank BETWEEN 1 AND $3`,
    [target, lastRank],
  );
  return Number(row?.known ?? 0n);
}

/** How many items of its latest run the clock shows. */
export const shownItems = 1_000;

/** The most a run that goes on has covered: it may still have to do at its last instant. */
const mostUnfinished = 0.999;

/**
 * How much of the simulated time of a run has passed, from 0 to 1: exactly 1 once the target is reached, below 1 before, and never less than
 * before. A run that failed or was canceled keeps what it had.
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
  return Math.min(mostUnfinished, Math.max(0, passed / all));
}

/** Whether a run has ended, one way or the other. */
export const isOver = ({ status }: Pick<RunRow, 'status'>): boolean =>
  status === 'completed' || status === 'failed';

/** The run with this id. Throws `not_found`. */
export async function requireRun(ctx: Context, id: string): Promise<RunRow> {
  const run = await readRun(ctx.sql, id);
  if (run === null) throw specificError('not_found', 'clock_run', { param: 'id' });
  return run;
}
