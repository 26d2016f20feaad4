import type { PayoutAccountStatus } from '../../domain/payments/payout.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

/** Payout account of an environment. Lock the payout account before its releases, payouts, and bank accounts. */
export type AccountRow = {
  readonly id: string;
  readonly status: PayoutAccountStatus;
  /**
   * Country of the organization's bank. `null` if the organization hasn't submitted its verification details.
   */
  readonly country: string | null;
  /** Available funds up to this time have been released. `null` if no release has run yet. */
  readonly releasedUntil: Date | null;
};

/** Locks the payout account until the end of the transaction. Throws if the account doesn't exist. */
export async function lockAccount(sql: Query): Promise<AccountRow> {
  const [row] = await sql<AccountRow>(
    `SELECT ${columnList('PayoutAccount', 't')} FROM "PayoutAccount" t WHERE t."environmentId" = $1 FOR UPDATE`,
  );
  if (row === undefined) throw new Error('The environment has no payout account.');
  return row;
}

/** Stores the country that the organization submitted for verification. The account must be locked. */
export async function submitAccount(sql: Query, id: string, country: string, now: Date): Promise<void> {
  await sql(
    `UPDATE "PayoutAccount" SET status = 'pending', country = $3, "updatedAt" = $4 WHERE "environmentId" = $1 AND id = $2`,
    [id, country, now],
  );
}

/** Stores the verification result. The account must be locked. */
export async function decideAccount(
  sql: Query,
  id: string,
  status: 'verified' | 'rejected',
  now: Date,
): Promise<void> {
  await sql(
    `UPDATE "PayoutAccount" SET status = $3::"PayoutAccountStatus", "updatedAt" = $4 WHERE "environmentId" = $1 AND id = $2`,
    [id, status, now],
  );
}

/** Sets a bank account as the default. Clear the previous default first. */
export async function makeDefaultAccount(sql: Query, id: string): Promise<void> {
  await sql('UPDATE "PayoutBankAccount" SET "isDefault" = true WHERE "environmentId" = $1 AND id = $2', [id]);
}

export async function clearDefaultAccount(sql: Query): Promise<void> {
  await sql('UPDATE "PayoutBankAccount" SET "isDefault" = false WHERE "environmentId" = $1 AND "isDefault"');
}

/** Marks a bank account as unable to receive payouts. */
export async function markErrored(sql: Query, id: string): Promise<void> {
  await sql(`UPDATE "PayoutBankAccount" SET status = 'errored' WHERE "environmentId" = $1 AND id = $2`, [id]);
}

