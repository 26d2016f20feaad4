import type { ChargeRequest, ChargeResult } from '../domain/payments/provider.ts';
import {
  type AttemptRow,
  compared,
  newAttempt,
  withAnswer,
  withoutAnswer,
} from '../domain/subscription/payments/charge-attempt.ts';
import type { ItemDetails, Outcome } from '../domain/subscription/state/aggregate.ts';
import { columnList, insertRows, updateRows } from '../platform/db/bulk.ts';
import { wakeEnvironment } from '../platform/queue/lease.ts';
import type { Context, TransactionContext } from '../request/context.ts';

/** Provider result for an attempt, with the outcome of the resulting decision and the result of the deadline. */
export type Answered = {
  readonly id: string;
  readonly result: ChargeResult;
  readonly outcome: Outcome;
  readonly item: ItemDetails | null;
};

type Stored = Omit<AttemptRow, 'request'> & {
  readonly request: Omit<ChargeRequest, 'amountMinor'> & { readonly amountMinor: string };
};

const read = (row: Stored): AttemptRow => ({
  ...row,
  request: { ...row.request, amountMinor: BigInt(row.request.amountMinor) },
});

const written = (row: AttemptRow) => ({
  ...row,
  request: { ...row.request, amountMinor: row.request.amountMinor.toString() },
});

const columns = (): string => columnList('ChargeAttempt', 't');

/**
 * Stores provider requests in the caller's transaction before they're sent. Wakes the worker, which inquires about
 * missing results. Must be the last call in the transaction, because its last statement locks the environment's
 * lease.
 */
export async function recordAttempts(
  tx: TransactionContext,
  requests: readonly ChargeRequest[],
  isBatch: boolean,
): Promise<AttemptRow[]> {
  const { transaction, wall } = tx;
  if (requests.length === 0) return [];
  const now = wall.now();
  const rows = requests.map((request) => newAttempt(request, isBatch, now));
  await insertRows(tx.sql, 'ChargeAttempt', rows.map(written));
  const [{ inquireAt } = { inquireAt: null }] = rows;
  if (inquireAt !== null) await wakeEnvironment(transaction.query, tx.environment.id, inquireAt);
  return rows;
}

const lockAttempts = async (tx: Context, ids: readonly string[]): Promise<AttemptRow[]> =>
  (
    await tx.sql<Stored>(
      `SELECT ${columns()} FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.id FOR UPDATE`,
      [ids],
    )
  ).map(read);

/** Updates the deadline results in a clock run with the outcomes of their charges (BIL-55). */
async function correctItems(
  tx: Context,
  details: readonly ({ readonly subscriptionId: string | null } & ItemDetails)[],
): Promise<void> {
  if (details.length === 0 || tx.livemode) return;
  await tx.sql(
    `UPDATE "TestClockRunItem" t SET outcome = r.outcome, detail = r.detail
     FROM json_to_recordset($2::json) AS r("subscriptionId" text, "invoiceId" text, outcome text, detail text)
     WHERE t."environmentId" = $1 AND t."subscriptionId" = r."subscriptionId" AND t."invoiceId" = r."invoiceId"
       AND t.seq = (SELECT max(i.seq) FROM "TestClockRunItem" i
         WHERE i."environmentId" = $1 AND i."subscriptionId" = r."subscriptionId" AND i."invoiceId" = r."invoiceId")`,
    [JSON.stringify(details)],
  );
}

/**
 * Stores results with their attempts. Charges by local providers have no stored attempt. The customers must
 * be locked. Wakes the worker if a result contradicts an earlier one.
 */
