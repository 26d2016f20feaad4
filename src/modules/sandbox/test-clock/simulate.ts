import { setImmediate } from 'node:timers/promises';
import { validationError } from '../../../domain/errors/errors.ts';
import type { Aggregate, ChangeSet, DeadlineRow } from '../../../domain/subscription/state/aggregate.ts';
import { deadlineRanks } from '../../../domain/subscription/state/deadlines.ts';
import { decisionDeps } from '../../../engine/charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../../../engine/preview/preview.ts';
import { type SimulationStep, timeline, withoutRemotes } from '../../../engine/simulate.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import {
  type SimulatedInvoice,
  type SimulatedTotals,
  simulatedInvoices,
  simulatedTotals,
} from '../../subscriptions/previews/simulate-documents.ts';
import { requireSubscriptions } from '../../subscriptions/subscriptions/store.ts';
import { laterInstant } from './advance.ts';
import { isOver, readLatestRun } from './store.ts';

/** Maximum number of subscriptions in a simulation. */
export const maxSubscriptions = 500;

/** Maximum number of deadlines that a simulation processes, including notices. */
export const mostSteps = 5_000;

/** Number of deadlines after which the simulation yields to the process's other work. */
const stepsAtOnce = 20;

/** Target time of a simulation, and the IDs of the subscriptions to include. The IDs default to all subscriptions. */
export type SimulateInput = {
  readonly until: Date;
  readonly subscriptionIds?: readonly string[] | null | undefined;
};

/** Deadline with its simulated outcome, in the format of a run item (BIL-55). */
export type SimulatedItem = {
  readonly deadline: DeadlineRow;
  readonly customerName: string | null;
  readonly status: 'completed' | 'failed';
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly error: string | null;
};

/** Simulated effects of advancing the test clock. */
export type Simulation = {
  readonly startedAtTime: Date;
  readonly targetTime: Date;
  readonly items: readonly SimulatedItem[];
  readonly invoices: readonly SimulatedInvoice[];
  readonly totals: readonly SimulatedTotals[];
};

const reject = (field: string, message: string): Error => validationError([{ field, message }]);

const tooManySteps = (): Error =>
  reject(
    'until',
    `A simulation can execute up to ${mostSteps} deadlines. Choose fewer subscriptions or an earlier time.`,
  );

type World = {
  readonly now: Date;
  readonly target: Date;
  readonly aggregates: readonly Aggregate[];
  readonly subjects: ReadonlySet<string>;
};

async function read(tx: Context, { until, subscriptionIds = null }: SimulateInput): Promise<World> {
  const latest = await readLatestRun(tx.sql);
  if (latest !== null && !isOver(latest))
    throw reject('until', 'The test clock is still advancing. Wait until the current run has finished.');
  const now = tx.clock.now();
  const target = laterInstant('until', until, now);
  if (subscriptionIds !== null) await requireSubscriptions(tx, subscriptionIds);
  const environmentTasks = await readEnvironmentTasks(tx, subscriptionIds, target, mostSteps + 1);
  if (environmentTasks.length > mostSteps) throw tooManySteps();
  const subjects = new Set(
    environmentTasks.flatMap(({ subscriptionId }) => (subscriptionId === null ? [] : [subscriptionId])),
  );
  if (subjects.size > maxSubscriptions) {
    throw reject(
      'subscriptionIds',
      `More than ${maxSubscriptions} subscriptions have something due. Choose up to ${maxSubscriptions} subscriptions.`,
    );
  }
  return { now, target, aggregates: await loadForSimulation(tx, environmentTasks, now), subjects };
}

/** Converts a simulated deadline to a run item. `null` if runs don't count the deadline: for notices, and for deadlines that must wait. */
function itemOf({ deadline, status, item, error, aggregate }: SimulationStep): SimulatedItem | null {
  if (status === 'parked' || deadline.rank >= deadlineRanks.daily_scan) return null;
  const { fullName } = aggregate.customer;
  const shown = { outcome: item?.outcome ?? null, detail: item?.detail ?? null };
  return { deadline, customerName: fullName === '' ? null : fullName, status, ...shown, error };
}

/**
 * Simulates advancing the clock in memory: makes the same decisions in the same order with the current data, including test cards. Nothing
 * is stored. Throws `validation_error` if the target isn't later than the clock, a run is unfinished, or a limit is exceeded. Throws
 * `subscription_not_found` if a subscription doesn't exist.
 */
export async function simulate(ctx: Context, input: SimulateInput): Promise<Simulation> {
  const { now, target, aggregates, subjects } = await inTransaction(ctx, (tx) => read(tx, input));
  const options = {
    from: now,
    until: target,
    gateways: withoutRemotes(ctx.app.gateways),
    deps: decisionDeps(ctx),
  };
  const isWanted = ({ subscriptionId }: DeadlineRow): boolean =>
    subscriptionId !== null && subjects.has(subscriptionId);
  const changes: ChangeSet[] = [];
  const items: SimulatedItem[] = [];
  let steps = 0;
  for (const step of timeline(aggregates, { ...options, isWanted })) {
    if (++steps > mostSteps) throw tooManySteps();
    if (step.thrown !== null)
      ctx.log.error(
        { error: step.thrown, deadline: step.deadline.id },
        'A simulated deadline could not be decided.',
      );
    if (step.changes !== null) changes.push(step.changes);
    const item = itemOf(step);
    if (item !== null) items.push(item);
    if (steps % stepsAtOnce === 0) await setImmediate();
  }
  const invoices = simulatedInvoices(changes);
  return { startedAtTime: now, targetTime: target, items, invoices, totals: simulatedTotals(invoices) };
}
