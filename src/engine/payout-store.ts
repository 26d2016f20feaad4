import type { PayoutAccountStatus } from '../domain/payout.ts';
import { columnList } from '../platform/db/bulk.ts';
import type { Query } from '../platform/db/pool.ts';
import type { Row } from '../platform/db/rows.ts';

/** The payout account of an environment: the lock root of its releases, payouts and bank accounts. */
export type AccountRow = {
  readonly id: string;
  readonly status: PayoutAccountStatus;
  /** Where the organization is paid; null until it is submitted. */
  readonly country: string | null;
  /** Funds that may be withdrawn by then are released; null before the first release. */
  readonly releasedUntil: Date | null;
};

/** Locks the payout account until the transaction ends. Throws when there is none. */
export async function lockAccount(sql: Query): Promise<AccountRow> {
  const [row] = await sql<AccountRow>(
    `SELECT ${columnList('PayoutAccount', 't')} FROM "PayoutAccount" t WHERE t."environmentId" = $1 FOR UPDATE`,
  );
  if (row === undefined) throw new Error('The environment has no payout account.');
  return row;
}

/** Notes where the organization is to be paid, for the provider to decide about. The account is locked. */
export async function submitAccount(sql: Query, id: string, country: string, now: Date): Promise<void> {
  await sql(
    `UPDATE "PayoutAccount" SET status = 'pending', country = $3, "updatedAt" = $4 WHERE "environmentId" = $1 AND id = $2`,
    [id, country, now],
  );
}

/** Notes what was decided about the organization. The account is locked. */
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

/** Gives the default to a bank account; none has it. */
export async function makeDefaultAccount(sql: Query, id: string): Promise<void> {
  await sql('UPDATE "PayoutBankAccount" SET "isDefault" = true WHERE "environmentId" = $1 AND id = $2', [id]);
}

/** Takes the default from the bank account that has it. */
export async function clearDefaultAccount(sql: Query): Promise<void> {
  await sql('UPDATE "PayoutBankAccount" SET "isDefault" = false WHERE "environmentId" = $1 AND "isDefault"');
}

/** Notes that a bank account cannot be paid to. */
export async function markErrored(sql: Query, id: string): Promise<void> {
  await sql(`UPDATE "PayoutBankAccount" SET status = 'errored' WHERE "environmentId" = $1 AND id = $2`, [id]);
}

