import { addToDay, type Day, midnightOf } from '../../domain/metrics/range.ts';
import type { RecoveryMaker, RecoveryOutcome } from '../../domain/metrics/recovery.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Invoices whose collection failed first on a day of one span, by currency and what became of them. Amounts are minor units. */
export type RecoveryRow = {
  readonly span: number;
  readonly currency: string;
  readonly outcome: RecoveryOutcome;
  readonly maker: RecoveryMaker | null;
  readonly attempts: number | null;
  readonly count: number;
  readonly amount: bigint;
};

/**
 * Invoices in dunning by the day it began, with what followed: the first event that ended it, who was behind that, and how many slots it took. One
 * statement, whose work grows with the invoices that failed in the range.
 */
export const readRecovery = (sql: Query, starts: readonly Day[], to: Day): Promise<RecoveryRow[]> =>
  sql<RecoveryRow>(
    `WITH cases AS (
       SELECT DISTINCT ON (e."invoiceId") e."invoiceId", e."subscriptionId", e.position, e."occurredAt" FROM "Event" e
       WHERE e."environmentId" = $1 AND e.kind = 'subscription.past_due' AND e."occurredAt" >= ($2::timestamptz[])[1] AND e."occurredAt" < $3::timestamptz
         AND e."invoiceId" IS NOT NULL ORDER BY e."invoiceId", e.position),
     ended AS (
       SELECT width_bucket(date_trunc('day', c."occurredAt", 'UTC'), $2::timestamptz[]) - 1 AS span, i.currency, i.total,
         CASE WHEN o.kind IS NULL THEN 'open' WHEN o.kind = 'payment.recovered' THEN 'recovered' WHEN o.kind = 'payment.retry_failed' THEN 'exhausted'
           WHEN EXISTS (SELECT FROM "Event" x WHERE x."environmentId" = $1 AND x."subscriptionId" = c."subscriptionId" AND x.position > c.position
             AND x.kind = 'subscription.canceled' AND x."occurredAt" = o."occurredAt") THEN 'canceled' ELSE 'voided' END AS outcome,
         CASE WHEN o.kind = 'payment.recovered' THEN CASE WHEN o.source IN ('clock', 'worker', 'provider') THEN 'retry' WHEN o.source IN ('api', 'dashboard') THEN 'hand' ELSE 'customer' END END AS maker,
         CASE WHEN o.kind = 'payment.recovered' THEN least(4, 1 + (SELECT count(*) FROM "Transaction" x WHERE x."environmentId" = $1 AND x."invoiceId" = c."invoiceId"
           AND x.status = 'failed' AND NOT x."isPayerRetry" AND x."createdAt" > c."occurredAt"))::int END AS attempts
       FROM cases c JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = c."invoiceId"
       LEFT JOIN LATERAL (
         SELECT o.kind, o.source, o."occurredAt" FROM "Event" o WHERE o."environmentId" = $1 AND o."subscriptionId" = c."subscriptionId" AND o.position > c.position
           AND o."invoiceId" = c."invoiceId" AND o.kind IN ('payment.recovered', 'payment.retry_failed', 'invoice.voided') ORDER BY o.position LIMIT 1) o ON TRUE)
     SELECT span, currency, outcome, maker, attempts, count(*)::int AS count, SUM(total)::bigint AS amount FROM ended GROUP BY 1, 2, 3, 4, 5`,
    [starts.map(midnightOf), midnightOf(addToDay(to, 1))],
  );
