import { combineMs } from '../../../../domain/messages/emails.ts';
import type { BulkRow } from '../../../../platform/db/bulk.ts';
import type { Context } from '../../../../request/context.ts';
import { readCombinable, replaceEmails } from '../store.ts';

type Email = BulkRow<'EmailNotification'>;

/**
 * Combines emails about the same limit to the same recipient: the first email is sent immediately, and later emails of the next 10 minutes
 * become one email at the end of these 10 minutes, about the latest event. Returns the emails to store.
 */
export async function combineEmails(tx: Context, emails: readonly Email[], now: Date): Promise<Email[]> {
  const keys = [...new Set(emails.flatMap(({ combineKey }) => combineKey ?? []))];
  if (keys.length === 0) return [...emails];
  const recent = Map.groupBy(
    await readCombinable(tx.sql, keys, new Date(now.getTime() - combineMs)),
    ({ combineKey }) => combineKey,
  );
  const latest = new Map(emails.map((email) => [email.combineKey ?? email.id, email]));
  const stored: Email[] = [];
  const replaced: (Email & { readonly replaces: string })[] = [];
  for (const email of latest.values()) {
    const earlier = recent.get(email.combineKey ?? '') ?? [];
    const waiting = earlier.find(({ isWaiting }) => isWaiting);
    const first = earlier[0];
    if (waiting !== undefined) replaced.push({ ...email, replaces: waiting.id });
    else if (first === undefined) stored.push(email);
    else stored.push({ ...email, nextAttemptAt: new Date(first.createdAt.getTime() + combineMs) });
  }
  await replaceEmails(tx.sql, replaced);
  return stored;
}
