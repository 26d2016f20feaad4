import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { Aggregate, ChangeSet, DeadlineRow } from '../../domain/subscription/state/aggregate.ts';
import { deadlineRanks } from '../../domain/subscription/state/deadlines.ts';
import { decisionDeps } from '../../engine/charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../../engine/preview.ts';
import { type SimulationStep, timeline, withoutRemotes } from '../../engine/simulate.ts';
import { inTransaction } from '../../transaction.ts';
import {
  type SimulatedInvoice,
  type SimulatedTotals,
  simulatedInvoices,
  simulatedTotals,
} from '../previews/simulate-documents.ts';
import { requireSubscriptions } from '../subscriptions/store.ts';
import { laterInstant } from './advance.ts';
import { isOver, readLatestRun } from './store.ts';

/** How many subscriptions a simulation takes on. */
export const mostSubscriptions = 500;

/** How many deadlines, notices included, a simulation executes. */
export const mostSteps = 5_000;

/** Steps between two looks at what else the process has to do. */
const stepsAtOnce = 100;

/** Where to move the clock in thought, and whose deadlines count; all of them when no subscriptions are named. */
export type SimulateInput = {
  readonly until: Date;
  readonly subscriptionIds?: readonly string[] | null | undefined;
};

/** A deadline a run would execute, as its item would show it (BIL-55). */
export type SimulatedItem = {
  readonly deadline: DeadlineRow;
  readonly customerName: string | null;
  readonly status: 'completed' | 'failed';
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly error: string | null;
};

/** What a run to the target would do. */
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
    `A simulation executes ${mostSteps} deadlines at most; name fewer subscriptions or an earlier instant.`,
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
    throw reject('until', 'The clock is still being moved by an unfinished run.');
  const now = tx.clock.now();
  const target = laterInstant('until', until, now);
  if (subscriptionIds !== null) await requireSubscriptions(tx, subscriptionIds);
  const environmentTasks = await readEnvironmentTasks(tx, subscriptionIds, target, mostSteps + 1);
  if (environmentTasks.length > mostSteps) throw tooManySteps();
  const subjects = new Set(
    environmentTasks.flatMap(({ subscriptionId }) => (subscriptionId === null ? [] : [subscriptionId])),
  );
  if (subjects.size > mostSubscriptions) {
    throw reject(
      'subscriptionIds',
      `More than ${mostSubscriptions} subscriptions have something due; name at most so many.`,
    );
  }
  return { now, target, aggregates: await loadForSimulation(tx, environmentTasks, now), subjects };
}

/** A step as its item in a run; null for what a run does not count: notices, what waits, what belongs to no subscription. */
function itemOf({ deadline, status, item, error, aggregate }: SimulationStep): SimulatedItem | null {
  if (status === 'parked' || deadline.rank >= deadlineRanks.daily_scan) return null;
  const { fullName } = aggregate.customer;
  const shown = { outcome: item?.outcome ?? null, detail: item?.detail ?? null };
  return { deadline, customerName: fullName === '' ? null : fullName, status, ...shown, error };
}

/**
 * What moving the clock would do, in memory: the same decisions in the same order on what is stored now, test cards included, and nothing
 * written. Throws `validation_error` for a target that is not later than the clock, while a run is unfinished, and beyond the bounds;
 * `subscription_not_found` for one that does not exist.
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
