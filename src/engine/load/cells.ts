import { hasDimensions } from '../../domain/meters/meter.ts';
import type { UsageCellRow, UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { LoadBatch } from './batch.ts';
import { inWindow } from './reload-filters.ts';

/** Counter fields that identify the totals by dimension values. */
type Counted = Pick<UsageCounterRow, 'subscriptionId' | 'featureId' | 'windowStart'>;

/** Reads the totals by dimension values of usage windows. Executes no SQL statement if the list is empty. */
export const readCells = async (sql: Query, windows: readonly Counted[]): Promise<UsageCellRow[]> =>
  windows.length === 0
    ? []
    : sql<UsageCellRow>(
        `SELECT ${columnList('UsageCell', 't')} FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS k(subscription, feature, start)
         CROSS JOIN LATERAL (SELECT * FROM "UsageCell" WHERE "environmentId" = $1 AND "subscriptionId" = k.subscription
           AND "featureId" = k.feature AND "windowStart" = k.start OFFSET 0) t ORDER BY t.seq`,
        [
          textArray(windows.map(({ subscriptionId }) => subscriptionId)),
          textArray(windows.map(({ featureId }) => featureId)),
          textArray(windows.map(({ windowStart }) => windowStart.toISOString())),
        ],
      );

/** Loads the totals by dimension values of the current usage windows whose meters have dimensions. */
export async function loadCells(batch: LoadBatch): Promise<UsageCellRow[]> {
  const [subscriptions, counters] = [await batch.get('subscriptions'), await batch.get('counters')];
  const divided = counters.filter(({ meter }) => meter !== null && hasDimensions(meter));
  return readCells(batch.ctx.sql, inWindow(divided, { subscriptions }));
}
