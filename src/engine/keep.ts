// Which rows of an aggregate reading it again would find: the conditions of the readers, in memory. Each gets the rows and the aggregate, of
// which the fields before its own in `tables.ts` are as read again already.
import type { Aggregate } from '../domain/subscription/state/aggregate.ts';

const idsOf = (rows: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ id }) => id));

/** Subscriptions that commands can still reach: those not canceled, and canceled ones with a deadline left. */
export function reachable(
  subscriptions: Aggregate['subscriptions'],
  { deadlines }: Aggregate,
): Aggregate['subscriptions'] {
  const due = new Set(deadlines.map(({ subscriptionId }) => subscriptionId));
  return subscriptions.filter(({ id, status }) => status !== 'canceled' || due.has(id));
}

/** Rows of subscriptions that are still there. */
export function ofSubscriptions<R extends { readonly subscriptionId: string }>(
  rows: readonly R[],
  { subscriptions }: Aggregate,
): readonly R[] {
  const ids = idsOf(subscriptions);
  return rows.filter(({ subscriptionId }) => ids.has(subscriptionId));
}

/** Refunds a gateway has not answered finally. */
export const openRefunds = (refunds: Aggregate['refunds']): Aggregate['refunds'] =>
  refunds.filter(({ status }) => status === 'pending' || status === 'requires_action');

const refundedIn = ({ refunds }: Aggregate): ReadonlySet<string> =>
  new Set(refunds.map(({ transactionId }) => transactionId));

/** Open invoices, and those of transactions that are being refunded. */
export function openInvoices(invoices: Aggregate['invoices'], aggregate: Aggregate): Aggregate['invoices'] {
  const refunded = refundedIn(aggregate);
  const refundedInvoices = new Set(
    aggregate.transactions.flatMap(({ id, invoiceId }) => (refunded.has(id) ? [invoiceId] : [])),
  );
  return invoices.filter(
    ({ id, status }) => status === 'draft' || status === 'outstanding' || refundedInvoices.has(id),
  );
}

/** Attempts that wait for a gateway or the end of a dispute, those being refunded, and those of invoices that are still there. */
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

/** What invoices that are still there took from credits. */
export function openCreditUses(
  uses: Aggregate['creditUses'],
  { invoices }: Aggregate,
): Aggregate['creditUses'] {
  const ids = idsOf(invoices);
  return uses.filter(({ invoiceId }) => ids.has(invoiceId));
}

/** Credits that can be used at an instant or later, and those that open invoices took from. */
export function usableCredits(
  credits: Aggregate['credits'],
  { creditUses }: Aggregate,
  at: Date,
): Aggregate['credits'] {
  const used = new Set(creditUses.map(({ creditId }) => creditId));
  return credits.filter(
    ({ id, remainingMinor, expiresAt }) =>
      used.has(id) || (remainingMinor > 0n && (expiresAt === null || expiresAt > at)),
  );
}

/** Add-ons that are active, and those that ended in the open billing period (SUB-73). */
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

/** Active plan grants. */
export const activeGrants = (grants: Aggregate['grants'], aggregate: Aggregate): Aggregate['grants'] =>
  ofSubscriptions(grants, aggregate).filter(({ status }) => status === 'active');

/** Accounts of subscriptions that are still there. */
export function openAccounts(
  accounts: Aggregate['accounts'],
  { subscriptions }: Aggregate,
): Aggregate['accounts'] {
  const ids = idsOf(subscriptions);
  return accounts.filter(({ id }) => ids.has(id));
}

/** Consumption of accounts whose balance is below 0. */
export function deficitDraws(draws: Aggregate['draws'], { accounts }: Aggregate): Aggregate['draws'] {
  const negative = new Set(accounts.flatMap(({ id, balanceRate }) => (balanceRate < 0n ? [id] : [])));
  return draws.filter(({ subscriptionId }) => negative.has(subscriptionId));
}
