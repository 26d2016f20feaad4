import type { SubscriptionStatus } from '../../../domain/rows/enums.ts';
import { batchedByColumns, loadRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Columns } from '../../../platform/db/columns.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { countSubscriptions } from './store.ts';

/** Returns the next deadlines of a subscription, earliest first. Lookups are batched. */
export const loadDeadlines = async (
  ctx: Context,
  subscriptionId: string,
  first: number,
): Promise<Row<'Deadline'>[]> =>
  (await loadRowsBy(ctx, 'Deadline', 'subscriptionId', subscriptionId, 'dueAt')).slice(0, first);

/**
 * Returns the current state of the plan that a subscription will change to. `null` if no plan change is scheduled.
 * Lookups are batched.
 */
export async function loadScheduledPlan(
  ctx: Context,
  { scheduledChange }: Pick<Row<'Subscription'>, 'scheduledChange'>,
  columns: Columns,
): Promise<Row<'Plan'> | null> {
  const planId = scheduledChange?.newPlanId ?? null;
  return planId === null ? null : loadRow(ctx, 'Plan', planId, columns);
}

/**
 * Returns the number of subscriptions to a plan or with a price. Excludes subscriptions with other statuses, unless
 * `statuses` is `null`. Lookups are batched.
 */
export function loadSubscriptionCount(
  ctx: Context,
  column: 'planId' | 'priceId',
  id: string,
  statuses: readonly SubscriptionStatus[] | null,
): Promise<number> {
  const load = ctx.once(`subscriptions by ${column}:${statuses?.join() ?? ''}`, () =>
    batchedByColumns<number>(async (ids) => {
      const rows = await countSubscriptions(ctx.sql, column, ids, statuses);
      const counts = new Map(rows.map((row) => [row.id, row.count]));
      return (wanted) => counts.get(wanted) ?? 0;
    }),
  );
  return load(id, 'all');
}
