import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { columnList } from '../../infra/bulk.ts';
import type { Row } from '../../infra/rows.ts';

export type RunRow = Omit<Row<'TestClockRun'>, 'environmentId'>;
export type RunItemRow = Omit<Row<'TestClockRunItem'>, 'environmentId'>;

/** How many items of its latest run the clock shows (protocols B7). */
export const shownItems = 1_000;

/** Whether a run has ended, one way or the other. */
export const isOver = ({ status }: Pick<RunRow, 'status'>): boolean => status === 'completed' || status === 'failed';

/** Where the sandbox's clock stands as of now, read from its row; null while it was never moved (BIL-50). */
export async function readSimulatedTime(context: Context): Promise<Date | null> {
  const [row] = await context.sql<{ simulatedTime: Date | null }>(`SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1`);
  return row?.simulatedTime ?? null;
}

/** The run begun last, or null. */
export async function latestRun(context: Context): Promise<RunRow | null> {
  const [run] = await context.sql<RunRow>(
    `SELECT ${columnList('TestClockRun', 't')} FROM "TestClockRun" t WHERE t."environmentId" = $1 ORDER BY t.seq DESC LIMIT 1`,
  );
  return run ?? null;
}

/** The run with this id, or null. */
export async function findRun(context: Context, id: string): Promise<RunRow | null> {
  const [run] = await context.sql<RunRow>(
    `SELECT ${columnList('TestClockRun', 't')} FROM "TestClockRun" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return run ?? null;
}

/** The run with this id. Throws `not_found`. */
export async function requireRun(context: Context, id: string): Promise<RunRow> {
  const run = await findRun(context, id);
  if (run === null) throw new QuittanceError('not_found', 'No such clock run.', { param: 'id' });
  return run;
}

/** Up to `limit` items of a run in the order they were executed, after the item with seq `after`. */
export function listItems(context: Context, runId: string, after: bigint, limit: number): Promise<RunItemRow[]> {
  return context.sql<RunItemRow>(
    `SELECT ${columnList('TestClockRunItem', 't')} FROM "TestClockRunItem" t
     WHERE t."environmentId" = $1 AND t."runId" = $2 AND t.seq > $3 ORDER BY t.seq LIMIT $4`,
    [runId, after, limit],
  );
}

/** The last `limit` items of a run in the order they were executed. */
export async function listLatestItems(context: Context, runId: string, limit: number): Promise<RunItemRow[]> {
  const items = await context.sql<RunItemRow>(
    `SELECT ${columnList('TestClockRunItem', 't')} FROM "TestClockRunItem" t
     WHERE t."environmentId" = $1 AND t."runId" = $2 ORDER BY t.seq DESC LIMIT $3`,
    [runId, limit],
  );
  return items.reverse();
}
