import type { Context } from '../../context.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { type HealthRow, readHealth } from './store.ts';

/** How the deliveries of an endpoint went. */
export type Health = {
  readonly total: Omit<HealthRow, 'webhookId' | 'at'>;
  readonly series: readonly HealthRow[];
};

const nothing = { delivered: 0, failed: 0, queued: 0, medianMs: null };
const hourMs = 3_600_000;

/** How the deliveries of an endpoint went in the last hours of operational time. Batched. */
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
