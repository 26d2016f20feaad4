// Totals of the current usage window, also for meters whose total is known only at its end (PRM-121).
import { hasDimensions } from '../../meters/meter.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { UsageCellRow, UsageCounterRow } from '../../rows/usage-rows.ts';
import { earlier } from '../../time/period.ts';
import { countedIn } from '../../usage/counter.ts';
import type { Draft } from '../state/draft.ts';

/** Returns a counter with the total of its window so far. The counter must belong to the current window. */
export const countedSoFar = (
  draft: Draft,
  subscription: SubscriptionRow,
  counter: UsageCounterRow,
): UsageCounterRow =>
  countedIn(counter, draft.aggregate.measured, {
    start: counter.windowStart,
    end: earlier(boundOf(subscription, subscription.windowEnd), draft.dueAt),
  });

/** Returns the totals by dimension values of a counter's window. `undefined` if the meter has no dimensions. */
export function cellsOf(
  draft: Draft,
  { subscriptionId, featureId, windowStart, meter }: UsageCounterRow,
): readonly UsageCellRow[] | undefined {
  if (meter === null || !hasDimensions(meter)) return;
  return draft.cells
    .all()
    .filter(
      (cell) =>
        cell.subscriptionId === subscriptionId &&
        cell.featureId === featureId &&
        cell.windowStart.getTime() === windowStart.getTime(),
    );
}
