import type { Context, TransactionContext } from '../context.ts';
import { type AttemptRow, compared, newAttempt, withAnswer, withoutAnswer } from '../domain/attempt.ts';
import type { ChargeRequest, ChargeResult } from '../domain/provider.ts';
import type { ItemDetails, Outcome } from '../domain/subscription/state/aggregate.ts';
import { columnList, insertRows, updateRows } from '../platform/db/bulk.ts';
import { wakeEnvironment } from '../platform/queue/lease.ts';

/** An answer to an attempt, what the decision about it achieved, and what the run item of the attempt then shows. */
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
 * Stores the requests to providers before they are made, in the transaction that writes what it is for, and wakes the worker for the inquiry
 * about what is never answered. Its last statement locks the environment's lease, so that nothing should follow in the transaction.
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

/** Lets the run items that attempts of the worker belong to show their outcomes (BIL-55). */
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

/** Keeps the answers with their attempts; what was never asked over a network has none. The customers must be locked. A contradiction wakes the worker. */
export async function keepAnswers(tx: TransactionContext, answered: readonly Answered[]): Promise<void> {
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
        'A gateway contradicts what was recorded of an attempt.',
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

/** Puts off attempts the gateway has said nothing about until their next inquiry. */
export async function postpone(tx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = tx.wall.now();
  const rows = (await lockAttempts(tx, ids)).map((row) => withoutAnswer(row, now));
  await updateRows(tx.sql, 'ChargeAttempt', rows.map(written));
}

/**
 * Attempts to inquire about: those whose time has come, and those the worker made and was stopped before it had their answers. Oldest
 * first, at most `limit`.
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

/** One attempt; null when there is none. */
export async function findAttempt(ctx: Context, id: string): Promise<AttemptRow | null> {
  const [row] = await ctx.sql<Stored>(
    `SELECT ${columns()} FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t.id = $2`,
    [id],
  );
  return row === undefined ? null : read(row);
}

/** A place in the order of attempts: behind one of them, or with an empty id before all of its instant. */
export type AttemptPlace = Pick<AttemptRow, 'createdAt' | 'id'>;

/** Attempts made after a place, or from the first, oldest first, at most `limit`. */
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

/** The place of the oldest attempt that is to be compared by an instant; null when none is. */
export async function findToCompare(ctx: Context, now: Date): Promise<AttemptPlace | null> {
  const [row] = await ctx.sql<{ createdAt: Date }>(
    `SELECT t."createdAt" FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t."compareAt" <= $2 ORDER BY t."createdAt" LIMIT 1`,
    [now],
  );
  return row === undefined ? null : { createdAt: row.createdAt, id: '' };
}

/** Notes that attempts were compared, and whether their gateways could be asked. */
export async function noteCompared(
  tx: Context,
  ids: readonly string[],
  isRequested: (id: string) => boolean,
): Promise<void> {
  if (ids.length === 0) return;
  const now = tx.wall.now();
  const rows = (await lockAttempts(tx, ids)).map((row) => compared(row, isRequested(row.id), now));
  await updateRows(tx.sql, 'ChargeAttempt', rows.map(written));
}

/** Several attempts by their ids; what does not exist is left out. */
export const readAttempts = async (ctx: Context, ids: readonly string[]): Promise<AttemptRow[]> =>
  ids.length === 0
    ? []
    : (
        await ctx.sql<Stored>(
          `SELECT ${columns()} FROM "ChargeAttempt" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t."createdAt", t.id`,
          [ids],
        )
      ).map(read);
