import { addToDay, bucketsOf, type DayRange, midnightOf } from '../../../domain/metrics/range.ts';
import {
  type ScheduledEntry,
  type ScheduledSeries,
  scheduledSeries,
} from '../../../domain/metrics/scheduled.ts';
import { decisionDeps } from '../../../engine/charge.ts';
import { decideDeadline } from '../../../engine/deadline.ts';
import { loadForSimulation } from '../../../engine/preview/preview.ts';
import { settlingGateways } from '../../../engine/simulate.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { readScheduledTasks } from './store.ts';

/** Maximum number of subscriptions whose scheduled changes a response includes. */
const maxScheduled = 1_000;

/** Scheduled changes. `isComplete` is `false` if subscriptions are missing from the response. */
export type Scheduled = { readonly isComplete: boolean; readonly series: readonly ScheduledSeries[] };

/**
 * Computes the scheduled changes in recurring revenue. Simulates the ends of periods and trials in memory and assumes that charges succeed.
 * Nothing is stored. Throws `validation_error` if the range is reversed or contains too many days.
 */
export function computeScheduled(ctx: Context, { from, to }: DayRange): Promise<Scheduled> {
  bucketsOf({ from, to }, 'day');
  return inTransaction(ctx, async (tx) => {
    const until = midnightOf(addToDay(to, 1));
    const found = await readScheduledTasks(tx.sql, midnightOf(from), until, maxScheduled + 1);
    const tasks = found.slice(0, maxScheduled);
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
    return { isComplete: found.length <= maxScheduled, series: scheduledSeries(entries) };
  });
}
