import { oldestRateDays } from '../../../domain/metrics/conversion.ts';
import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';

/** Number of latest subscriptions whose currencies are compared with the amounts of a limit. */
const mostSubscriptions = 10_000;

/** SQL: the time at which the window of the limit `t` opened for the subscription `s`. $2 is the environment's time. */
const openedAt = `CASE WHEN t.window->>'kind' IN ('day', 'week', 'month')
    THEN date_trunc(t.window->>'kind', $2::timestamptz, coalesce(t.window->>'timeZone', 'UTC'))
    WHEN t.window->>'kind' = 'usage_window' THEN coalesce(s."windowStart", $2::timestamptz)
    WHEN t.window->>'kind' = 'billing_period' THEN coalesce(s."periodStart", s."windowStart", $2::timestamptz)
    ELSE $2::timestamptz END`;

/** SQL: a table has a rate of the currency `c` for the day of `o.at`, or for the days before it on which rates still apply. */
const hasDayRate = (table: string, own: string): string =>
  `EXISTS (SELECT FROM "${table}" r WHERE ${own} r.currency = c.currency AND r.day <= o.at
     AND r.day >= date_trunc('day', o.at, 'UTC') - interval '${oldestRateDays} days')`;

/**
 * Returns the query for limits that don't apply to a subscription because its currency has no exchange rate (LIM-25). The columns are those
 * of objects that need attention.
 */
export const unpricedLimits = (
  most: number,
): string => `SELECT NULL, NULL::bigint, t."createdAt", t.id FROM "Limit" t
    WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND jsonb_array_length(t.amounts) > 0
      AND t."validFrom" <= $2::timestamptz AND (t."validUntil" IS NULL OR t."validUntil" > $2::timestamptz)
      AND EXISTS (SELECT FROM (SELECT * FROM "Subscription" s WHERE s."environmentId" = $1
          AND (t."planId" IS NULL OR s."planId" = t."planId") AND (t."customerId" IS NULL OR s."customerId" = t."customerId")
          ORDER BY s."createdAt" DESC, s.seq DESC LIMIT ${mostSubscriptions}) s
        CROSS JOIN LATERAL (SELECT ${openedAt} AS at) o
        CROSS JOIN LATERAL unnest(ARRAY[s.currency, t.amounts->0->>'currency']) AS c(currency)
        WHERE s.status IN (${accessStatuses.map((status) => `'${status}'`).join(', ')})
          AND NOT t.amounts @> jsonb_build_array(jsonb_build_object('currency', s.currency)) AND c.currency <> 'usd'
          AND NOT ${hasDayRate('FxRate', 'r."environmentId" = $1 AND')} AND NOT ${hasDayRate('FxFeedRate', '')}
          AND NOT EXISTS (SELECT FROM "PlanExchangeRate" r WHERE r."environmentId" = $1 AND r.currency = c.currency
            AND r."validFrom" < date_trunc('day', o.at, 'UTC') + interval '1 day'
            AND (r."validTo" IS NULL OR r."validTo" >= date_trunc('day', o.at, 'UTC') + interval '1 day')))
    LIMIT ${most}`;
