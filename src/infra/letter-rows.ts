import type { Query } from './db.ts';
import type { Row } from './rows.ts';

/** Whether a clock run of the environment of `row` is at work: its letters wait, so that they do not compete with it. */
const isRunning = (row: string): string =>
  `EXISTS (SELECT 1 FROM "TestClockRun" r WHERE r."environmentId" = ${row}."environmentId" AND r.status IN ('pending', 'running'))`;

/**
 * Up to `limit` environments nobody writes letters for, and no clock run works in, that have events to look at or letters to send at `now`.
 * Reads all, locks nothing.
 */
export async function findLetterWork(query: Query, now: Date, limit: number): Promise<string[]> {
  const rows = await query<{ environmentId: string }>(
    `SELECT k."environmentId" FROM "LetterCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = k."environmentId"
     WHERE (k."leaseUntil" IS NULL OR k."leaseUntil" <= $1)
       AND (k.position < c."eventPosition"
         OR EXISTS (SELECT 1 FROM "Letter" l WHERE l."environmentId" = k."environmentId" AND l.status = 'pending' AND l."nextAttemptAt" <= $1)
         OR EXISTS (SELECT 1 FROM "Letter" l WHERE l."environmentId" = k."environmentId" AND l.status = 'sending'))
       AND NOT ${isRunning('k')}
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit],
  );
  return rows.map(({ environmentId }) => environmentId);
}

/** Leases the letters of an environment until `until`; false when somebody else was faster. `sql` has the environment as $1. */
export async function leaseLetters(sql: Query, owner: string, now: Date, until: Date): Promise<boolean> {
  const rows = await sql(
    `UPDATE "LetterCursor" SET "leaseOwner" = $2, "leaseUntil" = $4
     WHERE "environmentId" = $1 AND ("leaseUntil" IS NULL OR "leaseUntil" <= $3) RETURNING position`,
    [owner, now, until],
  );
  return rows.length === 1;
}

/** Keeps the lease until `until`; false when it has passed to another worker. */
export async function extendLetterLease(sql: Query, owner: string, until: Date): Promise<boolean> {
  const rows = await sql(
    'UPDATE "LetterCursor" SET "leaseUntil" = $3 WHERE "environmentId" = $1 AND "leaseOwner" = $2 RETURNING position',
    [owner, until],
  );
  return rows.length === 1;
}

/** Gives the letters back at `now`; those that have passed to another worker are left alone. */
export async function releaseLetters(sql: Query, owner: string, now: Date): Promise<void> {
  await sql('UPDATE "LetterCursor" SET "leaseOwner" = NULL, "leaseUntil" = $3 WHERE "environmentId" = $1 AND "leaseOwner" = $2', [
    owner,
    now,
  ]);
}

/** Ends all leases of letters: where there is one process only, whoever held them is gone. */
export async function forgetLetterLeases(query: Query): Promise<void> {
  await query(
    `UPDATE "LetterCursor" SET "leaseOwner" = NULL, "leaseUntil" = NULL WHERE "environmentId" <> '' AND "leaseOwner" IS NOT NULL`,
  );
}

/** How far letters have come in the outbox, locked until the transaction ends; null when they are not leased to `owner`. */
export async function lockLetterCursor(sql: Query, owner: string): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT position FROM "LetterCursor" WHERE "environmentId" = $1 AND "leaseOwner" = $2 FOR UPDATE',
    [owner],
  );
  return row?.position ?? null;
}

/** Notes how far letters have come in the outbox. */
export async function moveLetterCursor(sql: Query, position: bigint): Promise<void> {
  await sql('UPDATE "LetterCursor" SET position = $2 WHERE "environmentId" = $1', [position]);
}

/**
 * Takes up to `limit` letters due at `now` to be sent, the oldest first, each counted as an attempt, for `owner` as long as it has the lease
 * and no clock run works in the environment. From then on only `recordLetters` says what became of them.
 */
export async function claimLetters(sql: Query, owner: string, now: Date, limit: number): Promise<Row<'Letter'>[]> {
  const rows = await sql<Row<'Letter'>>(
    `UPDATE "Letter" l SET status = 'sending', attempts = attempts + 1, "nextAttemptAt" = NULL
     WHERE l."environmentId" = $1 AND l.id IN (
       SELECT id FROM "Letter" WHERE "environmentId" = $1 AND status = 'pending' AND "nextAttemptAt" <= $3 ORDER BY "nextAttemptAt", seq LIMIT $4)
       AND EXISTS (SELECT 1 FROM "LetterCursor" k WHERE k."environmentId" = $1 AND k."leaseOwner" = $2 AND NOT ${isRunning('k')})
     RETURNING l.*`,
    [owner, now, limit],
  );
  return rows.toSorted((a, b) => Number(a.seq - b.seq));
}

/** How many letters due at `now` nobody has taken yet; counts up to `limit`. */
export async function countWaiting(sql: Query, now: Date, limit: number): Promise<number> {
  const [row] = await sql<{ waiting: bigint }>(
    `SELECT count(*) AS waiting FROM (
       SELECT 1 FROM "Letter" WHERE "environmentId" = $1 AND status = 'pending' AND "nextAttemptAt" <= $2 LIMIT $3) t`,
    [now, limit],
  );
  return Number(row?.waiting ?? 0);
}

/** What became of a letter that was taken to be sent. */
export type LetterRecord = Pick<Row<'Letter'>, 'id' | 'status' | 'subject' | 'error' | 'nextAttemptAt' | 'sentAt' | 'finishedAt'>;

/** Stores what became of letters, in one statement. */
export async function recordLetters(sql: Query, records: readonly LetterRecord[]): Promise<void> {
  await sql(
    `UPDATE "Letter" l SET status = r.status, subject = coalesce(r.subject, l.subject), error = r.error, "nextAttemptAt" = r."nextAttemptAt",
       "sentAt" = r."sentAt", "finishedAt" = r."finishedAt"
     FROM json_to_recordset($2::json) AS r(id text, status "LetterStatus", subject text, error text, "nextAttemptAt" timestamptz, "sentAt" timestamptz, "finishedAt" timestamptz)
     WHERE l."environmentId" = $1 AND l.id = r.id AND l.status IN ('sending', 'unconfirmed')`,
    [JSON.stringify(records)],
  );
}

/** Gives up letters that were being sent by a worker that is gone: nobody knows whether they went out, and none is sent twice. Answers how many. */
export async function giveUpUnconfirmed(sql: Query, error: string, now: Date): Promise<number> {
  const rows = await sql(
    `UPDATE "Letter" SET status = 'unconfirmed', error = $2, "finishedAt" = $3 WHERE "environmentId" = $1 AND status = 'sending' RETURNING id`,
    [error, now],
  );
  return rows.length;
}

/** What the file of a letter is named, without its ending: names grow with the order of letters. */
export const letterFileName = ({ id, seq, kind }: Pick<Row<'Letter'>, 'id' | 'seq' | 'kind'>): string =>
  `${String(seq).padStart(12, '0')}-${kind}-${id}`;

/** Of these invoices those somebody has tried to pay. */
export async function triedInvoices(sql: Query, invoiceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ invoiceId: string }>(
    'SELECT DISTINCT "invoiceId" FROM "Transaction" WHERE "environmentId" = $1 AND "invoiceId" = ANY($2)',
    [invoiceIds],
  );
  return new Set(rows.map(({ invoiceId }) => invoiceId));
}
