// In-memory versions of the loading conditions. Each filter returns the rows that would be found if the
// aggregate were loaded again. Filters run in the order of `tables.ts`, so earlier fields are already
// filtered.
import type { Aggregate } from '../../domain/subscription/state/aggregate.ts';
import { addDays } from '../../domain/time/period.ts';
import { attemptDays, hasTopUp } from './topups.ts';

const idsOf = (rows: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ id }) => id));

/**
 * Subscriptions that commands can still change: subscriptions that aren't canceled, and canceled
 * subscriptions with a deadline or an open refund.
 */
export function reachable(
  subscriptions: Aggregate['subscriptions'],
  { deadlines, refunds, transactions }: Aggregate,
): Aggregate['subscriptions'] {
  const due = new Set(deadlines.map(({ subscriptionId }) => subscriptionId));
  const returned = new Set(openRefunds(refunds).map(({ transactionId }) => transactionId));
  for (const { id, subscriptionId } of transactions) if (returned.has(id)) due.add(subscriptionId);
  return subscriptions.filter(({ id, status }) => status !== 'canceled' || due.has(id));
}

export function ofSubscriptions<R extends { readonly subscriptionId: string }>(
  rows: readonly R[],
  { subscriptions }: Aggregate,
): readonly R[] {
  const ids = idsOf(subscriptions);
  return rows.filter(({ subscriptionId }) => ids.has(subscriptionId));
}

/** Refunds without a final result from their provider. */
export const openRefunds = (refunds: Aggregate['refunds']): Aggregate['refunds'] =>
  refunds.filter(({ status }) => status === 'pending' || status === 'requires_action');

const refundedIn = ({ refunds }: Aggregate): ReadonlySet<string> =>
  new Set(refunds.map(({ transactionId }) => transactionId));

/** Open invoices, and invoices of transactions with an open refund. */
export function openInvoices(invoices: Aggregate['invoices'], aggregate: Aggregate): Aggregate['invoices'] {
  const refunded = refundedIn(aggregate);
  const refundedInvoices = new Set(
    aggregate.transactions.flatMap(({ id, invoiceId }) => (refunded.has(id) ? [invoiceId] : [])),
  );
  return invoices.filter(
    ({ id, status }) => status === 'draft' || status === 'outstanding' || refundedInvoices.has(id),
  );
}

/**
 * Attempts that are waiting for a provider, have an open dispute or refund, or belong to a remaining invoice.
 */
export function openTransactions(
  transactions: Aggregate['transactions'],
  aggregate: Aggregate,
): Aggregate['transactions'] {
  const refunded = refundedIn(aggregate);
  const invoiceIds = idsOf(aggregate.invoices);
  return transactions.filter(
    ({ id, status, disputeOutcome, invoiceId }) =>
      status === 'pending' ||
      (status === 'disputed' && disputeOutcome === null) ||
      refunded.has(id) ||
      (invoiceId !== null && invoiceIds.has(invoiceId)),
  );
}

/** Receipts with money on account, and receipts that paid parts of the remaining invoices. */
export function openReceipts(
  receipts: Aggregate['receipts'],
  { transactions }: Aggregate,
): Aggregate['receipts'] {
  const used = new Set(transactions.map(({ receiptId }) => receiptId));
  return receipts.filter(({ id, status }) => status === 'on_account' || used.has(id));
}

/** Customer credits used by the remaining invoices. */
export function openCreditUses(
  uses: Aggregate['creditUses'],
  { invoices }: Aggregate,
): Aggregate['creditUses'] {
  const ids = idsOf(invoices);
  return uses.filter(({ invoiceId }) => ids.has(invoiceId));
}

/** Active add-ons, and add-ons that ended in the current billing period (SUB-73). */
export function billableAddons(
  addons: Aggregate['addons'],
  { subscriptions }: Aggregate,
): Aggregate['addons'] {
  const periodStarts = new Map(subscriptions.map(({ id, periodStart }) => [id, periodStart]));
  return addons.filter(({ status, subscriptionId, deactivatedAt }) => {
    const periodStart = periodStarts.get(subscriptionId);
    if (periodStart === undefined) return false;
    return (
      status === 'active' || (deactivatedAt !== null && periodStart !== null && deactivatedAt >= periodStart)
    );
  });
}

export const activeGrants = (grants: Aggregate['grants'], aggregate: Aggregate): Aggregate['grants'] =>
  ofSubscriptions(grants, aggregate).filter(({ status }) => status === 'active');

export function openAccounts(
  accounts: Aggregate['accounts'],
  { subscriptions }: Aggregate,
): Aggregate['accounts'] {
  const ids = idsOf(subscriptions);
  return accounts.filter(({ id }) => ids.has(id));
}

/** Open lots, credits used by open invoices, and credits that open refunds revoke. */
export function openLots(
  lots: Aggregate['lots'],
  { subscriptions, creditUses, refunds }: Aggregate,
): Aggregate['lots'] {
  const owners = idsOf(subscriptions);
  const used = new Set<string | null>([
    ...creditUses.map(({ creditId }) => creditId),
    ...refunds.map(({ revokedCreditId }) => revokedCreditId),
  ]);
  return lots.filter(
    ({ id, isOpen, subscriptionId }) =>
      used.has(id) || (isOpen && (subscriptionId === null || owners.has(subscriptionId))),
  );
}

/** Usage entries of accounts with a negative balance. */
export function deficitDraws(draws: Aggregate['draws'], { lots }: Aggregate): Aggregate['draws'] {
  const negative = new Set(
    lots.flatMap(({ subscriptionId, remaining }) => (remaining < 0n ? [subscriptionId] : [])),
  );
  return draws.filter(({ subscriptionId }) => negative.has(subscriptionId));
}

/** Counters or events of the current windows of subscriptions. */
export function inWindow<T extends Pick<Aggregate['measured'][number], 'subscriptionId' | 'windowStart'>>(
  rows: readonly T[],
  { subscriptions }: Pick<Aggregate, 'subscriptions'>,
): readonly T[] {
  const starts = new Map(subscriptions.map(({ id, windowStart }) => [id, windowStart?.getTime()]));
  return rows.filter(
    ({ subscriptionId, windowStart }) => starts.get(subscriptionId) === windowStart.getTime(),
  );
}

/** Automatic top-ups of a customer with a topped up account. */
export const markedTopUps = (topUps: Aggregate['topUps'], { accounts }: Aggregate): Aggregate['topUps'] =>
  accounts.some(hasTopUp) ? topUps : [];

/** Recent purchases of automatic top-ups, and purchases whose result isn't known. */
export function recentAttempts(
  attempts: Aggregate['topUpAttempts'],
  { topUps }: Aggregate,
  at: Date,
): Aggregate['topUpAttempts'] {
  const ids = idsOf(topUps);
  const since = addDays(at, -attemptDays);
  return attempts.filter(
    ({ autoTopUpId, status, createdAt }) =>
      ids.has(autoTopUpId) && (status === 'processing' || (status === 'succeeded' && createdAt >= since)),
  );
}