/** Locks a payout until the transaction ends; null when there is none. */
export async function lockPayout(sql: Query, id: string): Promise<Row<'Payout'> | null> {
  const [row] = await sql<Row<'Payout'>>(
    `SELECT t.* FROM "Payout" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [id],
  );
  return row ?? null;
}

/** What a settled charge of the platform's processor has brought, in US cents; the domain says so in `capturedUsdMinor`. */
export const capturedSql = (alias: string): string =>
  `greatest(0, ${alias}."grossUsdMinor" - ${alias}."feeUsdMinor" - coalesce(${alias}."taxUsdMinor", 0))`;

/** Charges of the platform's processor that are held for a while; `availableAt` is set for no others. */
const heldSql = (alias: string): string =>
  `${alias}."availableAt" > ${alias}."paidAt" AND ${alias}."grossUsdMinor" IS NOT NULL AND ${alias}.provider = 'platform'`;

const releasedUntil = `coalesce((SELECT a."releasedUntil" FROM "PayoutAccount" a WHERE a."environmentId" = $1), '-infinity'::timestamptz)`;

/** What is captured and not released yet. */
export const pendingSql = `SELECT coalesce(sum(${capturedSql('t')}), 0)::bigint FROM "Transaction" t
  WHERE t."environmentId" = $1 AND t."availableAt" > ${releasedUntil} AND ${heldSql('t')}`;

/** What payouts have taken out that has neither arrived nor come back. */
export const inTransitSql = `SELECT coalesce(sum(p."amountMinor"), 0)::bigint FROM "Payout" p
  WHERE p."environmentId" = $1 AND p.status IN ('pending', 'in_transit')`;

/** What disputes have frozen: the gross, less what refunds had returned of it, rounded half up as the domain does in `disputedUsdMinor`. */
export const frozenSql = `SELECT coalesce(sum(t."grossUsdMinor" - CASE WHEN t."refundedMinor" = 0 THEN 0
    ELSE div(2 * t."grossUsdMinor"::numeric * t."refundedMinor" + t."amountMinor", 2 * t."amountMinor") END), 0)::bigint FROM "Transaction" t
  WHERE t."environmentId" = $1 AND t.status = 'disputed' AND t."disputeOutcome" IS NULL AND t.provider = 'platform' AND t."grossUsdMinor" IS NOT NULL`;

type Sums = {
  readonly pendingMinor: bigint;
  readonly availableMinor: bigint;
  readonly frozenMinor: bigint;
  readonly inTransitMinor: bigint;
};

/** The parts of the organization's balance, in one statement; what is available is the sum of its ledger account. */
export async function readBalanceSums(sql: Query): Promise<Sums> {
  const [row] = await sql<Sums>(
    `SELECT (${pendingSql}) AS "pendingMinor", (${frozenSql}) AS "frozenMinor", (${inTransitSql}) AS "inTransitMinor",
       (SELECT coalesce(sum(CASE WHEN l."debitAccount" = 'merchant_available' THEN l."amountMinor" ELSE -l."amountMinor" END), 0)::bigint
        FROM "LedgerTransfer" l WHERE l."environmentId" = $1
          AND (l."debitAccount" = 'merchant_available' OR l."creditAccount" = 'merchant_available')) AS "availableMinor"`,
  );
  if (row === undefined) throw new Error('The balance was not answered.');
  return row;
}

/** Held funds, US cents, and the midnight from which they can be withdrawn. */
export type UpcomingFunds = { readonly availableAt: Date; readonly amountMinor: bigint };

/** How many midnights are answered: funds are held for days. */
const mostMidnights = 60;

/** The held funds by the midnight that releases them, the next one first. One statement. */
export const readUpcomingFunds = (sql: Query): Promise<UpcomingFunds[]> =>
  sql<UpcomingFunds>(
    `SELECT date_trunc('day', t."availableAt" - interval '1 ms', 'UTC') + interval '1 day' AS "availableAt",
       sum(${capturedSql('t')})::bigint AS "amountMinor"
     FROM "Transaction" t WHERE t."environmentId" = $1 AND t."availableAt" > ${releasedUntil} AND ${heldSql('t')}
     GROUP BY 1 ORDER BY 1 LIMIT ${mostMidnights}`,
  );

/** When the first of the held funds may be withdrawn; null while none are held. */
export const earliestHeldSql = `SELECT min(t."availableAt") FROM "Transaction" t
  WHERE t."environmentId" = $1 AND t."availableAt" > ${releasedUntil} AND ${heldSql('t')}`;

/** What may be withdrawn after one instant, from the beginning when it is null, and by another. */
export async function heldBetween(sql: Query, after: Date | null, by: Date): Promise<bigint> {
  const [row] = await sql<{ sum: bigint }>(
    `SELECT coalesce(sum(${capturedSql('t')}), 0)::bigint AS sum FROM "Transaction" t WHERE t."environmentId" = $1
       AND t."availableAt" > coalesce($2, '-infinity'::timestamptz) AND t."availableAt" <= $3 AND ${heldSql('t')}`,
    [after, by],
  );
  return row?.sum ?? 0n;
}

/** When something of the organization's money is due: held funds may be withdrawn, and which payout moves on with time. */
export type EnvironmentTaskTimes = {
  readonly heldAt: Date | null;
  readonly stepAt: Date | null;
  readonly payoutId: string | null;
};

/** The first times at which something is due, in one statement. */
export async function readEnvironmentTaskTimes(sql: Query): Promise<EnvironmentTaskTimes> {
  const [row] = await sql<EnvironmentTaskTimes>(
    `SELECT (${earliestHeldSql}) AS "heldAt", p."nextStepAt" AS "stepAt", p.id AS "payoutId" FROM (SELECT 1) one LEFT JOIN LATERAL (
       SELECT s.id, s."nextStepAt" FROM "Payout" s WHERE s."environmentId" = $1 AND s."nextStepAt" IS NOT NULL
       ORDER BY s."nextStepAt", s.seq LIMIT 1) p ON true`,
  );
  if (row === undefined) throw new Error('The look at what is due answered nothing.');
  return row;
}
