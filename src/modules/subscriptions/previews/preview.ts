import type { Rejection } from '../../../domain/errors/errors.ts';
import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { EventDraft } from '../../../domain/events/event-draft.ts';
import type { EventKind } from '../../../domain/events/events.ts';
import type {
  Aggregate,
  ChangeSet,
  DecisionDeps,
  Outcome,
  RefundRow,
  SubscriptionRow,
} from '../../../domain/subscription/state/aggregate.ts';
import type { nextBillingDate } from '../../../domain/subscription/state/view.ts';
import { decisionDeps } from '../../../engine/charge.ts';
import type { CustomerCommand } from '../../../engine/execute.ts';
import { type NextCharge, nextCharge } from '../../../engine/preview/next-charge.ts';
import { previewCommand, type Simulated } from '../../../engine/preview/preview.ts';
import { onlyMember } from '../../../graphql/declare/rules.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import {
  type SimulatedInvoice,
  type SimulatedTotals,
  simulatedInvoices,
  simulatedTotals,
} from './simulate-documents.ts';
import { type PreviewedCall, type PreviewedInputs, previewed } from './types/input.ts';

/** Subscription fields that a preview contains. */
export type ShownSubscription = Parameters<typeof nextBillingDate>[0] &
  Pick<SubscriptionRow, 'id' | 'planId' | 'endDate' | 'periodStart'>;

/** Simulated state of a subscription at a given time. */
export type SimulatedSubscription = {
  readonly row: ShownSubscription;
  readonly isNew: boolean;
  readonly at: Date;
};

export type Preview = {
  readonly at: Date;
  readonly rejection: Rejection | null;
  readonly invoices: readonly SimulatedInvoice[];
  readonly totals: readonly SimulatedTotals[];
  readonly events: readonly EventKind[];
  /** Simulated refund. `null` if nothing would be refunded. */
  readonly refund: RefundRow | null;
  readonly subscription: SimulatedSubscription | null;
  /** Next charge with and without the previewed change. Calculated only if requested. */
  readonly next: () => NextCharge | null;
  readonly nextWithout: () => NextCharge | null;
};

/** Returns the simulated state of a subscription at a given time. */
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

/** Builds the preview of simulated changes. */
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
    refund: changes.flatMap(({ refunds }) => [...refunds.values()].map(({ row }) => row)).at(-1) ?? null,
    invoices,
    totals: simulatedTotals(invoices),
  };
}

const rejectionOf = (outcome: Outcome): Rejection | null => (outcome.kind === 'rejection' ? outcome : null);

function previewResult(
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

/** Returns the command that an operation would execute. Throws the errors that occur before the command runs. */
const commandOf = <K extends keyof PreviewedInputs>(
  ctx: Context,
  name: K,
  input: PreviewedInputs[K],
): Promise<CustomerCommand> => previewed[name].prepare(ctx, input, `${name}.`);

/**
 * Previews a request: simulates its command and its charges without storing them. If the command is rejected, the
 * result contains the error. Throws the errors that occur before the command runs.
 */
export async function previewCall(ctx: Context, call: PreviewedCall): Promise<Preview> {
  const name = onlyMember(call, 'command');
  const input = call[name];
  if (input == null) throw new Error('The input contains no operation.');
  const requested = await commandOf(ctx, name, input);
  return inTransaction(ctx, async (tx) => {
    const simulated = await previewCommand(tx, requested);
    if (simulated === null) throw new QuittanceError('customer_not_found', { param: 'customerId' });
    const subscriptionId = 'subscriptionId' in requested.input ? requested.input.subscriptionId : null;
    return previewResult(simulated, { subscriptionId, at: tx.clock.now(), deps: decisionDeps(tx) });
  });
}
