import { takeNumbers } from '../../../outbox/write.ts';
import { insertRows } from '../../../platform/db/bulk.ts';
import { newId } from '../../../platform/ids.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import type { Context } from '../../../request/context.ts';
import type { EmailRow } from './store.ts';
import { combineEmails } from './worker/combine.ts';

/** Columns of a stored email whose values the sender of the email chooses. */
type StoredEmail = Pick<EmailRow, 'audience' | 'customerId' | 'recipient' | 'subject' | 'content'> &
  Partial<Pick<EmailRow, 'combineKey'>>;

/**
 * Stores emails to the environment's organization in the open transaction. They're sent after the commit and retried like customer emails.
 * If the installation doesn't send emails, they're stored as canceled.
 */
export const emailOrganization = (tx: Context, emails: readonly MailMessage[]): Promise<void> =>
  storeEmails(
    tx,
    emails.map(({ to, subject, text, html }) => ({
      audience: 'organization',
      customerId: null,
      recipient: to,
      subject,
      content: { text, ...(html === undefined ? {} : { html }) },
    })),
  );

/** Stores emails to send after the open transaction commits. */
export async function storeEmails(tx: Context, emails: readonly StoredEmail[]): Promise<void> {
  const { transaction } = tx;
  if (transaction === null) throw new Error('Emails are stored inside a transaction.');
  if (emails.length === 0) return;
  const { seq } = await takeNumbers(transaction.query, tx.environment.id, { seq: emails.length });
  const now = tx.wall.now();
  const { delivers } = tx.app.mail;
  const rows = await combineEmails(
    tx,
    emails.map((email, index) => ({
      combineKey: null,
      ...email,
      id: newId('eml'),
      seq: seq + BigInt(index),
      kind: null,
      eventId: null,
      status: delivers ? ('pending' as const) : ('canceled' as const),
      attempts: 0,
      nextAttemptAt: delivers ? now : null,
      error: delivers ? null : "This installation doesn't send emails.",
      createdAt: now,
      sentAt: null,
      finishedAt: delivers ? null : now,
    })),
    now,
  );
  await insertRows(tx.sql, 'EmailNotification', rows);
}
