import type { Context } from '../context.ts';
import { nextLetterAt } from '../domain/letters.ts';
import { claimLetters, countWaiting, type LetterRecord, letterFileName, recordLetters } from '../infra/letter-rows.ts';
import { faultOf, type MailFault } from '../infra/mail.ts';
import type { Row } from '../infra/rows.ts';
import { readOrganization } from '../modules/organizations/service.ts';
import { type Draft, draftLetters } from './letter-facts.ts';

/**
 * Letters taken at once. Of those a mail server is to get, few: nobody knows of the ones under way when a process dies, and none is sent twice.
 */
const batchSizes = { server: 20, files: 250 } as const;

/** Files written beside each other. */
const filesAtOnce = 8;

/** How much of what a mail server says is kept. */
const errorLength = 1_000;

const open = { subject: null, error: null, nextAttemptAt: null, sentAt: null, finishedAt: null } as const;

/** What an attempt that failed makes of its letter: tried again later, or given up. */
function failedRecord(ctx: Context, row: Row<'Letter'>, error: unknown, fault: MailFault, subject: string | null): LetterRecord {
  const { id, attempts } = row;
  const now = ctx.wall.now();
  const text = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
  const nextAttemptAt = fault === 'unreached' ? nextLetterAt(attempts, now) : null;
  if (nextAttemptAt !== null) return { ...open, id, status: 'pending', subject, error: text, nextAttemptAt };
  ctx.log.warn({ err: error, letterId: id, attempts }, 'A letter to a customer was given up.');
  return { ...open, id, status: fault === 'doubtful' ? 'unconfirmed' : 'failed', subject, error: text, finishedAt: now };
}

/** The letters in order as they are to be sent, as far as the organization wants them. */
async function draftWanted(ctx: Context, rows: readonly Row<'Letter'>[]): Promise<(row: Row<'Letter'>) => Draft> {
  const organization = await readOrganization(ctx);
  const wanted = rows.filter(({ kind }) => organization.customerEmails && !organization.mutedLetters.includes(kind));
  const drafts = await draftLetters(ctx, organization, wanted);
  const byId = new Map(wanted.map(({ id }, index) => [id, drafts[index]]));
  return ({ id }) => byId.get(id) ?? { canceled: 'The organization does not want it sent.' };
}

/** A letter taken with the text it is to have; whether it is handed over, or would make room for newer ones at once. */
type Taken = { readonly row: Row<'Letter'>; readonly draft: Draft; readonly isKept: boolean };

async function sendOne(ctx: Context, { row, draft, isKept }: Taken): Promise<LetterRecord> {
  const { id } = row;
  if ('canceled' in draft) return { ...open, id, status: 'canceled', error: draft.canceled, finishedAt: ctx.wall.now() };
  const { subject } = draft.letter;
  try {
    const file = { folder: ctx.environment.id, name: letterFileName(row) };
    if (isKept) await ctx.app.mail.send({ ...draft.letter, file });
    const sentAt = ctx.wall.now();
    return { ...open, id, status: 'sent', subject, sentAt, finishedAt: sentAt };
  } catch (error) {
    return failedRecord(ctx, row, error, faultOf(error), subject);
  }
}

/** Sends letters taken by one batch: all at once where a mail server queues them, few at once where they become files. */
async function sendAll(ctx: Context, taken: readonly Taken[]): Promise<LetterRecord[]> {
  const send = (one: Taken) => sendOne(ctx, one);
  if (ctx.app.mail.keeps === null) return Promise.all(taken.map(send));
  const records: LetterRecord[] = [];
  for (let at = 0; at < taken.length; at += filesAtOnce) {
    records.push(...(await Promise.all(taken.slice(at, at + filesAtOnce).map(send))));
  }
  return records;
}

/**
 * Sends the letters of an environment leased to `owner` that are due, one batch: they are taken first, each under its own commit, so that none
 * is sent twice whatever happens, and what became of them is stored afterwards. A mail server that cannot be reached is asked again with
 * back-off; what it refuses, and what it may have taken without saying so, is given up. Letters taken when the organization writes to nobody
 * any more are canceled (PLT-9). Without a mail server the newest are kept as files; those that would make room for newer ones already waiting
 * are not even written. Answers how many were taken.
 */
export async function sendLetters(ctx: Context, owner: string): Promise<number> {
  const { keeps } = ctx.app.mail;
  const now = ctx.wall.now();
  const rows = await claimLetters(ctx.sql, owner, now, keeps === null ? batchSizes.server : batchSizes.files);
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
  await recordLetters(ctx.sql, records);
  return rows.length;
}
