import { automaticLimits } from '../../../../domain/messages/mail-limits.ts';
import { nextWhileUnverified, type Withheld } from '../../../../domain/messages/mail-permission.ts';
import { takeEach } from '../../../../platform/use-windows.ts';
import type { Context } from '../../../../request/context.ts';
import { readPermission } from '../../../organization/organizations/check-mail.ts';
import type { EmailRecord, EmailRow } from '../store.ts';

/** Reasons why emails are withheld or delayed, shown in the dashboard. */
const texts = {
  sandbox: 'A sandbox sends emails only to verified members of the organization.',
  sandboxLimit: 'The sandbox has reached its email limit.',
  unverified: 'The owner of the organization must verify an email address first.',
  limit: 'The email limit of this address or organization has been reached. The email will be sent later.',
} as const;

const open = { subject: null, error: null, nextAttemptAt: null, sentAt: null, finishedAt: null } as const;

/** Returns the record of an email with the status `kept`: the email isn't sent, but stays in the list of emails. */
const keptRecord = (ctx: Context, { id, attempts }: EmailRow, error: string): EmailRecord => ({
  ...open,
  id,
  status: 'kept',
  attempts: attempts - 1,
  error,
  finishedAt: ctx.wall.now(),
});

/** Returns the record of a delayed email. The current attempt isn't counted. */
const delayedRecord = ({ id, attempts }: EmailRow, error: string, nextAttemptAt: Date): EmailRecord => ({
  ...open,
  id,
  status: 'pending',
  attempts: attempts - 1,
  error,
  nextAttemptAt,
});

/** Returns the record of an email to a recipient whom the environment isn't allowed to email (PLT-114). */
function withheldRecord(ctx: Context, row: EmailRow, reason: Withheld): EmailRecord {
  if (reason === 'sandbox') return keptRecord(ctx, row, texts.sandbox);
  const next = nextWhileUnverified(row.createdAt, ctx.wall.now());
  return next === null ? keptRecord(ctx, row, texts.unverified) : delayedRecord(row, texts.unverified, next);
}

/**
 * Returns the emails in a batch that must not be sent now, by ID, with their records. These are emails to disallowed recipients, and emails
 * above a limit (PLT-115). An email above a limit is delayed in the live environment and kept in a sandbox. Emails that are only written to
 * files are never withheld or delayed.
 */
export async function heldBack(
  ctx: Context,
  rows: readonly EmailRow[],
): Promise<ReadonlyMap<string, EmailRecord>> {
  const { app, environment, livemode, wall } = ctx;
  if (!app.mail.leaves || rows.length === 0) return new Map();
  const permission = await readPermission(
    ctx,
    rows.map(({ recipient }) => recipient),
  );
  const records = new Map<string, EmailRecord>();
  for (const row of rows) {
    const reason = permission.withheldFrom(row.recipient);
    if (reason !== null) records.set(row.id, withheldRecord(ctx, row, reason));
  }
  const allowed = rows.filter(({ id }) => !records.has(id));
  const limitsOf = ({ recipient }: EmailRow) => [
    ...automaticLimits(environment.id, recipient),
    ...permission.limits,
  ];
  const reached = await takeEach(app.database, allowed.map(limitsOf), wall.now());
  for (const [index, row] of allowed.entries()) {
    const limit = reached[index] ?? null;
    if (limit === null) continue;
    records.set(
      row.id,
      livemode ? delayedRecord(row, texts.limit, limit.endsAt) : keptRecord(ctx, row, texts.sandboxLimit),
    );
  }
  return records;
}
