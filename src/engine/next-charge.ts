// What a subscription is charged by time alone, worked out from the same decisions as the clock's.
import type { Context } from '../context.ts';
import { chargesUsage } from '../domain/subscription/allowances/usage-charges.ts';
import { anyMethod, quoteCheckout } from '../domain/subscription/payments/checkout-quote.ts';
import type {
  Aggregate,
  ChangeSet,
  DeadlineKind,
  DeadlineRow,
  DecisionDeps,
  InvoiceLineRow,
  InvoiceRow,
  SubscriptionRow,
} from '../domain/subscription/state/aggregate.ts';
import { inTransaction } from '../transaction.ts';
import { decisionDeps } from './charge.ts';
import { loadAggregates } from './load.ts';
import { memorySeqs, reloaded, stored } from './reload.ts';
import { settlingGateways, timeline } from './simulate.ts';

/** A charge of a subscription that will come as things stand. */
export type NextCharge = {
  readonly at: Date;
  /** What is charged, tax included; 0 where the invoice asks for too little to be charged. */
  readonly amountMinor: bigint;
  readonly invoice: InvoiceRow;
  readonly lines: readonly InvoiceLineRow[];
  /** The subscription right after it. */
  readonly subscription: SubscriptionRow;
  /** Whether nothing the customer uses until then can raise it. */
  readonly isFinal: boolean;
};

/** The deadlines that charge automatically. */
const charging: readonly DeadlineKind[] = ['trial_end', 'period_end', 'window_reset', 'grant_expiry'];

/** More than a yearly period has. */
const mostSteps = 64;

/** No deadline lies behind it. */
const endOfTime = new Date('9999-12-31T23:59:59.999Z');

/**
 * The invoices that time alone issues for a subscription of an aggregate from an instant on, in their order, with charges that settle and without
 * usage to come. Ends with the subscription, at a renewal that is rejected or has to wait, or after 64 deadlines without an invoice.
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
  const isWanted = (row: DeadlineRow): boolean =>
    row.subscriptionId === subscriptionId && charging.includes(row.kind);
  let steps = 0;
  for (const step of timeline([start], {
    from,
    until: endOfTime,
    gateways: settlingGateways,
    deps,
    isWanted,
  })) {
    if (step.thrown !== null) throw step.thrown;
    if (step.changes === null) return;
    const charge = chargeIn(step.changes);
    const after = step.aggregate.subscriptions.find(({ id }) => id === subscriptionId);
    steps = charge === null ? steps + 1 : 0;
    if (charge !== null)
      yield { ...charge, at: step.deadline.dueAt, isFinal, subscription: after ?? subscription };
    if (steps === mostSteps) return;
  }
}

/** The first of these charges; null where none is in sight: bought once, free, or ending without anything left to pay. */
export function nextCharge(
  aggregate: Aggregate,
  subscriptionId: string | null,
  from: Date,
  deps: DecisionDeps,
): NextCharge | null {
  for (const charge of upcomingCharges(aggregate, subscriptionId, from, deps)) return charge;
  return null;
}

/** The invoice a step issues, with what is charged for it; null where it issues none. */
function chargeIn(changes: ChangeSet): Pick<NextCharge, 'invoice' | 'lines' | 'amountMinor'> | null {
  const invoice = [...changes.invoices.values()].find(({ flag }) => flag === 'new')?.row;
  if (invoice === undefined) return null;
  const lines = changes.lines.filter(({ invoiceId }) => invoiceId === invoice.id);
  return { invoice, lines, amountMinor: chargedFor(changes, invoice) };
}

/** What changes that issue or settle an invoice charge for it: its total, and nothing where it is settled without a charge (BIL-34, BIL-35). */
export function chargedFor({ transactions }: ChangeSet, { id, status, total }: InvoiceRow): bigint {
  const isCharged = [...transactions.values()].some(({ row }) => row.invoiceId === id);
  return status === 'paid' && !isCharged ? 0n : total;
}

const nothingTyped = { billingAddress: null, taxDocument: null, promoCode: null } as const;

/**
 * The next charges of subscriptions, by their ids; of one whose checkout is open, the charge that follows once it is completed now. Those without
 * one, and those it cannot be worked out for, are left out. Takes as many statements for one as for hundreds, in a transaction of its own, and writes nothing.
 */
export async function nextChargesOf(
  ctx: Context,
  subscriptions: readonly Pick<SubscriptionRow, 'id' | 'customerId'>[],
): Promise<ReadonlyMap<string, NextCharge>> {
  if (subscriptions.length === 0) return new Map();
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const requested = { kind: 'checkout.pay', method: anyMethod, abandoned: null, dueAt: now, now } as const;
    const addressed = subscriptions.map(({ id, customerId }) => ({
      customerId,
      command: { ...requested, subscriptionId: id },
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
          'What a subscription is charged next could not be worked out.',
        );
        return [];
      }
    });
    return new Map(charges);
  });
}

/** The next charge of a subscription, its checkout completed first where it is open; null also where that is not known yet. */
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
  const quote = quoteCheckout(aggregate, { subscriptionId, now, ...nothingTyped }, deps);
  return 'code' in quote ? null : nextCharge(quote.paid, subscriptionId, now, deps);
}
