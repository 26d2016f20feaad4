import type { Query } from '../../../platform/db/pool.ts';

/** Facts about an environment that determine the state of its setup steps. */
type SetupRow = {
  readonly connections: number;
  readonly verifiedConnections: number;
  readonly isPayoutVerified: boolean;
  readonly isPayoutPending: boolean;
  readonly hasTaxes: boolean;
  readonly hasKey: boolean;
  readonly hasUsedKey: boolean;
  readonly hasWebhook: boolean;
  readonly hasDelivery: boolean;
  readonly hasPayment: boolean;
};

/** Reads the setup facts of an environment. Runs one SQL statement that stops at the first matching row of each table. */
export async function readSetup(sql: Query, now: Date): Promise<SetupRow> {
  const [row] = await sql<SetupRow>(
    `SELECT
       (SELECT count(*)::int FROM "PaymentConnection" t WHERE t."environmentId" = $1) AS connections,
       (SELECT count(*)::int FROM "PaymentConnection" t WHERE t."environmentId" = $1 AND t."webhookSecret" IS NOT NULL) AS "verifiedConnections",
       EXISTS (SELECT FROM "PayoutAccount" t WHERE t."environmentId" = $1 AND t.status = 'verified') AS "isPayoutVerified",
       EXISTS (SELECT FROM "PayoutAccount" t WHERE t."environmentId" = $1 AND t.status = 'pending') AS "isPayoutPending",
       EXISTS (SELECT FROM "TaxRegistration" t WHERE t."environmentId" = $1) AS "hasTaxes",
       EXISTS (SELECT FROM "ApiKey" t WHERE t."environmentId" = $1 AND (t."expiresAt" IS NULL OR t."expiresAt" > $2)) AS "hasKey",
       EXISTS (SELECT FROM "ApiKey" t WHERE t."environmentId" = $1 AND t."lastUsedAt" IS NOT NULL) AS "hasUsedKey",
       EXISTS (SELECT FROM "Webhook" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL) AS "hasWebhook",
       EXISTS (SELECT FROM "Webhook" w JOIN "WebhookDelivery" t ON t."environmentId" = $1 AND t."webhookId" = w.id AND t.status = 'succeeded'
         WHERE w."environmentId" = $1 AND w."deletedAt" IS NULL) AS "hasDelivery",
       EXISTS (SELECT FROM "Event" t WHERE t."environmentId" = $1 AND t.kind = 'payment.received') AS "hasPayment"`,
    [now],
  );
  if (row === undefined) throw new Error('The setup is a single row.');
  return row;
}

/** Reads the time of the first event of each kind. Kinds without events are omitted. Runs one SQL statement. */
export const readFirstEvents = (
  sql: Query,
  kinds: readonly string[],
): Promise<{ readonly kind: string; readonly at: Date }[]> =>
  sql(
    `SELECT k.kind, first.at FROM unnest($2::text[]) AS k(kind) CROSS JOIN LATERAL (
       SELECT t."occurredAt" AS at FROM "Event" t WHERE t."environmentId" = $1 AND t.kind = k.kind ORDER BY t.position LIMIT 1) AS first`,
    [kinds],
  );
