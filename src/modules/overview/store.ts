import type { Query } from '../../platform/db/pool.ts';
import { customersWith } from '../customers/store.ts';

/** What needs the attention of an organization, the most urgent first. */
export const attentionKinds = [
  'past_due_subscription',
  'overdue_invoice',
  'open_dispute',
  'failed_payout',
  'verification_wanted',
  'failing_webhook',
  'failed_delivery',
  'failed_email',
  'failed_clock_run',
  'trial_ending',
  'abandoned_checkout',
  'expiring_key',
] as const;

export type AttentionKind = (typeof attentionKinds)[number];

/** Rows of one kind and currency: their number, up to one more than `mostAttention`, and the first of them. */
export type AttentionSum = {
  readonly kind: AttentionKind;
  readonly currency: string | null;
  readonly count: number;
  readonly amount: bigint | null;
  readonly oldestAt: Date;
  readonly ids: readonly string[];
};

/** Rows of a kind that are counted. */
export const mostAttention = 1_000;
/** Ids that are read of a kind. */
export const mostSamples = 25;

const days = (count: number): string => `interval '${count} days'`;
const limit = `LIMIT ${mostAttention + 1}`;

/** Each kind: currency, amount, since when, and id of its rows. $2 is business time, $3 real time, $4 whether the environment is live. */
const attentionParts: Readonly<Record<AttentionKind, string>> = {
  past_due_subscription: `SELECT s.currency, i.total::bigint, coalesce(s."dunningStartedAt", s."updatedAt"), s.id
    FROM "Subscription" s LEFT JOIN "Invoice" i ON i."environmentId" = s."environmentId" AND i.id = s."dunningInvoiceId"
    WHERE s."environmentId" = $1 AND s.status = 'past_due' ${limit}`,
  overdue_invoice: `SELECT t.currency, t.total::bigint, t."dueDate", t.id FROM "Invoice" t
    WHERE t."environmentId" = $1 AND t.status = 'outstanding' AND t.status <> 'paid' AND t."dueDate" < date_trunc('day', $2::timestamptz, 'UTC') ${limit}`,
  open_dispute: `SELECT t.currency, t."amountMinor"::bigint, t."disputedAt", t.id FROM "Transaction" t
    WHERE t."environmentId" = $1 AND t.status = 'disputed' AND t.status <> 'succeeded' AND t."disputeOutcome" IS NULL ${limit}`,
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
  abandoned_checkout: `SELECT s.currency, i.total::bigint, s."createdAt", s.id
    FROM "Subscription" s LEFT JOIN "Invoice" i ON i."environmentId" = s."environmentId" AND i.id = s."checkoutInvoiceId"
    WHERE s."environmentId" = $1 AND s.status = 'pending_payment' AND s."createdAt" < $2::timestamptz - ${days(1)} ${limit}`,
  expiring_key: `SELECT NULL, NULL::bigint, t."expiresAt", t.id FROM "ApiKey" t
    WHERE t."environmentId" = $1 AND t."expiresAt" > $3::timestamptz AND t."expiresAt" <= $3::timestamptz + ${days(14)} ${limit}`,
};

/** What needs attention, by kind and currency. One statement, which reads a bounded number of rows of each kind. */
export const readAttention = (
  sql: Query,
  now: Date,
  wall: Date,
  livemode: boolean,
): Promise<AttentionSum[]> =>
  sql<AttentionSum>(
    `SELECT kind, currency, count(*)::int AS count, sum(amount)::bigint AS amount, min(at) AS "oldestAt",
       coalesce((array_agg(id ORDER BY at, id) FILTER (WHERE id IS NOT NULL))[1:${mostSamples}], '{}') AS ids
     FROM (${attentionKinds
       .map(
         (kind) =>
           `SELECT '${kind}' AS kind, p.* FROM (${attentionParts[kind]}) AS p(currency, amount, at, id)`,
       )
       .join(' UNION ALL ')}) AS found
     GROUP BY kind, currency ORDER BY kind, currency`,
    [now, wall, livemode],
  );

/** What can be found by a text. */
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

/** An object that was found, and by what. */
export type SearchHit = { readonly kind: SearchKind; readonly matched: SearchMatch; readonly id: string };

/** How well a value matches: 0 wholly, 1 at its beginning, 2 somewhere in it. $2 is the text, $3 its beginning as a pattern, in lower case. */
const rank = (value: string): string =>
  `CASE WHEN lower(${value}) = $2 THEN 0 WHEN lower(${value}) LIKE $3 THEN 1 ELSE 2 END`;

