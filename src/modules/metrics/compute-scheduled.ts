import type { Context } from '../../context.ts';
import { addToDay, bucketsOf, type DayRange, midnightOf } from '../../domain/metrics/range.ts';
import {
  type ScheduledEntry,
  type ScheduledSeries,
  scheduledSeries,
} from '../../domain/metrics/scheduled.ts';
import { decisionDeps } from '../../engine/charge.ts';
import { decideDeadline } from '../../engine/deadline.ts';
import { loadForSimulation } from '../../engine/preview.ts';
import { settlingGateways } from '../../engine/simulate.ts';
import { inTransaction } from '../../transaction.ts';
import { readScheduledTasks } from './store.ts';

/** Subscriptions with something scheduled that are decided for one answer. */
const mostScheduled = 1_000;

/** What is coming, and whether that is all of it. */
export type Scheduled = { readonly isComplete: boolean; readonly series: readonly ScheduledSeries[] };

/**
 * What will change of recurring revenue by itself, as things stand: the ends of periods and trials are decided in memory, with charges that settle, and
 * nothing is written. Throws `validation_error` for a reversed range and for too many days.
 */
export function computeScheduled(ctx: Context, { from, to }: DayRange): Promise<Scheduled> {
  bucketsOf({ from, to }, 'day');
  return inTransaction(ctx, async (tx) => {
    const until = midnightOf(addToDay(to, 1));
    const found = await readScheduledTasks(tx.sql, midnightOf(from), until, mostScheduled + 1);
    const tasks = found.slice(0, mostScheduled);
    const aggregates = await loadForSimulation(tx, tasks, tx.clock.now());
    const byCustomer = new Map(aggregates.map((aggregate) => [aggregate.customer.id, aggregate]));
    const deps = decisionDeps(tx);
    const entries = tasks.flatMap((task): ScheduledEntry[] => {
      const aggregate = byCustomer.get(task.customerId);
      if (aggregate === undefined) return [];
      const { changes } = decideDeadline(settlingGateways, aggregate, task, task.dueAt, deps);
      return (changes?.mrrEntries ?? []).map(({ reason, before, after }) => ({
        ...{ reason, before, after },
        dueAt: task.dueAt,
        isTrial: task.kind === 'trial_end',
      }));
    });
    return { isComplete: found.length <= mostScheduled, series: scheduledSeries(entries) };
  });
}
