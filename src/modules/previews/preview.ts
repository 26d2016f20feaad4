import type { Context } from '../../context.ts';
import type { Rejection } from '../../domain/errors.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { EventKind } from '../../domain/events.ts';
import type {
  Aggregate,
  ChangeSet,
  DecisionDeps,
  EventDraft,
  Outcome,
  SubscriptionRow,
} from '../../domain/subscription/state/aggregate.ts';
import type { nextBillingDate } from '../../domain/subscription/state/view.ts';
import { decisionDeps } from '../../engine/charge.ts';
import { type NextCharge, nextCharge } from '../../engine/next-charge.ts';
import { previewCommand, type Simulated } from '../../engine/preview.ts';
import { inTransaction } from '../../transaction.ts';
import { commandOf } from './read-input.ts';
import {
  type SimulatedInvoice,
  type SimulatedTotals,
  simulatedInvoices,
  simulatedTotals,
} from './simulate-documents.ts';
import type { PreviewInput } from './types/input.ts';

/** What is shown of a subscription that would be. */
export type ShownSubscription = Parameters<typeof nextBillingDate>[0] &
  Pick<SubscriptionRow, 'id' | 'planId' | 'endDate' | 'periodStart'>;

/** A subscription as it would be at an instant. */
export type SimulatedSubscription = {
  readonly row: ShownSubscription;
  readonly isNew: boolean;
  readonly at: Date;
};

/** What something would do. */
export type Preview = {
  readonly at: Date;
  readonly rejection: Rejection | null;
  readonly invoices: readonly SimulatedInvoice[];
  readonly totals: readonly SimulatedTotals[];
  readonly events: readonly EventKind[];
  readonly subscription: SimulatedSubscription | null;
  /** What is charged next with it, and without it; worked out when it is asked for. */
  readonly next: () => NextCharge | null;
  readonly nextWithout: () => NextCharge | null;
};

/** A subscription of an aggregate, shown as it is there at an instant. */
export function simulatedSubscription(
  after: Aggregate,
  id: string | null,
  at: Date,
  before?: Aggregate,
): SimulatedSubscription | null {
  const row = after.subscriptions.find((one) => one.id === id);
  const isNew = before !== undefined && !before.subscriptions.some((one) => one.id === id);
  return row === undefined ? null : { row, isNew, at };
}

/** The answer about changes that were decided at an instant. */
export function previewOf(
  changes: readonly ChangeSet[],
  details: Pick<Preview, 'at' | 'rejection' | 'subscription' | 'next' | 'nextWithout'> & {
    readonly events: readonly EventDraft[];
  },
): Preview {
  const newSubscription = details.subscription?.isNew === true ? details.subscription.row.id : null;
  const invoices = simulatedInvoices(changes).map((one) => ({
    ...one,
    isOfNewSubscription: newSubscription !== null && one.invoice.subscriptionId === newSubscription,
  }));
  return {
    ...details,
    events: details.events.map(({ kind }) => kind),
    invoices,
    totals: simulatedTotals(invoices),
  };
}

const rejectionOf = (outcome: Outcome): Rejection | null => (outcome.kind === 'rejection' ? outcome : null);

function answer(
  { before, settled, events }: Simulated,
  { subscriptionId, at, deps }: { subscriptionId: string | null; at: Date; deps: DecisionDeps },
): Preview {
  const { finalOutcome, aggregate, changes } = settled;
  const made = finalOutcome.kind === 'ok' ? finalOutcome.subscriptionId : null;
  const id = subscriptionId ?? made;
  const subscription = simulatedSubscription(aggregate, id, at, before);
  const rejection = rejectionOf(finalOutcome);
  const nextWithout = () => nextCharge(before, id, at, deps);
  const next = () => (rejection === null ? nextCharge(aggregate, id, at, deps) : nextWithout());
  return previewOf([changes], { at, rejection, events, subscription, next, nextWithout });
}

/**
 * What a call would do if it were made now: the decision it would come to, with its charges, applied nowhere. A rejection is part of the answer.
 * Throws what the call throws before it decides.
 */
export async function previewCall(ctx: Context, input: PreviewInput): Promise<Preview> {
  const requested = await commandOf(ctx, input);
  return inTransaction(ctx, async (tx) => {
    const simulated = await previewCommand(tx, requested);
    if (simulated === null) throw new QuittanceError('customer_not_found', { param: 'customerId' });
    const subscriptionId = 'subscriptionId' in requested.input ? requested.input.subscriptionId : null;
    return answer(simulated, { subscriptionId, at: tx.clock.now(), deps: decisionDeps(tx) });
  });
}
