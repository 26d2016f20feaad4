import { hourMs } from '../../../domain/time/period.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { type HealthRow, readHealth } from './store.ts';

export type Health = {
  readonly total: Omit<HealthRow, 'webhookId' | 'at'>;
  readonly series: readonly HealthRow[];
};

const nothing = { delivered: 0, failed: 0, queued: 0, medianMs: null };
/** Returns delivery statistics of an endpoint for the last hours, in real time. Lookups are batched. */
export function loadHealth(ctx: Context, webhookId: string, hours: number): Promise<Health> {
  const load = ctx.once(`health of endpoints: ${hours}`, () =>
    batchedByColumns<Health>(async (ids) => {
      const after = new Date(ctx.wall.now().getTime() - hours * hourMs);
      const rows = Map.groupBy(await readHealth(ctx.sql, ids, after), (row) => row.webhookId);
      return (wanted) => {
        const [total = nothing, ...series] = rows.get(wanted) ?? [];
        return { total, series };
      };
    }),
  );
  return load(webhookId, 'all');
}
