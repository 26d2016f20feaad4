import type { Context } from '../../context.ts';
import type { SubscriptionStatus } from '../../domain/enums.ts';
import { batchedByColumns, loadRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Columns } from '../../platform/db/columns.ts';
import type { Row } from '../../platform/db/rows.ts';
import { countSubscriptions } from './store.ts';

/** The next deadlines of a subscription, the earliest first. Batched. */
export const loadDeadlines = async (
  ctx: Context,
  subscriptionId: string,
  first: number,
): Promise<Row<'Deadline'>[]> =>
  (await loadRowsBy(ctx, 'Deadline', 'subscriptionId', subscriptionId, 'dueAt')).slice(0, first);

/** The plan a subscription will change to, as the catalog has it now; null without a change of plan. Batched. */
export async function loadScheduledPlan(
  ctx: Context,
  { scheduledChange }: Pick<Row<'Subscription'>, 'scheduledChange'>,
  columns: Columns,
): Promise<Row<'Plan'> | null> {
  const planId = scheduledChange?.newPlanId ?? null;
  return planId === null ? null : loadRow(ctx, 'Plan', planId, columns);
}

/** How many subscriptions there are to a plan or at a price, of all statuses where `statuses` is null. Batched. */
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
