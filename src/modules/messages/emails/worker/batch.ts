import pLimit from 'p-limit';
import { nextEmailAt } from '../../../../domain/messages/emails.ts';
import { faultOf, type MailFault } from '../../../../platform/mail.ts';
import type { Context } from '../../../../request/context.ts';
import { readOrganization } from '../../../organization/organizations/store.ts';
import {
  claimEmails,
  countWaiting,
  type EmailRecord,
  type EmailRow,
  emailFileName,
  isToCustomer,
  recordEmails,
} from '../store.ts';
import { type Draft, draftEmails } from './content.ts';
import { heldBack } from './hold-back.ts';
import { draftPortalLink } from './portal-link.ts';

/**
 * Maximum number of emails in a batch. Small if a mail server is used, because the emails of a batch aren't sent again if the process dies
 * while sending the batch.
 */
const batchSizes = { server: 20, files: 250 } as const;

const filesAtOnce = 8;

/** Maximum length of a stored error from the mail server. */
const errorLength = 1_000;

const open = { subject: null, error: null, nextAttemptAt: null, sentAt: null, finishedAt: null } as const;

/** Returns the result of a failed attempt: the email is retried later, or gets the status `failed` or `unconfirmed`. */
function failedRecord(
  ctx: Context,
  row: EmailRow,
  error: unknown,
  fault: MailFault,
  subject: string | null,
): EmailRecord {
  const { id, attempts } = row;
  const now = ctx.wall.now();
  const text = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
  const nextAttemptAt = fault === 'unreached' ? nextEmailAt(attempts, now) : null;
  if (nextAttemptAt !== null) return { ...open, id, status: 'pending', subject, error: text, nextAttemptAt };
  ctx.log.warn({ err: error, emailId: id, attempts }, 'An email failed permanently.');
  return {
    ...open,
    id,
    status: fault === 'doubtful' ? 'unconfirmed' : 'failed',
    subject,
    error: text,
    finishedAt: now,
  };
}

/** Returns the draft of a stored email to the organization. */
function organizationEmail({ id, recipient, subject, content }: EmailRow): Draft {
  if (content === null) throw new Error(`The email ${id} has no content.`);
  return { notification: { to: recipient, subject: subject ?? '', ...content } };
}

/** Returns a function that renders emails and cancels customer emails that the organization turned off. */
async function draftWanted(ctx: Context, rows: readonly EmailRow[]): Promise<(row: EmailRow) => Draft> {
  const toCustomers = rows.filter(isToCustomer);
  const links = rows.filter(({ audience }) => audience === 'portal');
  if (toCustomers.length + links.length === 0) return organizationEmail;
  const organization = await readOrganization(ctx);
  const wanted = toCustomers.filter(
    ({ kind }) => organization.customerEmails && !organization.mutedEmailKinds.includes(kind),
  );
  const drafts = await draftEmails(ctx, organization, wanted);
  const byId = new Map(wanted.map(({ id }, index) => [id, drafts[index]]));
  for (const row of links) byId.set(row.id, await draftPortalLink(ctx, organization, row));
  return (row) =>
    row.audience !== 'organization'
      ? (byId.get(row.id) ?? { canceled: 'The organization turned off emails of this type.' })
      : organizationEmail(row);
}

/** Claimed email with its draft. `isKept` is `false` if newer emails would immediately replace the email's file. */
type Taken = { readonly row: EmailRow; readonly draft: Draft; readonly isKept: boolean };

async function sendOne(ctx: Context, { row, draft, isKept }: Taken): Promise<EmailRecord> {
  const { id } = row;
  if ('canceled' in draft)
    return { ...open, id, status: 'canceled', error: draft.canceled, finishedAt: ctx.wall.now() };
  const { subject } = draft.notification;
  try {
    const file = { folder: ctx.environment.id, name: emailFileName(row) };
    if (isKept) await ctx.app.mail.send({ ...draft.notification, file });
    const sentAt = ctx.wall.now();
    return { ...open, id, status: 'sent', subject, sentAt, finishedAt: sentAt };
  } catch (error) {
    return failedRecord(ctx, row, error, faultOf(error), subject);
  }
}

/** Returns a function that renders the claimed emails, and the emails to withhold or delay. */
async function admitAndDraft(ctx: Context, rows: readonly EmailRow[]) {
  const draftOf = await draftWanted(ctx, rows);
  // Canceled emails don't count toward a limit.
  const wanted = rows.filter((row) => !('canceled' in draftOf(row)));
  return { draftOf, held: await heldBack(ctx, wanted) };
}

/**
 * Sends the claimed emails in a batch. A mail server receives all emails at the same time, because the server queues emails. Files are
 * written a few at a time.
 */
function sendAll(ctx: Context, taken: readonly Taken[]): Promise<EmailRecord[]> {
  const atOnce = pLimit(ctx.app.mail.keeps === null ? batchSizes.server : filesAtOnce);
  return atOnce.map(taken, (one) => sendOne(ctx, one));
}

/**
 * Sends one batch of due emails in an environment leased to `owner`, and returns the number of claimed emails. A separate commit claims the
 * emails first, so that no email is sent twice; the results are stored at the end. If the mail server is unreachable, emails are retried
 * with back-off. Emails that the server rejected, or may have accepted without confirmation, aren't retried. Customer emails are canceled
 * if the organization turned them off (PLT-9). Without a mail server, only the newest emails are written to files.
 */
export async function sendEmails(ctx: Context, owner: string): Promise<number> {
  const { keeps } = ctx.app.mail;
  const now = ctx.wall.now();
  const rows = await claimEmails(ctx.sql, owner, now, keeps === null ? batchSizes.server : batchSizes.files);
  if (rows.length === 0) return 0;
  const waiting = keeps === null ? 0 : await countWaiting(ctx.sql, now, keeps);
  const isKept = (index: number): boolean => keeps === null || rows.length - 1 - index + waiting < keeps;
  const records = await admitAndDraft(ctx, rows).then(
    async ({ held, draftOf }) => [
      ...held.values(),
      ...(await sendAll(
        ctx,
        rows.flatMap((row, index) =>
          held.has(row.id) ? [] : [{ row, draft: draftOf(row), isKept: isKept(index) }],
        ),
      )),
    ],
    // At this point, no email has reached the mail server.
    (error: unknown) => rows.map((row) => failedRecord(ctx, row, error, 'unreached', null)),
  );
  for (const { status } of records) ctx.app.mail.ended(status === 'pending' ? 'delayed' : status);
  await recordEmails(ctx.sql, records);
  return rows.length;
}
