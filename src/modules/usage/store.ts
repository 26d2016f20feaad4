import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { dayMs } from '../../domain/period.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';

/** A span of a chart: what was consumed from its start on, for as long as the granularity says. */
export type UsageSpan = { readonly start: Date; readonly value: bigint; readonly events: bigint };

/** How finely usage is summed up. */
export type Granularity = 'hour' | 'day' | 'month';

/**
 * Usage of a feature by spans of UTC time, by the events' own times: `from` inclusive, `to` exclusive, spans without events at 0. One
 * statement, whose cost grows with the events between the two only.
 */
export const readUsageSeries = (
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
     GROUP BY span.start ORDER BY span.start`,
    [customerId, featureId, from, to, granularity],
  );

/** A feature that was not deleted, by its code. Throws `feature_not_found`. */
export async function requireFeature(
  ctx: Context,
  code: string,
  param = 'featureCode',
): Promise<Row<'Feature'>> {
  const feature = await ctx.db.feature.findFirst({ where: { code, deletedAt: null } });
  if (feature === null) throw new QuittanceError('feature_not_found', { param });
  return feature;
}

/** At most this many spans in an answer. */
const maxSpans = 1_000;

const spanMs: { readonly [granularity in Granularity]: number } = {
  hour: dayMs / 24,
  day: dayMs,
  month: 28 * dayMs,
};

/** What a customer consumed of a feature, span by span. Throws `validation_error` for an empty or too long range. */
export async function usageSeries(
  ctx: Context,
  input: { customerId: string; featureCode: string; from: Date; to: Date; granularity: Granularity },
): Promise<UsageSpan[]> {
  const { from, to, granularity } = input;
  if (to <= from) throw validationError([{ field: 'to', message: 'to must lie after from.' }]);
  if ((to.getTime() - from.getTime()) / spanMs[granularity] > maxSpans) {
    throw validationError([
      { field: 'to', message: `The range holds more than ${maxSpans} spans of this granularity.` },
    ]);
  }
  const customer = await requireCustomer(ctx, input.customerId, 'customerId');
  const feature = await requireFeature(ctx, input.featureCode);
  return readUsageSeries(ctx.sql, { customerId: customer.id, featureId: feature.id, from, to, granularity });
}
