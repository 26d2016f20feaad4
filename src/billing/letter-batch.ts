import type { Context } from '../context.ts';
import { nextLetterAt } from '../domain/letters.ts';
import { claimLetters, type LetterRecord, recordLetters } from '../infra/letter-rows.ts';
import { faultOf, type MailFault } from '../infra/mail.ts';
import type { Row } from '../infra/rows.ts';
import { readOrganization } from '../modules/organizations/service.ts';
import { type Draft, draftLetters } from './letter-facts.ts';

/** Letters taken at once; they go out beside each other. */
const batchSize = 20;

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

async function sendOne(ctx: Context, row: Row<'Letter'>, draft: Draft): Promise<LetterRecord> {
  const { id } = row;
  if ('canceled' in draft) return { ...open, id, status: 'canceled', error: draft.canceled, finishedAt: ctx.wall.now() };
  const { subject } = draft.letter;
  try {
    await ctx.app.mail.send(draft.letter);
    const sentAt = ctx.wall.now();
    return { ...open, id, status: 'sent', subject, sentAt, finishedAt: sentAt };
  } catch (error) {
    return failedRecord(ctx, row, error, faultOf(error), subject);
  }
}

/**
 * Sends the letters of an environment leased to `owner` that are due, one batch: they are taken first, each under its own commit, so that none
 * is sent twice whatever happens, and what became of them is stored afterwards. A mail server that cannot be reached is asked again with
 * back-off; what it refuses, and what it may have taken without saying so, is given up. Letters taken when the organization writes to nobody
 * any more are canceled (PLT-9). Answers how many were taken.
 */
export async function sendLetters(ctx: Context, owner: string): Promise<number> {
  const rows = await claimLetters(ctx.sql, owner, ctx.wall.now(), batchSize);
  if (rows.length === 0) return 0;
  const records = await draftWanted(ctx, rows).then(
    (draftOf) => Promise.all(rows.map((row) => sendOne(ctx, row, draftOf(row)))),
    // None was handed over yet.
    (error: unknown) => rows.map((row) => failedRecord(ctx, row, error, 'unreached', null)),
  );
  for (const { status } of records) ctx.app.mail.ended(status === 'pending' ? 'delayed' : status);
  await recordLetters(ctx.sql, records);
  return rows.length;
}
