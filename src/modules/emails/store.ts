import type { EmailKind } from '../../domain/emails.ts';
import { isClockRunning } from '../../engine/running-clock.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { EnvironmentKey } from '../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../platform/queue/lease-table.ts';

/** A stored email. */
export type EmailRow = Row<'EmailNotification'>;

/** One to a customer about an event. */
export type CustomerEmail = EmailRow & {
  readonly kind: EmailKind;
  readonly eventId: string;
  readonly customerId: string;
};

/** Whether an email is for a customer. The kind, the event and the customer are set for these. */
export const isToCustomer = (row: EmailRow): row is CustomerEmail => row.audience === 'customer';

/** The kind of an email to a customer, which is always set. */
export function kindOf(kind: EmailKind | null): EmailKind {
  if (kind === null) throw new Error('The email is for the organization.');
  return kind;
}

/** The leases of environments by the workers that send their emails. */
export const emailLeases = leaseTable<EnvironmentKey>('EmailCursor', ['environmentId']);

/**
 * Up to `limit` environments nobody sends emails for, and no clock run works in, that have events to look at or, where `sends` says so, emails to send
 * at `now`. Reads all, locks nothing.
 */
export function findEmailWork(
  query: Query,
  now: Date,
  limit: number,
  sends: boolean,
  environmentId: string | null = null,
): Promise<EnvironmentKey[]> {
  const own = environmentOf('k', environmentId, '$4');
  return query<EnvironmentKey>(
    `SELECT k."environmentId" FROM "EmailCursor" k JOIN "EnvironmentCounter" c ON c."environmentId" = ${own}
     WHERE ${isFree('k', '$1')}
       AND (k.position < c."eventPosition" OR $3 AND (
         EXISTS (SELECT 1 FROM "EmailNotification" l WHERE l."environmentId" = ${own} AND l.status = 'pending' AND l."nextAttemptAt" <= $1)
         OR EXISTS (SELECT 1 FROM "EmailNotification" l WHERE l."environmentId" = ${own} AND l.status = 'sending')))
       AND NOT ${isClockRunning(own)} ${isWithin('k', environmentId, '$4')}
     ORDER BY k."leaseUntil" NULLS FIRST LIMIT $2`,
    [now, limit, sends, ...within(environmentId)],
  );
}

/** How far emails have come in the outbox, locked until the transaction ends; null when they are not leased to `owner`. */
export async function lockEmailCursor(sql: Query, owner: string): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT position FROM "EmailCursor" WHERE "environmentId" = $1 AND "leaseOwner" = $2 FOR UPDATE',
    [owner],
  );
  return row?.position ?? null;
}

/**
 * Locks customers against being changed by billing until the transaction ends. They come before the numbers of the environment, which
 * billing takes last: an email refers to its customer, and its insert would wait for them with the numbers taken.
 */
export async function lockRecipients(sql: Query, customerIds: readonly string[]): Promise<void> {
  await sql(
    'SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = ANY($2) ORDER BY seq FOR KEY SHARE',
    [customerIds],
  );
}

/** How many emails with a link to the portal a customer was sent since an instant. */
export async function countSince(sql: Query, customerId: string, since: Date): Promise<number> {
  const [row] = await sql<{ count: bigint }>(
    `SELECT count(*) AS count FROM "EmailNotification" WHERE "environmentId" = $1 AND "customerId" = $2 AND audience = 'portal' AND "createdAt" > $3`,
    [customerId, since],
  );
  return Number(row?.count ?? 0);
}

/** Notes how far emails have come in the outbox. */
export async function moveEmailCursor(sql: Query, position: bigint): Promise<void> {
  await sql('UPDATE "EmailCursor" SET position = $2 WHERE "environmentId" = $1', [position]);
}

/**
 * Takes up to `limit` emails due at `now` to be sent, the oldest first, each counted as an attempt, for `owner` as long as it has the lease
 * and no clock run works in the environment. From then on only `recordEmails` says what became of them.
 */
export async function claimEmails(
  sql: Query,
  owner: string,
  now: Date,
  limit: number,
): Promise<Row<'EmailNotification'>[]> {
  const rows = await sql<Row<'EmailNotification'>>(
    `UPDATE "EmailNotification" l SET status = 'sending', attempts = attempts + 1, "nextAttemptAt" = NULL
     WHERE l."environmentId" = $1 AND l.id IN (
       SELECT id FROM "EmailNotification" WHERE "environmentId" = $1 AND status = 'pending' AND "nextAttemptAt" <= $3 ORDER BY "nextAttemptAt", seq LIMIT $4)
       AND EXISTS (SELECT 1 FROM "EmailCursor" k WHERE k."environmentId" = $1 AND k."leaseOwner" = $2 AND NOT ${isClockRunning('$1')})
     RETURNING l.*`,
    [owner, now, limit],
  );
  return rows.toSorted((a, b) => Number(a.seq - b.seq));
}

