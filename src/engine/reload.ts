import type { Aggregate, DeadlineRow } from '../domain/subscription/aggregate.ts';

/** Hands out sequence numbers behind all that a database has, so that rows made in memory come last, in the order they were made. */
export type SeqSource = { next: bigint };

/** Numbers for one stretch of time in memory. */
export const memorySeqs = (): SeqSource => ({ next: 1n << 62n });

type Row = { readonly seq: bigint | null };

/** New rows with a seq of their own; the array itself where there are none. */
function numbered<T extends Row>(rows: readonly T[], seqs: SeqSource): readonly T[] {
  return rows.some(({ seq }) => seq === null) ? rows.map((row) => (row.seq === null ? { ...row, seq: seqs.next++ } : row)) : rows;
}

function placed(deadlines: readonly DeadlineRow[], { customer, subscriptions }: Aggregate): readonly DeadlineRow[] {
  if (deadlines.every(({ subjectSeq }) => subjectSeq !== null)) return deadlines;
  const seqs = new Map(subscriptions.map(({ id, seq }) => [id, seq]));
  return deadlines.map((row) =>
    row.subjectSeq === null
      ? { ...row, subjectSeq: row.subscriptionId === null ? customer.seq : (seqs.get(row.subscriptionId) ?? null) }
      : row,
  );
}

/** The aggregate as if its new rows had been stored: each has a seq (protocols B3). Invoices stay without a number, which only their issue gives. */
export function stored(aggregate: Aggregate, seqs: SeqSource): Aggregate {
  const next: Aggregate = {
    ...aggregate,
    subscriptions: numbered(aggregate.subscriptions, seqs),
    invoices: numbered(aggregate.invoices, seqs),
    paymentMethods: numbered(aggregate.paymentMethods, seqs),
    transactions: numbered(aggregate.transactions, seqs),
    refunds: numbered(aggregate.refunds, seqs),
    offerApplications: numbered(aggregate.offerApplications, seqs),
    addons: numbered(aggregate.addons, seqs),
    payments: numbered(aggregate.payments, seqs),
    grants: numbered(aggregate.grants, seqs),
    credits: numbered(aggregate.credits, seqs),
    redemptions: numbered(aggregate.redemptions, seqs),
    accounts: numbered(aggregate.accounts, seqs),
    counters: numbered(aggregate.counters, seqs),
    counts: numbered(aggregate.counts, seqs),
  };
  return { ...next, deadlines: placed(aggregate.deadlines, next) };
}

/** Subscriptions that commands can still reach: those not canceled, and canceled ones with a duty left. */
function reachable({ subscriptions, deadlines }: Aggregate): Aggregate['subscriptions'] {
  const due = new Set(deadlines.map(({ subscriptionId }) => subscriptionId));
  return subscriptions.filter(({ id, status }) => status !== 'canceled' || due.has(id));
}

/** Add-ons that are active, and those that ended in the open billing period (SUB-73). */
function billableAddons({ addons }: Aggregate, subscriptions: Aggregate['subscriptions']): Aggregate['addons'] {
  const periodStarts = new Map(subscriptions.map(({ id, periodStart }) => [id, periodStart]));
  return addons.filter(({ status, subscriptionId, deactivatedAt }) => {
    const periodStart = periodStarts.get(subscriptionId);
    if (periodStart === undefined) return false;
    return status === 'active' || (deactivatedAt !== null && periodStart !== null && deactivatedAt >= periodStart);
  });
}

/**
 * The aggregate as reading it anew for a deadline would find it: without what is over. Keeps many steps in memory as small as the first, and
 * each deciding on what it would be given if the steps before it had been committed.
 */
export function reloaded(aggregate: Aggregate, at: Date): Aggregate {
  const subscriptions = reachable(aggregate);
  const ids = new Set(subscriptions.map(({ id }) => id));
  const refunds = aggregate.refunds.filter(({ status }) => status === 'pending' || status === 'requires_action');
  const refunded = new Set(refunds.map(({ transactionId }) => transactionId));
  const refundedInvoices = new Set(aggregate.transactions.flatMap(({ id, invoiceId }) => (refunded.has(id) ? [invoiceId] : [])));
  const invoices = aggregate.invoices.filter(
    ({ id, status }) => status === 'draft' || status === 'outstanding' || refundedInvoices.has(id),
  );
  const invoiceIds = new Set(invoices.map(({ id }) => id));
  const creditUses = aggregate.creditUses.filter(({ invoiceId }) => invoiceIds.has(invoiceId));
  const used = new Set(creditUses.map(({ creditId }) => creditId));
  const negative = new Set(aggregate.accounts.flatMap(({ id, balanceRate }) => (balanceRate < 0n ? [id] : [])));
  const ofKept = <T extends { readonly subscriptionId: string }>(rows: readonly T[]): T[] =>
    rows.filter(({ subscriptionId }) => ids.has(subscriptionId));
  return {
    ...aggregate,
    subscriptions,
    refunds,
    invoices,
    creditUses,
    transactions: aggregate.transactions.filter(
      ({ id, status, disputeOutcome, invoiceId }) =>
        status === 'pending' ||
        (status === 'disputed' && disputeOutcome === null) ||
        refunded.has(id) ||
        (invoiceId !== null && invoiceIds.has(invoiceId)),
    ),
    credits: aggregate.credits.filter(
      ({ id, remainingMinor, expiresAt }) => used.has(id) || (remainingMinor > 0n && (expiresAt === null || expiresAt > at)),
    ),
    offerApplications: ofKept(aggregate.offerApplications),
    addons: billableAddons(aggregate, subscriptions),
    grants: ofKept(aggregate.grants).filter(({ status }) => status === 'active'),
    accounts: aggregate.accounts.filter(({ id }) => ids.has(id)),
    counters: ofKept(aggregate.counters),
    draws: aggregate.draws.filter(({ subscriptionId }) => negative.has(subscriptionId)),
  };
}
