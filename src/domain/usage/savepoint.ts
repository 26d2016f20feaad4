// Undoes the movements of usage that is rejected as a whole.
import type { Usage } from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';

/**
 * Returns a function that undoes all later movements of the features of a subscription. Events must not be stored before the movements
 * are final. The counters and the account are read first, because the first use of an account can grant amounts.
 */
export function savepoint(
  book: UsageBook,
  { subject: { subscription }, nodes }: Usage,
  subjects: readonly Subject[],
): () => void {
  const ids = subjects.map((subject) => book.meterOf(subject).counter.id);
  const counters = ids.map((id) => [id, book.counters.get(id)] as const);
  const account = book.accounts.get(subscription.id);
  const topUps = new Map(book.topUps);
  const told = book.outbox.length;
  const restoreLimits = book.limits?.savepoint(subscription.id, nodes);
  return () => {
    for (const [id, counter] of counters) restoreIn(book.counters, id, counter);
    restoreIn(book.accounts, subscription.id, account);
    book.topUps.clear();
    for (const [id, topUp] of topUps) book.topUps.set(id, topUp);
    book.outbox.length = told;
    restoreLimits?.();
  };
}

function restoreIn<V>(map: Map<string, V>, id: string, value: V | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}
