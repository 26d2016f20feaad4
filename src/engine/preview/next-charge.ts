// Predicts the next charges for subscriptions with the same decisions that real deadlines use.

import { chargesUsage } from '../../domain/subscription/allowances/usage-charges.ts';
import { anyMethod, quoteCurrentCharge } from '../../domain/subscription/payments/checkout-quote.ts';
import type {
  Aggregate,
  ChangeSet,
  DeadlineKind,
  DeadlineRow,
  DecisionDeps,
  InvoiceLineRow,
  InvoiceRow,
  SubscriptionRow,
} from '../../domain/subscription/state/aggregate.ts';
import { deadlineId } from '../../domain/subscription/state/deadlines.ts';
import type { Context } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { decisionDeps } from '../charge.ts';
import { loadAggregates } from '../load/load.ts';
import { memorySeqs, reloaded, stored } from '../load/reload.ts';
import { settlingGateways, timeline } from '../simulate.ts';

/** Next charge for a subscription, assuming that nothing else changes before it. */
export type NextCharge = {
  readonly at: Date;
  /** Amount including tax. 0 if the invoice total is below the minimum charge. */
  readonly amountMinor: bigint;
  readonly invoice: InvoiceRow;
  readonly lines: readonly InvoiceLineRow[];
  /** State of the subscription immediately after the charge. */
  readonly subscription: SubscriptionRow;
  /** True if usage before the charge can't increase the amount. */
  readonly isFinal: boolean;
};

/** Deadline types that can cause a charge. */
const charging: readonly DeadlineKind[] = ['trial_end', 'period_end', 'window_reset', 'grant_expiry'];

/**
 * Maximum number of deadlines to simulate. Higher than the number of deadlines that a yearly period can have.
 */
const maxSteps = 64;

/** Time that is later than every deadline. */
const endOfTime = new Date('9999-12-31T23:59:59.999Z');

/**
 * Yields the invoices that deadlines will issue for a subscription, in order. Assumes that charges succeed and that
 * there's no further usage. Commitments end and renew in the meantime, but their purchases aren't included. Stops when the subscription ends, when a renewal is rejected or put on hold, or after 64
 * deadlines without an invoice.
 */
export function* upcomingCharges(
  aggregate: Aggregate,
  subscriptionId: string | null,
  from: Date,
  deps: DecisionDeps,
): Generator<NextCharge, void> {
  const subscription = aggregate.subscriptions.find(({ id }) => id === subscriptionId);
  if (subscription === undefined) return;
  const isFinal = !chargesUsage(aggregate, subscription, from);
  const start = reloaded(stored(aggregate, memorySeqs()), from);
  const isCharging = (row: DeadlineRow): boolean =>
    row.subscriptionId === subscriptionId && charging.includes(row.kind);
  const commitments = new Set(
    start.lots.flatMap(({ id, commitment }) =>
      commitment === null ? [] : [deadlineId('lot_expiry', subscription.id, id)],
    ),
  );
  let steps = 0;
  for (const step of timeline([start], {
    from,
    until: endOfTime,
    gateways: settlingGateways,
    deps,
    isWanted: (row) => isCharging(row) || commitments.has(row.id),
  })) {
    if (step.thrown !== null) throw step.thrown;
    if (step.changes === null) return;
    if (isCharging(step.deadline)) {
      const charge = chargeIn(step.changes);
      const after = step.aggregate.subscriptions.find(({ id }) => id === subscriptionId);
      steps = charge === null ? steps + 1 : 0;
      if (charge !== null)
        yield { ...charge, at: step.deadline.dueAt, isFinal, subscription: after ?? subscription };
      if (steps === maxSteps) return;
    } else {
      // Automatic renewals of a commitment continue without end. The simulation ends with the last deadline that can cause a charge.
      if (!step.aggregate.deadlines.some(isCharging)) return;
      for (const { row } of step.changes.lots.values())
        if (row.commitment !== null) commitments.add(deadlineId('lot_expiry', subscription.id, row.id));
    }
  }
}

/**
 * Returns the next charge. `null` if no charge is expected, for example for a one-time or free plan, or if
 * the subscription ends without a final charge.
 */
export function nextCharge(
  aggregate: Aggregate,
  subscriptionId: string | null,
  from: Date,
  deps: DecisionDeps,
): NextCharge | null {
  for (const charge of upcomingCharges(aggregate, subscriptionId, from, deps)) return charge;
  return null;
}

/**
 * Returns the invoice that a deadline issues, and the amount charged for it. `null` if the deadline issues no
 * invoice.
 */
function chargeIn(changes: ChangeSet): Pick<NextCharge, 'invoice' | 'lines' | 'amountMinor'> | null {
  const invoice = [...changes.invoices.values()].find(({ flag }) => flag === 'new')?.row;
  if (invoice === undefined) return null;
  const lines = changes.lines.filter(({ invoiceId }) => invoiceId === invoice.id);
  return { invoice, lines, amountMinor: chargedFor(changes, invoice) };
}

/**
 * Returns the amount that a decision charges for an invoice: the invoice total, or 0 if the invoice is
 * settled without a charge (BIL-34, BIL-35).
 */
export function chargedFor({ transactions }: ChangeSet, { id, status, total }: InvoiceRow): bigint {
  const isCharged = [...transactions.values()].some(({ row }) => row.invoiceId === id);
  return (status === 'paid' || status === 'void') && !isCharged ? 0n : total;
}

/**
 * Returns the next charges by subscription ID. Assumes that open checkouts are completed now. Omits subscriptions
 * that have no next charge or whose next charge can't be calculated. Runs in its own transaction with a constant
 * number of SQL statements. Writes nothing.
 */
export async function nextChargesOf(
  ctx: Context,
  subscriptions: readonly Pick<SubscriptionRow, 'id' | 'customerId' | 'pendingCheckout'>[],
): Promise<ReadonlyMap<string, NextCharge>> {
  if (subscriptions.length === 0) return new Map();
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const requested = { kind: 'checkout.pay', method: anyMethod, abandoned: null, dueAt: now, now } as const;
    const addressed = subscriptions.map(({ id, customerId, pendingCheckout }) => ({
      customerId,
      command: {
        ...requested,
        subscriptionId: id,
        billingAddress: pendingCheckout?.billingAddress ?? null,
      },
    }));
    const aggregates = await loadAggregates(tx, addressed);
    const deps = decisionDeps(tx);
    const charges = subscriptions.flatMap(({ id, customerId }): [string, NextCharge][] => {
      const aggregate = aggregates.get(customerId);
      try {
        const charge = aggregate === undefined ? null : chargeAfterCheckout(aggregate, id, now, deps);
        return charge === null ? [] : [[id, charge]];
      } catch (error) {
        ctx.log.error(
          { err: error, subscription: id },
          'The next charge of a subscription could not be calculated.',
        );
        return [];
      }
    });
    return new Map(charges);
  });
}

/**
 * Returns the next charge for a subscription after its open checkout is completed. `null` if the charge isn't
 * known yet.
 */
function chargeAfterCheckout(
  aggregate: Aggregate,
  subscriptionId: string,
  now: Date,
  deps: DecisionDeps,
): NextCharge | null {
  const isOpen = aggregate.subscriptions.some(
    ({ id, status }) => id === subscriptionId && status === 'pending_payment',
  );
  if (!isOpen) return nextCharge(aggregate, subscriptionId, now, deps);
  const standing = quoteCurrentCharge(aggregate, { subscriptionId, now }, deps);
  return 'code' in standing ? null : nextCharge(standing.quote.paid, subscriptionId, now, standing.deps);
}