/** Rows of a part of the catalog, which is small, by their names and codes. */
const named = (table: string, value: string, matched: SearchMatch, where = 't."deletedAt" IS NULL'): string =>
  `SELECT '${matched}' AS matched, t.id, ${rank(`t.${value}`)} AS rank, lower(t.${value}) AS text FROM "${table}" t
   WHERE t."environmentId" = $1 AND ${where} AND lower(t.${value}) LIKE $4`;

/** The statements of the kinds that have texts. $4 is the text anywhere, as a pattern; $5 a number or null; $6 a code in upper case, $7 the end of its range. */
const searchParts: { readonly [kind in SearchKind]?: (contains: string) => readonly string[] } = {
  customer: (contains) => [
    `SELECT CASE WHEN lower(t."externalId") = $2 THEN 'external_id' WHEN lower(t.email) LIKE $3 THEN 'email' WHEN lower(t."fullName") LIKE $4 THEN 'name'
         WHEN lower(t.email) LIKE $4 THEN 'email' ELSE 'external_id' END AS matched, t.id,
       least(${rank(`coalesce(t."externalId", '')`)}, ${rank('t.email')}, ${rank('t."fullName"')}) AS rank, lower(t."fullName") AS text
     FROM "Customer" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND t.id IN (${contains})`,
  ],
  invoice: () => [
    `SELECT 'number' AS matched, t.id, 0 AS rank, t.number::text AS text FROM "Invoice" t WHERE t."environmentId" = $1 AND t.number = $5::bigint`,
  ],
  plan: () => [named('Plan', 'name', 'name'), named('Plan', 'code', 'code')],
  feature: () => [named('Feature', 'name', 'name'), named('Feature', 'code', 'code')],
  offer: () => [named('Offer', 'name', 'name', 'true')],
  promo_code: () => [
    `SELECT 'code' AS matched, t.id, CASE WHEN t.code = $6 THEN 0 ELSE 1 END AS rank, lower(t.code) AS text FROM "PromoCode" t
     WHERE t."environmentId" = $1 AND (t.code COLLATE "C") >= $6 AND (t.code COLLATE "C") < $7`,
  ],
  webhook: () => [named('Webhook', 'url', 'url')],
};

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The number in a text such as `INV-0042` or `42`; null without one. */
const numberIn = (text: string): string | null => /^(?:inv-)?(\d{1,18})$/i.exec(text)?.[1] ?? null;

/**
 * What a text of at least three characters finds, the best matches first: each object once, by its best match. One statement. Order and matches are
 * the same on every database: texts are compared by their bytes, in lower case.
 */
export function readHits(
  sql: Query,
  text: string,
  kinds: readonly SearchKind[],
  limit: number,
): Promise<SearchHit[]> {
  const lower = text.toLowerCase();
  const params: unknown[] = [
    lower,
    `${escaped(lower)}%`,
    `%${escaped(lower)}%`,
    numberIn(text),
    text.toUpperCase(),
    `${text.toUpperCase()}\u{10ffff}`,
  ];
  const contains = customersWith(text)((value) => `$${params.push(value) + 1}`);
  const found = searchKinds.flatMap((kind, place) =>
    kinds.includes(kind)
      ? (searchParts[kind]?.(contains) ?? []).map(
          (part) => `SELECT '${kind}' AS kind, ${place} AS place, p.* FROM (${part}) AS p`,
        )
      : [],
  );
  if (found.length === 0) return Promise.resolve([]);
  // A statement whose parameters are not all used has no types for the others.
  const typed = `$2::text IS NOT NULL AND $3::text IS NOT NULL AND $4::text IS NOT NULL AND $5::text IS NOT DISTINCT FROM $5::text AND $6::text IS NOT NULL AND $7::text IS NOT NULL AND $8::text IS NOT NULL`;
  return sql<SearchHit>(
    `SELECT kind, matched, id FROM (
       SELECT DISTINCT ON (kind, id) kind, place, matched, id, rank, text FROM (${found.join(' UNION ALL ')}) AS matches
       ORDER BY kind, id, rank, matched) AS hits
     WHERE ${typed} ORDER BY rank, place, text COLLATE "C", id LIMIT ${limit}`,
    params,
  );
}
