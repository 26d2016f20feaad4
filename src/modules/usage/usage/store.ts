import { validationError } from '../../../domain/errors/errors.ts';
import { dayMs } from '../../../domain/time/period.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { requireCustomer } from '../../customers/customers/store.ts';

/** Usage in one interval of a usage series. The granularity determines the length of the interval. */
export type UsageSpan = { readonly start: Date; readonly value: bigint; readonly events: bigint };

export type Granularity = 'hour' | 'day' | 'month';

/**
 * Reads a feature's usage in UTC intervals by event time, with `from` inclusive and `to` exclusive. Excludes corrected events. Usage is 0 in intervals without events.
 * Runs one statement whose cost depends only on the number of events in the range.
 */
const readUsageSeries = (
  sql: Query,
  {
    customerId,
    featureId,
    from,
    to,
    granularity,
  }: { customerId: string; featureId: string; from: Date; to: Date; granularity: Granularity },
): Promise<UsageSpan[]> =>
  sql<UsageSpan>(
    `SELECT span.start, coalesce(sum(e.value), 0)::bigint AS value, count(e.id) AS events
     FROM (SELECT generate_series(date_trunc($6, $4::timestamptz, 'UTC'), $5::timestamptz - interval '1 millisecond', ('1 ' || $6)::interval) AS start) span
     LEFT JOIN "UsageEvent" e ON e."environmentId" = $1 AND e."customerId" = $2 AND e."featureId" = $3
       AND e.ts >= greatest(span.start, $4) AND e.ts < least(span.start + ('1 ' || $6)::interval, $5)
       AND NOT EXISTS (SELECT FROM "UsageCorrection" c WHERE c."environmentId" = $1 AND c."usageEventId" = e.id)
     GROUP BY span.start ORDER BY span.start`,
    [customerId, featureId, from, to, granularity],
  );

/** Maximum number of intervals in a usage series. */
const maxSpans = 1_000;

const spanMs: { readonly [granularity in Granularity]: number } = {
  hour: dayMs / 24,
  day: dayMs,
  month: 28 * dayMs,
};

/** Returns a customer's usage of a feature by interval. Throws `validation_error` if the range is empty or too long. */
export async function usageSeries(
  ctx: Context,
  input: { customerId: string; featureCode: string; from: Date; to: Date; granularity: Granularity },
): Promise<UsageSpan[]> {
  const { from, to, granularity } = input;
  if (to <= from) throw validationError([{ field: 'to', message: 'must be after `from`' }]);
  if ((to.getTime() - from.getTime()) / spanMs[granularity] > maxSpans) {
    throw validationError([{ field: 'to', message: `must be at most ${maxSpans} intervals after \`from\`` }]);
  }
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  const feature = await featureRows.require(ctx, input.featureCode, 'featureCode');
  return readUsageSeries(ctx.sql, { customerId: customer.id, featureId: feature.id, from, to, granularity });
}