/** How many emails due at `now` nobody has taken yet; counts up to `limit`. */
export async function countWaiting(sql: Query, now: Date, limit: number): Promise<number> {
  const [row] = await sql<{ waiting: bigint }>(
    `SELECT count(*) AS waiting FROM (
       SELECT 1 FROM "EmailNotification" WHERE "environmentId" = $1 AND status = 'pending' AND "nextAttemptAt" <= $2 LIMIT $3) t`,
    [now, limit],
  );
  return Number(row?.waiting ?? 0);
}

/** What became of an email that was taken to be sent. */
export type EmailRecord = Pick<
  Row<'EmailNotification'>,
  'id' | 'status' | 'subject' | 'error' | 'nextAttemptAt' | 'sentAt' | 'finishedAt'
>;

/** Stores what became of emails, in one statement. */
export async function recordEmails(sql: Query, records: readonly EmailRecord[]): Promise<void> {
  await sql(
    `UPDATE "EmailNotification" l SET status = r.status, subject = coalesce(r.subject, l.subject), error = r.error, "nextAttemptAt" = r."nextAttemptAt",
       "sentAt" = r."sentAt", "finishedAt" = r."finishedAt"
     FROM json_to_recordset($2::json) AS r(id text, status "EmailStatus", subject text, error text, "nextAttemptAt" timestamptz, "sentAt" timestamptz, "finishedAt" timestamptz)
     WHERE l."environmentId" = $1 AND l.id = r.id AND l.status IN ('sending', 'unconfirmed')`,
    [JSON.stringify(records)],
  );
}

/** Gives up emails that were being sent by a worker that is gone: nobody knows whether they went out, and none is sent twice. Answers how many. */
export async function giveUpUnconfirmed(sql: Query, error: string, now: Date): Promise<number> {
  const rows = await sql(
    `UPDATE "EmailNotification" SET status = 'unconfirmed', error = $2, "finishedAt" = $3 WHERE "environmentId" = $1 AND status = 'sending' RETURNING id`,
    [error, now],
  );
  return rows.length;
}

/** What the file of an email is named, without its ending: names grow with the order of emails. */
export const emailFileName = ({
  id,
  seq,
  kind,
}: Pick<Row<'EmailNotification'>, 'id' | 'seq' | 'kind'>): string =>
  `${String(seq).padStart(12, '0')}-${kind ?? 'organization'}-${id}`;

/** Of these invoices those someone has tried to pay. */
export async function triedInvoices(sql: Query, invoiceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ invoiceId: string }>(
    'SELECT DISTINCT "invoiceId" FROM "Transaction" WHERE "environmentId" = $1 AND "invoiceId" = ANY($2)',
    [invoiceIds],
  );
  return new Set(rows.map(({ invoiceId }) => invoiceId));
}

/** What emails can be about beside a customer: what their events name. */
export type EmailAbout = 'subscription' | 'invoice';

const namedBy = { subscription: 'e."subscriptionId"', invoice: 'e."invoiceId"' } as const;

/** The latest 1 000 emails about the events of each subscription or invoice, newest first. One statement, by the emails of their customers. */
export const readEmailsAbout = (
  sql: Query,
  about: EmailAbout,
  ids: readonly string[],
  customerIds: readonly string[],
): Promise<(EmailRow & { readonly parentId: string })[]> =>
  sql(
    `SELECT parent.id AS "parentId", page.* FROM unnest($2::text[], $3::text[]) AS parent(id, "customerId") CROSS JOIN LATERAL (
       SELECT t.* FROM "EmailNotification" t JOIN "Event" e ON e."environmentId" = t."environmentId" AND e.id = t."eventId"
       WHERE t."environmentId" = $1 AND t."customerId" = parent."customerId" AND t.audience = 'customer' AND ${namedBy[about]} = parent.id
       ORDER BY t."createdAt" DESC, t.seq DESC LIMIT 1000) AS page`,
    [ids, customerIds],
  );

/** What names the files of all emails of the environment. */
export const readEmailFiles = (
  sql: Query,
): Promise<Pick<Row<'EmailNotification'>, 'seq' | 'id' | 'kind'>[]> =>
  sql('SELECT seq, id, kind FROM "EmailNotification" WHERE "environmentId" = $1');
