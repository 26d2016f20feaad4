// Undoes the movements of usage that is rejected as a whole.
import type { LimitNode } from '../limits/admission.ts';
import type { Usage } from './attempt.ts';
import type { Subject, UsageBook } from './book.ts';
import type { UsageLimits } from './usage-limits.ts';

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
  const events = book.outbox.length;
  const restoreLimits = book.limits === null ? null : limitsSavepoint(book.limits, subscription.id, nodes);
  return () => {
    for (const [id, counter] of counters) restoreIn(book.counters, id, counter);
    restoreIn(book.accounts, subscription.id, account);
    book.topUps.clear();
    for (const [id, topUp] of topUps) book.topUps.set(id, topUp);
    book.outbox.length = events;
    restoreLimits?.();
  };
}

/** Returns a function that undoes all later changes of limits by movements of a subscription along the nodes. */
function limitsSavepoint(
  { rows, approvals, lines }: UsageLimits,
  subscriptionId: string,
  nodes: readonly LimitNode[],
): () => void {
  const { states, newBudgets, crossings, shared } = rows;
  const before = nodes.map(({ id }) => [id, states.get(id)] as const);
  const lists = [crossings, rows.approvals, approvals].map((list) => [list, list.length] as const);
  const budgets = newBudgets.created.length;
  const restoreShared = shared.savepoint();
  return () => {
    for (const [id, state] of before) restoreIn(states, id, state);
    for (const [list, length] of lists) list.length = length;
    newBudgets.uncreate(budgets);
    restoreShared();
    lines.forget(subscriptionId);
  };
}

function restoreIn<V>(map: Map<string, V>, id: string, value: V | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}
