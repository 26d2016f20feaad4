import type { EmailKind } from '../../../domain/messages/emails.ts';
import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import { isClockRunning } from '../../../engine/running-clock.ts';
import { textArray } from '../../../platform/db/column-arrays.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { EnvironmentKey } from '../../../platform/queue/lease.ts';
import { environmentOf, isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import type { Context } from '../../../request/context.ts';

export type EmailRow = Row<'EmailNotification'>;

/** Email to a customer about an event. */
export type CustomerEmail = EmailRow & {
  readonly kind: EmailKind;
  readonly eventId: string;
  readonly customerId: string;
};

/** True for an email to a customer. Such an email has a kind, an event, and a customer. */
export const isToCustomer = (row: EmailRow): row is CustomerEmail => row.audience === 'customer';

/** Returns the kind of a customer email. Throws for an email to the organization. */
export function kindOf(kind: EmailKind | null): EmailKind {
  if (kind === null) throw new Error('The email is for the organization.');
  return kind;
}

/** Leases of environments for the workers that send emails. */
export const emailLeases = leaseTable<EnvironmentKey>('EmailCursor', ['environmentId']);

/**
 * Returns up to `limit` environments without a lease or a clock run in progress. Each of them has new events or, if
 * `sends` is `true`, emails due at `now`. Reads all environments without locks.
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

/**
 * Locks the environment's email cursor until the transaction ends and returns the cursor's outbox position. `null` if the emails aren't
 * leased to `owner`.
 */
export async function lockEmailCursor(sql: Query, owner: string): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint }>(
    'SELECT position FROM "EmailCursor" WHERE "environmentId" = $1 AND "leaseOwner" = $2 FOR UPDATE',
    [owner],
  );
  return row?.position ?? null;
}

/**
 * Locks customers against billing changes until the transaction ends. Call this function before taking sequence numbers
 * in the environment, because billing also locks customers before it takes sequence numbers. Inserting an email
 * requires the customer's lock. Without this call, the insert could wait for the lock while the transaction already has
 * the sequence numbers.
 */
export async function lockRecipients(sql: Query, customerIds: readonly string[]): Promise<void> {
  await sql(
    'SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = ANY($2) ORDER BY seq FOR KEY SHARE',
    [customerIds],
  );
}

/** Returns the customers whose subscription gives access. */
export async function findHolders(
  ctx: Context,
  customerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = await ctx.db.subscription.findMany({
    where: { customerId: { in: [...customerIds] }, status: { in: [...accessStatuses] } },
    select: { customerId: true },
  });
  return new Set(held.map(({ customerId }) => customerId));
}

/** Moves the environment's email cursor to an outbox position. */
export async function moveEmailCursor(sql: Query, position: bigint): Promise<void> {
  await sql('UPDATE "EmailCursor" SET position = $2 WHERE "environmentId" = $1', [position]);
}

/**
 * Claims up to `limit` emails due at `now`, oldest first, and increments their attempt counts. Requires that `owner` holds the lease and
 * that no clock run is active in the environment. Until `recordEmails` stores the result, no other code changes their status.
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

/** Counts the unclaimed emails that are due at `now`, up to `limit`. */
export async function countWaiting(sql: Query, now: Date, limit: number): Promise<number> {
  const [row] = await sql<{ waiting: bigint }>(
    `SELECT count(*) AS waiting FROM (
       SELECT 1 FROM "EmailNotification" WHERE "environmentId" = $1 AND status = 'pending' AND "nextAttemptAt" <= $2 LIMIT $3) t`,
    [now, limit],
  );
  return Number(row?.waiting ?? 0);
}

/** Result of an attempt to send a claimed email. */
export type EmailRecord = Pick<
  Row<'EmailNotification'>,
  'id' | 'status' | 'subject' | 'error' | 'nextAttemptAt' | 'sentAt' | 'finishedAt'
> & {
  /** Number of attempts to send the email so far. Defaults to the number that was stored when the email was claimed. */
  readonly attempts?: number;
};