/** Locks a payout until the end of the transaction. `null` if it doesn't exist. */
export async function lockPayout(sql: Query, id: string): Promise<Row<'Payout'> | null> {
  const [row] = await sql<Row<'Payout'>>(
    `SELECT t.* FROM "Payout" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  return row ?? null;
}

/**
 * SQL expression: net amount of a settled charge made through the platform's processor, in US cents. Must
 * match `capturedUsdMinor` in the domain.
 */
const capturedSql = (alias: string): string =>
  `greatest(0, ${alias}."grossUsdMinor" - ${alias}."feeUsdMinor" - coalesce(${alias}."taxUsdMinor", 0))`;

/**
 * SQL condition: the charge was made through the platform's processor and its funds are held. Only such
 * charges have an `availableAt`.
 */
const heldSql = (alias: string): string =>
  `${alias}."availableAt" > ${alias}."paidAt" AND ${alias}."grossUsdMinor" IS NOT NULL AND ${alias}.provider = 'platform'`;

const releasedUntil = `coalesce((SELECT a."releasedUntil" FROM "PayoutAccount" a WHERE a."environmentId" = $1), '-infinity'::timestamptz)`;

/** SQL query: captured amount that hasn't been released yet. */
export const pendingSql = `SELECT coalesce(sum(${capturedSql('t')}), 0)::bigint FROM "Transaction" t
  WHERE t."environmentId" = $1 AND t."availableAt" > ${releasedUntil} AND ${heldSql('t')}`;

/** SQL query: total of the payouts in progress. */
export const inTransitSql = `SELECT coalesce(sum(p."amountMinor"), 0)::bigint FROM "Payout" p
  WHERE p."environmentId" = $1 AND p.status IN ('pending', 'in_transit')`;

/**
 * SQL query: amount frozen by disputes. Calculated as the gross amount minus earlier refunds, rounded half
 * up. Must match `disputedUsdMinor` in the domain.
 */
export const frozenSql = `SELECT coalesce(sum(t."grossUsdMinor" - CASE WHEN t."refundedMinor" = 0 THEN 0
    ELSE div(2 * t."grossUsdMinor"::numeric * t."refundedMinor" + t."amountMinor", 2 * t."amountMinor") END), 0)::bigint FROM "Transaction" t
  WHERE t."environmentId" = $1 AND t.status = 'disputed' AND t."disputeOutcome" IS NULL AND t.provider = 'platform' AND t."grossUsdMinor" IS NOT NULL`;

type Sums = {
  readonly pendingMinor: bigint;
  readonly availableMinor: bigint;
  readonly frozenMinor: bigint;
  readonly inTransitMinor: bigint;
};

/** Reads all components of the balance with one SQL statement. The available amount comes from the ledger. */
export async function readBalanceSums(sql: Query): Promise<Sums> {
  const [row] = await sql<Sums>(
    `SELECT (${pendingSql}) AS "pendingMinor", (${frozenSql}) AS "frozenMinor", (${inTransitSql}) AS "inTransitMinor",
       (SELECT coalesce(sum(CASE WHEN l."debitAccount" = 'merchant_available' THEN l."amountMinor" ELSE -l."amountMinor" END), 0)::bigint
        FROM "LedgerTransfer" l WHERE l."environmentId" = $1
          AND (l."debitAccount" = 'merchant_available' OR l."creditAccount" = 'merchant_available')) AS "availableMinor"`,
  );
  if (row === undefined) throw new Error('The query for the balance returned no row.');
  return row;
}

/** Amount of held funds in US cents, and the midnight when the funds become available. */
export type UpcomingFunds = { readonly availableAt: Date; readonly amountMinor: bigint };

/**
 * Maximum number of release times to read. Fewer exist in practice, because funds are held for only a few
 * days.
 */
const maxMidnights = 60;

/** Reads the held funds grouped by release time, earliest first, with one SQL statement. */
export const readUpcomingFunds = (sql: Query): Promise<UpcomingFunds[]> =>
  sql<UpcomingFunds>(
    `SELECT date_trunc('day', t."availableAt" - interval '1 ms', 'UTC') + interval '1 day' AS "availableAt",
       sum(${capturedSql('t')})::bigint AS "amountMinor"
     FROM "Transaction" t WHERE t."environmentId" = $1 AND t."availableAt" > ${releasedUntil} AND ${heldSql('t')}
     GROUP BY 1 ORDER BY 1 LIMIT ${maxMidnights}`,
  );

/** SQL query: earliest time at which held funds become available. `null` if no funds are held. */
export const earliestHeldSql = `SELECT min(t."availableAt") FROM "Transaction" t
  WHERE t."environmentId" = $1 AND t."availableAt" > ${releasedUntil} AND ${heldSql('t')}`;

/**
 * Returns the funds that become available after `after` (from the beginning if `null`) and at or before
 * `by`.
 */
export async function heldBetween(sql: Query, after: Date | null, by: Date): Promise<bigint> {
  const [row] = await sql<{ sum: bigint }>(
    `SELECT coalesce(sum(${capturedSql('t')}), 0)::bigint AS sum FROM "Transaction" t WHERE t."environmentId" = $1
       AND t."availableAt" > coalesce($2, '-infinity'::timestamptz) AND t."availableAt" <= $3 AND ${heldSql('t')}`,
    [after, by],
  );
  return row?.sum ?? 0n;
}

/** SQL query: earliest time at which a hold on usage expires. `null` if no hold is open. */
export const earliestExpirySql = `SELECT min("dueAt") FROM "UsageHold" WHERE "environmentId" = $1`;

/** Times of the next release of held funds, of the next change in a payout's status, and of the next expiry of a hold on usage. */
export type EnvironmentTaskTimes = {
  readonly expiryAt: Date | null;
  readonly heldAt: Date | null;
  readonly stepAt: Date | null;
  readonly payoutId: string | null;
};

export async function readEnvironmentTaskTimes(sql: Query): Promise<EnvironmentTaskTimes> {
  const [row] = await sql<EnvironmentTaskTimes>(
    `SELECT (${earliestHeldSql}) AS "heldAt", (${earliestExpirySql}) AS "expiryAt", p."nextStepAt" AS "stepAt", p.id AS "payoutId" FROM (SELECT 1) one LEFT JOIN LATERAL (
       SELECT s.id, s."nextStepAt" FROM "Payout" s WHERE s."environmentId" = $1 AND s."nextStepAt" IS NOT NULL
       ORDER BY s."nextStepAt", s.seq LIMIT 1) p ON true`,
  );
  if (row === undefined) throw new Error('The query for due times returned no row.');
  return row;
}
