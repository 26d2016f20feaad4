import { oldestRateDays } from '../../../domain/metrics/conversion.ts';
import { accessStatuses } from '../../../domain/subscription/state/transitions.ts';
import { foldText, piecesOf } from '../../../domain/text/folding.ts';
import { collectedSql } from '../../../engine/collected-payments.ts';
import { isOwed } from '../../../engine/owed-invoices.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { customersWith } from '../../customers/customers/search-store.ts';

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
 * Returns the query for limits that don't apply to a subscription because its currency has no exchange rate (LIM-25). Selects the
 * same columns as the queries for other objects that need attention.
 */
const unpricedLimits = (
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

/** Reasons why objects need an organization's attention, most urgent first. */
export const attentionKinds = [
  'stuck_deadline',
  'past_due_subscription',
  'overdue_invoice',
  'open_dispute',
  'approval_waiting',
  'limit_reached',
  'limit_unpriced',
  'auto_topup_paused',
  'failed_payout',
  'verification_wanted',
  'failing_webhook',
  'failed_delivery',
  'failed_email',
  'failed_clock_run',
  'trial_ending',
  'expiring_card',
  'abandoned_checkout',
  'expiring_key',
] as const;

export type AttentionKind = (typeof attentionKinds)[number];

/** Objects with the same reason and currency: their count, up to `maxAttention` + 1, and sample IDs. */
export type AttentionSum = {
  readonly kind: AttentionKind;
  readonly currency: string | null;
  readonly count: number;
  readonly amount: bigint | null;
  readonly oldestAt: Date;
  readonly ids: readonly string[];
};

/** Maximum number of objects to count per attention item. */
export const maxAttention = 1_000;
/** Maximum number of sample object IDs per attention item. */
export const maxSamples = 25;

const days = (count: number): string => `interval '${count} days'`;
const limit = `LIMIT ${maxAttention + 1}`;

/**
 * Query per reason that returns the currency, amount, time, and ID of each object. $2 is the environment's time, $3 is
 * real time, and $4 is `true` in the live environment.
 */
const attentionParts: Readonly<Record<AttentionKind, string>> = {
  stuck_deadline: `SELECT NULL, NULL::bigint, t."dueAt", coalesce(t."subscriptionId", t."customerId") FROM "Deadline" t
    WHERE t."environmentId" = $1 AND t.state = 'failed' AND t.attempts > 0 ${limit}`,
  past_due_subscription: `SELECT s.currency, (i.total - i."creditedAmount" - i."paidInParts")::bigint, coalesce(s."dunningStartedAt", s."updatedAt"), s.id
    FROM "Subscription" s LEFT JOIN "Invoice" i ON i."environmentId" = s."environmentId" AND i.id = s."dunningInvoiceId"
    WHERE s."environmentId" = $1 AND s.status = 'past_due' ${limit}`,
  overdue_invoice: `SELECT t.currency, (t.total - t."creditedAmount" - t."paidInParts")::bigint, t."dueDate", t.id FROM "Invoice" t
    WHERE t."environmentId" = $1 AND ${isOwed('t')} AND t."dueDate" < date_trunc('day', $2::timestamptz, 'UTC') ${limit}`,
  open_dispute: `SELECT t.currency, t."amountMinor"::bigint, t."disputedAt", t.id FROM "Transaction" t
    WHERE t."environmentId" = $1 AND t.status = 'disputed' AND t.status <> 'succeeded' AND t."disputeOutcome" IS NULL ${limit}`,
  approval_waiting: `SELECT NULL, NULL::bigint, t."createdAt", t.id FROM "Approval" t
    WHERE t."environmentId" = $1 AND t.status = 'pending' AND t."expiresAt" > $3::timestamptz ${limit}`,
  limit_reached: `SELECT DISTINCT ON (coalesce(t."customerId", t."limitId")) NULL, NULL::bigint, t."createdAt", coalesce(t."customerId", t."limitId") FROM (
      SELECT * FROM "LimitCrossing" c WHERE c."environmentId" = $1 AND c."windowEnd" > $2::timestamptz AND c.kind = 'reached'
      ORDER BY c."windowEnd", c.seq ${limit}) t
    JOIN "Limit" l ON l."environmentId" = $1 AND l.id = t."limitId" AND l."deletedAt" IS NULL AND l.action = 'block'
    WHERE NOT EXISTS (SELECT FROM "LimitRaise" r WHERE r."environmentId" = $1 AND r."nodeId" = t."nodeId"
      AND r.until > $2::timestamptz AND r."limitId" = t."limitId")
    ORDER BY coalesce(t."customerId", t."limitId"), t."createdAt"`,
  limit_unpriced: unpricedLimits(maxAttention + 1),
  auto_topup_paused: `SELECT NULL, NULL::bigint, t."updatedAt", t."customerId" FROM "AutoTopUp" t
    WHERE t."environmentId" = $1 AND t.status = 'paused' AND t."removedAt" IS NULL ${limit}`,
  failed_payout: `SELECT 'usd', t."amountMinor"::bigint, t."createdAt", t.id FROM "Payout" t
    WHERE t."environmentId" = $1 AND t."createdAt" >= $2::timestamptz - ${days(30)} AND t.status = 'failed' ${limit}`,
  verification_wanted: `SELECT NULL, NULL::bigint, t."updatedAt", NULL FROM "PayoutAccount" t
    WHERE t."environmentId" = $1 AND $4::boolean AND t.status IN ('none', 'rejected')`,
  failing_webhook: `SELECT NULL, NULL::bigint, t."updatedAt", t.id FROM "Webhook" t
    WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND t."failedInRow" > 0 ${limit}`,
  failed_delivery: `SELECT NULL, NULL::bigint, t."createdAt", t.id FROM "WebhookDelivery" t
    WHERE t."environmentId" = $1 AND t.status = 'failed' AND t."createdAt" >= $3::timestamptz - ${days(7)} ${limit}`,
  failed_email: `SELECT NULL, NULL::bigint, t."createdAt", t.id FROM "EmailNotification" t
    WHERE t."environmentId" = $1 AND t.status = 'failed' AND t."createdAt" >= $3::timestamptz - ${days(7)} ${limit}`,
  failed_clock_run: `SELECT NULL, NULL::bigint, r."createdAt", r.id FROM (
      SELECT * FROM "TestClockRun" t WHERE t."environmentId" = $1 ORDER BY t.seq DESC LIMIT 1) r
    WHERE r.status = 'failed' AND r.error->>'code' <> 'canceled'`,
  trial_ending: `SELECT NULL, NULL::bigint, t."dueAt", t."subscriptionId" FROM "Deadline" t
    WHERE t."environmentId" = $1 AND t.state = 'ready' AND t."dueAt" <= $2::timestamptz + ${days(3)} AND t.kind = 'trial_end' ${limit}`,
  expiring_card: `SELECT NULL, NULL::bigint, e."occurredAt", s.id
    FROM "Event" e JOIN "Subscription" s ON s."environmentId" = e."environmentId" AND s.id = e."subscriptionId"
    WHERE e."environmentId" = $1 AND e.kind = 'payment_method.expiring' AND e."occurredAt" >= $2::timestamptz - ${days(31)}
      AND s.status IN ('active', 'trialing') AND NOT s."cancelAtPeriodEnd" AND s."paymentMethodId" = e.data->>'paymentMethodId'
      AND (e.data->>'renewsAt')::timestamptz > $2::timestamptz ${limit}`,
  abandoned_checkout: `SELECT s.currency, i.total::bigint, s."createdAt", s.id
    FROM "Subscription" s LEFT JOIN "Invoice" i ON i."environmentId" = s."environmentId" AND i.id = s."checkoutInvoiceId"
    WHERE s."environmentId" = $1 AND s.status = 'pending_payment' AND s."createdAt" < $2::timestamptz - ${days(1)} ${limit}`,
  expiring_key: `SELECT NULL, NULL::bigint, t."expiresAt", t.id FROM "ApiKey" t
    WHERE t."environmentId" = $1 AND t."expiresAt" > $3::timestamptz AND t."expiresAt" <= $3::timestamptz + ${days(14)} ${limit}`,
};

/**
 * Reads the objects that need attention, by reason and currency. Runs one SQL statement that reads a limited number of
 * rows per reason.
 */
export const readAttention = (
  sql: Query,
  now: Date,
  wall: Date,
  livemode: boolean,
): Promise<AttentionSum[]> =>
  sql<AttentionSum>(
    `SELECT kind, currency, count(*)::int AS count, sum(amount)::bigint AS amount, min(at) AS "oldestAt",
       coalesce((array_agg(id ORDER BY at, id) FILTER (WHERE id IS NOT NULL))[1:${maxSamples}], '{}') AS ids
     FROM (${attentionKinds
       .map(
         (kind) =>
           `SELECT '${kind}' AS kind, p.* FROM (${attentionParts[kind]}) AS p(currency, amount, at, id)`,
       )
       .join(' UNION ALL ')}) AS found
     GROUP BY kind, currency ORDER BY kind, currency`,
    [now, wall, livemode],
  );

/** Types of objects that the search finds. */
export const searchKinds = [
  'customer',
  'subscription',
  'invoice',
  'payment',
  'transaction',
  'plan',
  'feature',
  'offer',
  'promo_code',
  'webhook',
  'event',
] as const;

export type SearchKind = (typeof searchKinds)[number];
export type SearchMatch = 'id' | 'external_id' | 'number' | 'email' | 'name' | 'code' | 'url';

export type SearchHit = { readonly kind: SearchKind; readonly matched: SearchMatch; readonly id: string };

/**
 * SQL for a segment of a row's search text, in lowercase and without accents. Segments start at 1 (see `searchTextOf`).
 */
const part = (place: number): string => `split_part(t."searchText", E'\\n', ${place})`;

/**
 * SQL for the rank of a match: 0 for an equal value, 1 for a value that starts with the search text, 2 for any other
 * match. $2 is the search text in lowercase and without accents, and $3 is the prefix pattern.
 */
const rank = (value: string): string =>
  `CASE WHEN ${value} = $2 THEN 0 WHEN ${value} LIKE $3 THEN 1 ELSE 2 END`;

/** Query for catalog rows whose value contains the search text. Needs no index, because catalog tables are small. */
const named = (table: string, value: string, matched: SearchMatch, where = 't."deletedAt" IS NULL'): string =>
  `SELECT '${matched}' AS matched, t.id, ${rank(value)} AS rank, ${value} AS text FROM "${table}" t
   WHERE t."environmentId" = $1 AND ${where} AND ${value} LIKE $4`;

/**
 * Queries by object type. $4 is the pattern that matches the text anywhere, $5 is a number or `null`, $6 is a code in uppercase, and $7 is
 * the end of the code range.
 */
const searchParts: { readonly [kind in SearchKind]?: (contains: string) => readonly string[] } = {
  customer: (contains) => [
    `SELECT CASE WHEN ${part(3)} = $2 THEN 'external_id' WHEN ${part(2)} LIKE $3 THEN 'email' WHEN ${part(1)} LIKE $4 THEN 'name'
         WHEN ${part(2)} LIKE $4 THEN 'email' ELSE 'external_id' END AS matched, t.id,
       least(${rank(part(3))}, ${rank(part(2))}, ${rank(part(1))}) AS rank, ${part(1)} AS text
     FROM "Customer" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND t.id IN (${contains})`,
  ],
  invoice: () => [
    `SELECT 'number' AS matched, t.id, 0 AS rank, t.number::text AS text FROM "Invoice" t WHERE t."environmentId" = $1 AND t.number = $5::bigint`,
  ],
  plan: () => [named('Plan', part(1), 'name'), named('Plan', part(2), 'code')],
  feature: () => [named('Feature', part(1), 'name'), named('Feature', part(2), 'code')],
  offer: () => [named('Offer', part(1), 'name', 'true')],
  promo_code: () => [
    `SELECT 'code' AS matched, t.id, CASE WHEN t.code = $6 THEN 0 ELSE 1 END AS rank, lower(t.code) AS text FROM "PromoCode" t
     WHERE t."environmentId" = $1 AND (t.code COLLATE "C") >= $6 AND (t.code COLLATE "C") < $7`,
  ],
  webhook: () => [named('Webhook', 'lower(t.url)', 'url')],
};

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Returns the number in a string such as `INV-0042` or `42`. `null` if the string isn't a number. */
const numberIn = (text: string): string | null => /^(?:inv-)?(\d{1,18})$/i.exec(text)?.[1] ?? null;

/**
 * Searches for objects that match a search string of at least two characters. Best matches come first. Each object
 * appears once, with its best match. Runs one SQL statement. Strings are compared byte by byte, ignoring case and
 * accents, so that all databases return the same results in the same order.
 */
export function readHits(
  sql: Query,
  text: string,
  kinds: readonly SearchKind[],
  limit: number,
): Promise<SearchHit[]> {
  const folded = foldText(text);
  if (piecesOf(folded).length === 0) return Promise.resolve([]);
  const params: unknown[] = [
    folded,
    `${escaped(folded)}%`,
    `%${escaped(folded)}%`,
    numberIn(text),
    text.toUpperCase(),
    `${text.toUpperCase()}\u{10ffff}`,
  ];
  const contains = customersWith(text)((value) => `$${params.push(value) + 1}`);
  const found = searchKinds.flatMap((kind, place) =>
    kinds.includes(kind)
      ? (searchParts[kind]?.(contains) ?? []).map(
          (rows) => `SELECT '${kind}' AS kind, ${place} AS place, p.* FROM (${rows}) AS p`,
        )
      : [],
  );
  if (found.length === 0) return Promise.resolve([]);
  // PostgreSQL can't infer the types of unused parameters.
  const typed = `$2::text IS NOT NULL AND $3::text IS NOT NULL AND $4::text IS NOT NULL AND $5::text IS NOT DISTINCT FROM $5::text AND $6::text IS NOT NULL AND $7::text IS NOT NULL AND $8::text[] IS NOT NULL AND $9::text IS NOT NULL`;
  return sql<SearchHit>(
    `SELECT kind, matched, id FROM (
       SELECT DISTINCT ON (kind, id) kind, place, matched, id, rank, text FROM (${found.join(' UNION ALL ')}) AS matches
       ORDER BY kind, id, rank, matched) AS hits
     WHERE ${typed} ORDER BY rank, place, text COLLATE "C", id LIMIT ${limit}`,
    params,
  );
}

/** Totals of customers in one currency. `mrr` is in ten-thousandths of the currency unit, other amounts are in minor units. */
export type CustomerSums = {
  readonly currency: string;
  readonly mrr: bigint;
  readonly outstanding: bigint;
  readonly totalPaid: bigint;
};

/** Returns a SELECT for the totals of the customers whose IDs an SQL expression contains, by currency. */
export const selectCustomerSums = (ids: string): string =>
  `SELECT currency, sum(mrr)::bigint AS mrr, sum(outstanding)::bigint AS outstanding, sum(paid)::bigint AS "totalPaid" FROM (
     SELECT s.currency, s.mrr, 0::bigint AS outstanding, 0::bigint AS paid FROM "Subscription" s
     WHERE s."environmentId" = $1 AND s."customerId" = ANY(${ids}) AND s.mrr <> 0
     UNION ALL
     SELECT i.currency, 0, i.total - i."creditedAmount" - i."paidInParts", 0 FROM "Invoice" i
     WHERE i."environmentId" = $1 AND i."customerId" = ANY(${ids}) AND ${isOwed('i')}
     UNION ALL
     SELECT a.currency, 0, 0, a."amountMinor" FROM "Transaction" a
     WHERE a."environmentId" = $1 AND a."customerId" = ANY(${ids}) AND ${collectedSql('a')}) AS amounts
   GROUP BY currency HAVING sum(mrr) <> 0 OR sum(outstanding) <> 0 OR sum(paid) <> 0 ORDER BY sum(paid) DESC, currency`;
