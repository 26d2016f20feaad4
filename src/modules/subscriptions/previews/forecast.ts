import type { Rejection } from '../../../domain/errors/errors.ts';
import type { Aggregate, ChangeSet } from '../../../domain/subscription/state/aggregate.ts';
import { boundary, utcMidnight } from '../../../domain/time/period.ts';
import { decisionDeps } from '../../../engine/charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../../../engine/preview/preview.ts';
import { type SimulationStep, settlingGateways, timeline } from '../../../engine/simulate.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import type { ShownSubscription, SimulatedSubscription } from './preview.ts';
import {
  type SimulatedInvoice,
  type SimulatedTotals,
  simulatedInvoices,
  simulatedTotals,
} from './simulate-documents.ts';

/** Maximum length of a forecast in months. */
export const mostMonths = 36;

/** Maximum number of deadlines to simulate. A weekly plan has about 500 deadlines in 36 months. */
const mostSteps = 1_000;

/** Forecast of a subscription's invoices from now until a given time. */
export type Forecast = {
  readonly from: Date;
  readonly until: Date;
  /** Error of the renewal that stopped the forecast. `null` if all renewals succeed. */
  readonly rejection: Rejection | null;
  readonly invoices: readonly SimulatedInvoice[];
  readonly totals: readonly SimulatedTotals[];
  /** State of the subscription at the end of the forecast. */
  readonly subscription: SimulatedSubscription;
};

/** Simulates the deadlines of one subscription. Stops at the first failure. */
function simulateSteps(
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
  const steps = simulateSteps(tx, aggregates, id, span);
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
 * Forecasts the invoices of a subscription for the next 1 to 36 months. Simulates deadlines one after another in memory. Assumes that
 * charges succeed and no further usage is recorded. Throws `subscription_not_found`.
 */
export async function forecast(ctx: Context, subscriptionId: string, months: number): Promise<Forecast> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  return inTransaction(ctx, (tx) => previewCommands(tx, subscription, months));
}
