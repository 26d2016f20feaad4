import type { Context } from '../../context.ts';
import type { Rejection } from '../../domain/errors.ts';
import { boundary, utcMidnight } from '../../domain/period.ts';
import type { Aggregate, ChangeSet } from '../../domain/subscription/state/aggregate.ts';
import { decisionDeps } from '../../engine/charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../../engine/preview.ts';
import { type SimulationStep, settlingGateways, timeline } from '../../engine/simulate.ts';
import { inTransaction } from '../../transaction.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import type { ShownSubscription, SimulatedSubscription } from './preview.ts';
import {
  type SimulatedInvoice,
  type SimulatedTotals,
  simulatedInvoices,
  simulatedTotals,
} from './simulate-documents.ts';

/** The most months a forecast looks ahead. */
export const mostMonths = 36;

/** How many deadlines a forecast executes at most; a weekly plan has some 500 in 36 months. */
export const mostSteps = 1_000;

/** What a subscription will be billed from now until an instant. */
export type Forecast = {
  readonly from: Date;
  readonly until: Date;
  /** Why time goes no further than some renewal; null when it does. */
  readonly rejection: Rejection | null;
  readonly invoices: readonly SimulatedInvoice[];
  readonly totals: readonly SimulatedTotals[];
  /** As it will be at the end. */
  readonly subscription: SimulatedSubscription;
};

/** The steps of one subscription; ends at the first that fails. */
function travel(
  tx: Context,
  aggregates: readonly Aggregate[],
  id: string,
  span: Pick<Forecast, 'from' | 'until'>,
): SimulationStep[] {
  const options = { ...span, gateways: settlingGateways, deps: decisionDeps(tx) };
  const steps: SimulationStep[] = [];
  for (const step of timeline(aggregates, {
    ...options,
    isWanted: ({ subscriptionId }) => subscriptionId === id,
  })) {
    if (step.thrown !== null) throw step.thrown;
    steps.push(step);
    if (step.status === 'failed' || steps.length === mostSteps) break;
  }
  return steps;
}

async function previewCommands(
  tx: Context,
  subscription: ShownSubscription,
  months: number,
): Promise<Forecast> {
  const { id } = subscription;
  const from = tx.clock.now();
  const span = { from, until: boundary(utcMidnight(from), 'monthly', months) };
  const aggregates = await loadForSimulation(
    tx,
    await readEnvironmentTasks(tx, [id], span.until, mostSteps),
    from,
  );
  const steps = travel(tx, aggregates, id, span);
  const last = steps.at(-1);
  const invoices = simulatedInvoices(
    steps.flatMap(({ changes }): ChangeSet[] => (changes === null ? [] : [changes])),
  );
  const row = last?.aggregate.subscriptions.find((one) => one.id === id) ?? subscription;
  return {
    ...span,
    rejection: last?.rejection ?? null,
    invoices,
    totals: simulatedTotals(invoices),
    subscription: { row, isNew: false, at: span.until },
  };
}

/**
 * What a subscription will be billed over the next months, 1 to 36, as things stand: its deadlines decided one after another in memory, with
 * charges that settle and without usage to come. Ends with the UTC date `months` months later. Throws `subscription_not_found`.
 */
export async function forecast(ctx: Context, subscriptionId: string, months: number): Promise<Forecast> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  return inTransaction(ctx, (tx) => previewCommands(tx, subscription, months));
}
