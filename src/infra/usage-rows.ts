import type { Query } from './db.ts';

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