/** Stores the results of attempts to send emails. Runs one SQL statement. */
export async function recordEmails(sql: Query, records: readonly EmailRecord[]): Promise<void> {
  await sql(
    `UPDATE "EmailNotification" l SET status = r.status, subject = coalesce(r.subject, l.subject), attempts = coalesce(r.attempts, l.attempts), error = r.error, "nextAttemptAt" = r."nextAttemptAt",
       "sentAt" = r."sentAt", "finishedAt" = r."finishedAt"
     FROM json_to_recordset($2::json) AS r(id text, status "EmailStatus", subject text, attempts int, error text, "nextAttemptAt" timestamptz, "sentAt" timestamptz, "finishedAt" timestamptz)
     WHERE l."environmentId" = $1 AND l.id = r.id AND l.status IN ('sending', 'unconfirmed')`,
    [JSON.stringify(records)],
  );
}

/**
 * Marks emails that a worker was sending when it died as `unconfirmed`. These emails aren't sent again, because the mail server may have
 * accepted them. Returns the number of emails.
 */
export async function endUnconfirmed(sql: Query, error: string, now: Date): Promise<number> {
  const rows = await sql(
    `UPDATE "EmailNotification" SET status = 'unconfirmed', error = $2, "finishedAt" = $3 WHERE "environmentId" = $1 AND status = 'sending' RETURNING id`,
    [error, now],
  );
  return rows.length;
}

/** Recent email that later emails can be combined with. `isWaiting` is `true` if it hasn't been sent yet. */
type Combinable = {
  readonly id: string;
  readonly combineKey: string;
  readonly createdAt: Date;
  readonly isWaiting: boolean;
};

/** Reads the emails with these keys that were created after a time, oldest first. */
export const readCombinable = (
  sql: Query,
  keys: readonly string[],
  after: Date,
): Promise<readonly Combinable[]> =>
  sql<Combinable>(
    `SELECT t.id, t."combineKey", t."createdAt", t.status = 'pending' AS "isWaiting"
     FROM unnest($2::text[]) AS named(key) CROSS JOIN LATERAL (
       SELECT * FROM "EmailNotification" WHERE "environmentId" = $1 AND "combineKey" = named.key AND "createdAt" > $3
       ORDER BY "createdAt" OFFSET 0) t ORDER BY t."createdAt"`,
    [textArray(keys), after],
  );

/** Replaces the content of waiting emails by later emails with the same key. */
export async function replaceEmails(
  sql: Query,
  emails: readonly (Pick<EmailRow, 'eventId' | 'subject' | 'content'> & { readonly replaces: string })[],
): Promise<void> {
  if (emails.length === 0) return;
  await sql(
    `UPDATE "EmailNotification" t SET "eventId" = r."eventId", subject = r.subject, content = r.content
     FROM json_to_recordset($2::json) AS r(replaces text, "eventId" text, subject text, content jsonb)
     WHERE t."environmentId" = $1 AND t.id = r.replaces AND t.status = 'pending'`,
    [
      JSON.stringify(
        emails.map(({ replaces, eventId, subject, content }) => ({ replaces, eventId, subject, content })),
      ),
    ],
  );
}

/** File name for an email without the extension. Sorting the names sorts the emails chronologically. */
export const emailFileName = ({
  id,
  seq,
  kind,
}: Pick<Row<'EmailNotification'>, 'id' | 'seq' | 'kind'>): string =>
  `${String(seq).padStart(12, '0')}-${kind ?? 'organization'}-${id}`;

/** Returns the invoices with at least one payment attempt. */
export async function triedInvoices(sql: Query, invoiceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ invoiceId: string }>(
    'SELECT DISTINCT "invoiceId" FROM "Transaction" WHERE "environmentId" = $1 AND "invoiceId" = ANY($2)',
    [invoiceIds],
  );
  return new Set(rows.map(({ invoiceId }) => invoiceId));
}

/** Type of the object, other than a customer, that an email refers to. The email's event determines the object. */
export type EmailAbout = 'subscription' | 'invoice';

const namedBy = { subscription: 'e."subscriptionId"', invoice: 'e."invoiceId"' } as const;

/**
 * Reads the latest 1,000 emails about each subscription or invoice, newest first. Runs one SQL statement on the emails
 * of the objects' customers.
 */
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

/** Reads the data for the file names of all emails in the environment. */
export const readEmailFiles = (
  sql: Query,
): Promise<Pick<Row<'EmailNotification'>, 'seq' | 'id' | 'kind'>[]> =>
  sql('SELECT seq, id, kind FROM "EmailNotification" WHERE "environmentId" = $1');