export async function storeAnswers(tx: TransactionContext, answered: readonly Answered[]): Promise<void> {
  const { transaction } = tx;
  if (answered.length === 0) return;
  const now = tx.wall.now();
  const byId = new Map(answered.map((one) => [one.id, one]));
  const open = await lockAttempts(tx, [...byId.keys()]);
  const rows = open.map((row) => {
    const one = byId.get(row.id);
    const next = one === undefined ? row : withAnswer(row, one.result, one.outcome, now);
    if (next.contradiction !== row.contradiction) {
      tx.log.error(
        { attempt: row.id, contradiction: next.contradiction },
        'A gateway contradicts the stored result of an attempt.',
      );
    }
    return next;
  });
  await updateRows(tx.sql, 'ChargeAttempt', rows.map(written));
  const details = open.flatMap(({ id, isBatch, result, request }) => {
    const item = byId.get(id)?.item ?? null;
    return isBatch && result === null && item !== null
      ? [{ subscriptionId: request.subscriptionId, ...item }]
      : [];
  });
  await correctItems(tx, details);
  if (rows.some(({ contradiction }, index) => contradiction !== open[index]?.contradiction))
    await wakeEnvironment(transaction.query, tx.environment.id, now);
}

/** Postpones attempts without a result to their next inquiry time. */
export async function postpone(tx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = tx.wall.now();
  const rows = (await lockAttempts(tx, ids)).map((row) => withoutAnswer(row, now));
  await updateRows(tx.sql, 'ChargeAttempt', rows.map(written));
}

/**
 * Returns attempts that are due for an inquiry, and attempts without a result whose worker stopped. Returns at most
 * `limit` attempts, oldest first.
 */
export const readOpenAttempts = async (ctx: Context, now: Date, limit: number): Promise<AttemptRow[]> =>
  (
    await ctx.sql<Stored>(
      `SELECT ${columns()} FROM "ChargeAttempt" t
       WHERE t."environmentId" = $1 AND t."inquireAt" IS NOT NULL AND (t."inquireAt" <= $2 OR (t."isBatch" AND t.asks = 0))
       ORDER BY t."createdAt", t.id LIMIT $3`,
      [now, limit],
    )
  ).map(read);

/** Returns a charge, setup, or refund attempt by ID. `null` if the attempt doesn't exist. */
export async function findAttempt(ctx: Context, id: string): Promise<AttemptRow | null> {
  const [row] = await ctx.sql<Stored>(
    `SELECT ${columns()} FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return row === undefined ? null : read(row);
}

/**
 * Position in the list of attempts: after an attempt or, if `id` is empty, before all attempts created at
 * that time.
 */
export type AttemptPlace = Pick<AttemptRow, 'createdAt' | 'id'>;

/** Returns up to `limit` attempts after a position, or from the start, oldest first. */
export const readAttemptsAfter = async (
  ctx: Context,
  after: AttemptPlace | null,
  limit: number,
): Promise<AttemptRow[]> =>
  (
    await ctx.sql<Stored>(
      `SELECT ${columns()} FROM "ChargeAttempt" t
       WHERE t."environmentId" = $1 AND ($2::timestamptz IS NULL OR (t."createdAt", t.id) > ($2::timestamptz, $3))
       ORDER BY t."createdAt", t.id LIMIT $4`,
      [after?.createdAt ?? null, after?.id ?? '', limit],
    )
  ).map(read);

/** Returns the position of the oldest attempt that is due for reconciliation. `null` if no attempt is due. */
export async function findDueReconciliation(ctx: Context, now: Date): Promise<AttemptPlace | null> {
  const [row] = await ctx.sql<{ createdAt: Date }>(
    `SELECT t."createdAt" FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t."compareAt" <= $2 ORDER BY t."createdAt" LIMIT 1`,
    [now],
  );
  return row === undefined ? null : { createdAt: row.createdAt, id: '' };
}

/** Records that attempts were reconciled, or that their provider couldn't be reached. */
export async function recordReconciled(
  tx: Context,
  ids: readonly string[],
  isRequested: (id: string) => boolean,
): Promise<void> {
  if (ids.length === 0) return;
  const now = tx.wall.now();
  const rows = (await lockAttempts(tx, ids)).map((row) => compared(row, isRequested(row.id), now));
  await updateRows(tx.sql, 'ChargeAttempt', rows.map(written));
}

/** Returns the attempts with the given IDs. Omits attempts that don't exist. */
export const readAttempts = async (ctx: Context, ids: readonly string[]): Promise<AttemptRow[]> =>
  ids.length === 0
    ? []
    : (
        await ctx.sql<Stored>(
          `SELECT ${columns()} FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t."createdAt", t.id`,
          [ids],
        )
      ).map(read);
