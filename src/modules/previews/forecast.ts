import type { Context } from '../../context.ts';
import type { Refusal } from '../../domain/errors.ts';
import { boundary, utcMidnight } from '../../domain/period.ts';
import type { Aggregate, ChangeSet } from '../../domain/subscription/aggregate.ts';
import { decisionTools } from '../../engine/charge.ts';
import { loadForTimeline, readDuties } from '../../engine/foresee.ts';
import { settlingGateways, type TimelineStep, timeline } from '../../engine/timeline.ts';
import { inTransaction } from '../../transaction.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { type ForeseenInvoice, type ForeseenTotals, foreseenInvoices, foreseenTotals } from './documents.ts';
import type { ForeseenSubscription, ShownSubscription } from './preview.ts';

/** The most months a forecast looks ahead. */
export const mostMonths = 36;

/** How many deadlines a forecast executes at most; a weekly plan has some 500 in 36 months. */
export const mostSteps = 1_000;

/** What a subscription will be billed from now until an instant. */
export type Forecast = {
  readonly from: Date;
  readonly until: Date;
  /** Why time goes no further than some renewal; null when it does. */
  readonly refusal: Refusal | null;
  readonly invoices: readonly ForeseenInvoice[];
  readonly totals: readonly ForeseenTotals[];
  /** As it will be at the end. */
  readonly subscription: ForeseenSubscription;
};

/** The steps of one subscription; ends at the first that fails. */
function travel(tx: Context, aggregates: readonly Aggregate[], id: string, span: Pick<Forecast, 'from' | 'until'>): TimelineStep[] {
  const options = { ...span, gateways: settlingGateways, tools: decisionTools(tx) };
  const steps: TimelineStep[] = [];
  for (const step of timeline(aggregates, { ...options, isWanted: ({ subscriptionId }) => subscriptionId === id })) {
    if (step.thrown !== null) throw step.thrown;
    steps.push(step);
    if (step.status === 'failed' || steps.length === mostSteps) break;
  }
  return steps;
}

async function foresee(tx: Context, subscription: ShownSubscription, months: number): Promise<Forecast> {
  const { id } = subscription;
  const from = tx.clock.now();
  const span = { from, until: boundary(utcMidnight(from), 'monthly', months) };
  const aggregates = await loadForTimeline(tx, await readDuties(tx, [id], span.until, mostSteps), from);
  const steps = travel(tx, aggregates, id, span);
  const last = steps.at(-1);
  const invoices = foreseenInvoices(steps.flatMap(({ changes }): ChangeSet[] => (changes === null ? [] : [changes])));
  const row = last?.aggregate.subscriptions.find((one) => one.id === id) ?? subscription;
  return {
    ...span,
    refusal: last?.refusal ?? null,
    invoices,
    totals: foreseenTotals(invoices),
    subscription: { row, isNew: false, at: span.until },
  };
}

/**
 * What a subscription will be billed over the next months, 1 to 36, as things stand: its deadlines decided one after another in memory, with
 * charges that settle and without usage to come. Ends with the UTC date so many months later. Throws `subscription_not_found`.
 */
export async function forecast(context: Context, subscriptionId: string, months: number): Promise<Forecast> {
  const subscription = await requireSubscription(context, subscriptionId);
  return inTransaction(context, (tx) => foresee(tx, subscription, months));
}
