import { QuittanceError } from '../../../domain/errors/errors.ts';
import { type BulkRow, columnList, insertRows } from '../../../platform/db/bulk.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type ExampleRunRow = Omit<Row<'ExampleRun'>, 'environmentId'>;

const columns = columnList('ExampleRun', 't');

/** Returns an example run by ID. `null` if the run doesn't exist. */
export async function readExampleRun(sql: Query, id: string): Promise<ExampleRunRow | null> {
  const [run] = await sql<ExampleRunRow>(
    `SELECT ${columns} FROM "ExampleRun" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return run ?? null;
}

/** Returns an example run by ID. Throws `not_found` if the run doesn't exist. */
export async function requireExampleRun(ctx: Context, id: string): Promise<ExampleRunRow> {
  const run = await readExampleRun(ctx.sql, id);
  if (run === null) throw new QuittanceError('not_found', { param: 'id' });
  return run;
}

/** Returns the environment's unfinished example run. `null` if no run is unfinished. */
export async function readUnfinishedRun(sql: Query): Promise<ExampleRunRow | null> {
  const [run] = await sql<ExampleRunRow>(
    `SELECT ${columns} FROM "ExampleRun" t WHERE t."environmentId" = $1 AND t.status = 'running'`,
  );
  return run ?? null;
}

export const insertExampleRun = (sql: Query, run: BulkRow<'ExampleRun'>): Promise<unknown> =>
  insertRows(sql, 'ExampleRun', [run]);

/** Marks the current step of an example run as completed, and stores the ID of the clock run if the step started one. */
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

/** Ends an example run as completed, or as failed if `error` is set. */
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

/** Returns the IDs of existing features by code. */
export async function findFeatureIds(ctx: Context, codes: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.feature.findMany({
    where: { code: { in: [...codes] }, deletedAt: null },
    select: { code: true, id: true },
  });
  return new Map(rows.map(({ code, id }) => [code, id]));
}

/** Returns the IDs of existing plans by code. */
export async function findPlanIds(ctx: Context, codes: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.plan.findMany({
    where: { code: { in: [...codes] }, deletedAt: null },
    select: { code: true, id: true },
  });
  return new Map(rows.map(({ code, id }) => [code, id]));
}

/** Customer with a current subscription, the oldest successful payment, and whether the customer ever had a credit. */
export type ActingCustomer = {
  readonly externalId: string;
  readonly subscriptionId: string;
  readonly transactionId: string | null;
  readonly hasCredit: boolean;
};

/** Returns the customers with a current subscription among external IDs. Runs one SQL statement. */
export const findActingCustomers = (sql: Query, externalIds: readonly string[]): Promise<ActingCustomer[]> =>
  sql<ActingCustomer>(
    `SELECT c."externalId", s.id AS "subscriptionId",
       (SELECT t.id FROM "Transaction" t WHERE t."environmentId" = $1 AND t."customerId" = c.id AND t.status = 'succeeded'
        ORDER BY t."createdAt", t.seq LIMIT 1) AS "transactionId",
       EXISTS (SELECT FROM "Lot" l WHERE l."environmentId" = $1 AND l."customerId" = c.id AND l.source = 'customer_credit') AS "hasCredit"
     FROM "Customer" c JOIN "Subscription" s ON s."environmentId" = $1 AND s."customerId" = c.id AND s.status IN ('trialing', 'active')
     WHERE c."environmentId" = $1 AND c."externalId" = ANY($2) AND c."deletedAt" IS NULL`,
    [externalIds],
  );

/** Returns true if the offer of the example shop exists. */
export const hasOfferNamed = async (ctx: Context, name: string): Promise<boolean> =>
  (await ctx.db.offer.findFirst({ where: { name, deletedAt: null }, select: { id: true } })) !== null;

/** Deletes all rows of a model in the environment. The caller must pass a valid model name, because the name becomes part of the SQL. */
export const deleteRowsOf = (sql: Query, model: string): Promise<unknown> =>
  sql(`DELETE FROM "${model}" WHERE "environmentId" = $1`);

/**
 * Resets the sandbox's clock to real time. Also resets the numbers of invoices and credit notes, and the failure
 * counts of webhook endpoints.
 */
export async function restartEnvironment(sql: Query): Promise<void> {
  await sql('UPDATE "TestClock" SET "simulatedTime" = NULL WHERE "environmentId" = $1');
  await sql(
    `UPDATE "EnvironmentCounter" SET "invoiceNumber" = 0, "creditNoteNumber" = 0, "activeSubscriptions" = 0, "limitVersion" = '',
       "limitsCallers" = FALSE WHERE "environmentId" = $1`,
  );
  // API keys keep the counts of their policies.
  await sql(`DELETE FROM "OperationGauges" WHERE "environmentId" = $1 AND id NOT LIKE 'key\\_%'`);
  await sql('UPDATE "Webhook" SET "failedInRow" = 0 WHERE "environmentId" = $1 AND "failedInRow" > 0');
}
