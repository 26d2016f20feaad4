import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type BulkRow, columnList, insertRows } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

// The statements about example runs.

export type ExampleRunRow = Omit<Row<'ExampleRun'>, 'environmentId'>;

const columns = columnList('ExampleRun', 't');

/** The run with this id, or null. */
export async function readExampleRun(sql: Query, id: string): Promise<ExampleRunRow | null> {
  const [run] = await sql<ExampleRunRow>(
    `SELECT ${columns} FROM "ExampleRun" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return run ?? null;
}

/** The run with this id. Throws `not_found`. */
export async function requireExampleRun(ctx: Context, id: string): Promise<ExampleRunRow> {
  const run = await readExampleRun(ctx.sql, id);
  if (run === null) throw new QuittanceError('not_found', { param: 'id' });
  return run;
}

/** The run that has not ended, or null. */
export async function readUnfinishedRun(sql: Query): Promise<ExampleRunRow | null> {
  const [run] = await sql<ExampleRunRow>(
    `SELECT ${columns} FROM "ExampleRun" t WHERE t."environmentId" = $1 AND t.status = 'running'`,
  );
  return run ?? null;
}

/** Stores a new run. */
export const insertExampleRun = (sql: Query, run: BulkRow<'ExampleRun'>): Promise<unknown> =>
  insertRows(sql, 'ExampleRun', [run]);

/** Counts the step a run stands at as done, with the run of the clock it began, if any. */
export async function countStep(
  sql: Query,
  { id, completedSteps }: ExampleRunRow,
  clockRunId: string | null = null,
): Promise<void> {
  await sql(
    `UPDATE "ExampleRun" SET "completedSteps" = $3 + 1, "clockRunId" = coalesce($4, "clockRunId")
     WHERE "environmentId" = $1 AND id = $2 AND "completedSteps" = $3`,
    [id, completedSteps, clockRunId],
  );
}

/** Ends a run, because all is done or because of a rejection. */
export async function finishExampleRun(
  sql: Query,
  id: string,
  error: Stored.ExampleRunError | null,
  now: Date,
): Promise<void> {
  await sql(
    `UPDATE "ExampleRun" SET status = $3::"ExampleRunStatus", error = $4::jsonb, "finishedAt" = $5 WHERE "environmentId" = $1 AND id = $2`,
    [id, error === null ? 'completed' : 'failed', error === null ? null : JSON.stringify(error), now],
  );
}

/** The ids of the living features with these codes, by code. */
export async function findFeatureIds(ctx: Context, codes: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.feature.findMany({
    where: { code: { in: [...codes] }, deletedAt: null },
    select: { code: true, id: true },
  });
  return new Map(rows.map(({ code, id }) => [code, id]));
}

/** Which of these codes plans have that are not deleted. */
export async function findPlanCodes(ctx: Context, codes: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.db.plan.findMany({
    where: { code: { in: [...codes] }, deletedAt: null },
    select: { code: true },
  });
  return new Set(rows.map(({ code }) => code));
}

/** Deletes all rows of a model. Its name is one of the data model. */
export const deleteRowsOf = (sql: Query, model: string): Promise<unknown> =>
  sql(`DELETE FROM "${model}" WHERE "environmentId" = $1`);

/** Lets the sandbox live in real time again and number its invoices from 1. Endpoints have no failures behind them. */
export async function restartEnvironment(sql: Query): Promise<void> {
  await sql('UPDATE "TestClock" SET "simulatedTime" = NULL WHERE "environmentId" = $1');
  await sql(
    'UPDATE "EnvironmentCounter" SET "invoiceNumber" = 0, "activeSubscriptions" = 0 WHERE "environmentId" = $1',
  );
  await sql(`UPDATE "UsageDayCursor" SET until = 'epoch' WHERE "environmentId" = $1`);
  await sql(
    'UPDATE "MetricsCursor" SET seq = 0, day = NULL, "closedMonth" = NULL, "closesAt" = NULL WHERE "environmentId" = $1',
  );
  await sql('UPDATE "Webhook" SET "failedInRow" = 0 WHERE "environmentId" = $1 AND "failedInRow" > 0');
}
