import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { nextEmailAt } from '../../../domain/emails.ts';
import { faultOf, type MailFault } from '../../../platform/mail.ts';
import { readOrganization } from '../../organizations/store.ts';
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
import { draftPortalLink } from './portal-link.ts';

/**
 * Emails taken at once. Of those a mail server is to get, few: nobody knows of the ones under way when a process dies, and none is sent twice.
 */
const batchSizes = { server: 20, files: 250 } as const;

/** Files written beside each other. */
const filesAtOnce = 8;

/** How much of what a mail server says is kept. */
const errorLength = 1_000;

const open = { subject: null, error: null, nextAttemptAt: null, sentAt: null, finishedAt: null } as const;

/** What an attempt that failed makes of its email: tried again later, or given up. */
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
  ctx.log.warn({ err: error, emailId: id, attempts }, 'An email was given up.');
  return {
    ...open,
    id,
    status: fault === 'doubtful' ? 'unconfirmed' : 'failed',
    subject,
    error: text,
    finishedAt: now,
  };
}

/** An email to the organization as it was written. */
function organizationEmail({ id, recipient, subject, content }: EmailRow): Draft {
  if (content === null) throw new Error(`The email ${id} has no content.`);
  return { notification: { to: recipient, subject: subject ?? '', ...content } };
}

/** The emails as they are to be sent, those to customers as far as the organization wants them. */
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
      ? (byId.get(row.id) ?? { canceled: 'The organization does not want it sent.' })
      : organizationEmail(row);
}

/** An email taken with the text it is to have; whether it is handed over, or would make room for newer ones at once. */
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

/** Sends emails taken by one batch: all at once where a mail server queues them, few at once where they become files. */
function sendAll(ctx: Context, taken: readonly Taken[]): Promise<EmailRecord[]> {
  const atOnce = pLimit(ctx.app.mail.keeps === null ? batchSizes.server : filesAtOnce);
  return atOnce.map(taken, (one) => sendOne(ctx, one));
}

/**
 * Sends the emails of an environment leased to `owner` that are due, one batch: they are taken first, each under its own commit, so that none
 * is sent twice whatever happens, and what became of them is stored afterwards. A mail server that cannot be reached is asked again with
 * back-off; what it rejects, and what it may have taken without saying so, is given up. Emails to customers taken when the organization writes to nobody
 * any more are canceled (PLT-9). Without a mail server the newest are kept as files; those that would make room for newer ones already waiting
 * are not even written. Answers how many were taken.
 */
export async function sendEmails(ctx: Context, owner: string): Promise<number> {
  const { keeps } = ctx.app.mail;
  const now = ctx.wall.now();
  const rows = await claimEmails(ctx.sql, owner, now, keeps === null ? batchSizes.server : batchSizes.files);
  if (rows.length === 0) return 0;
  const waiting = keeps === null ? 0 : await countWaiting(ctx.sql, now, keeps);
  const isKept = (index: number): boolean => keeps === null || rows.length - 1 - index + waiting < keeps;
  const records = await draftWanted(ctx, rows).then(
    (draftOf) =>
      sendAll(
        ctx,
        rows.map((row, index) => ({ row, draft: draftOf(row), isKept: isKept(index) })),
      ),
    // None was handed over yet.
    (error: unknown) => rows.map((row) => failedRecord(ctx, row, error, 'unreached', null)),
  );
  for (const { status } of records) ctx.app.mail.ended(status === 'pending' ? 'delayed' : status);
  await recordEmails(ctx.sql, records);
  return rows.length;
}
