import type { LimitedCaller, LimitRow } from '../../domain/limits/limit.ts';
import {
  countsOperation,
  type NamedOperation,
  type OperationLimit,
  storedLimit,
} from '../../domain/limits/operation-limits.ts';
import type { CustomerOperation } from '../../domain/limits/system-operations.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

// Stored limits on operations of API keys, members, and customers, with the raises of the node.

type Found = Row<'Limit'> & { readonly raise: string; readonly timeZone: string | null };

/** SQL: limits on operations that are valid at `$3`, with the raises of the node `$2`. */
const selectValid = (timeZone: string): string =>
  `SELECT ${columnList('Limit', 't')}, ${timeZone} AS "timeZone",
     (SELECT coalesce(sum(r.amount), 0)::text FROM "LimitRaise" r
      WHERE r."environmentId" = $1 AND r."limitId" = t.id AND r."nodeId" = $2 AND r.until > $3) AS raise
   FROM "Limit" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND jsonb_exists(t.filter, 'operations')
     AND t."validFrom" <= $3 AND (t."validUntil" IS NULL OR t."validUntil" > $3)`;

/** Returns the limits without the templates that other limits replace. */
function applying(rows: readonly Found[]): readonly Found[] {
  const replaced = new Set(rows.flatMap(({ replaces }) => replaces ?? []));
  return rows.filter(({ id }) => !replaced.has(id));
}

const callerLimits = `${selectValid('NULL::text')} AND t."customerId" IS NULL
  AND (t."apiKeyId" = $2 OR t."memberId" = $2 OR t.each = $4) ORDER BY t.seq`;

/** Returns the stored limits that count an operation of an API key or a member. `now` is real time (LIM-30). */
export async function readCallerLimits(
  sql: Query,
  { kind, id }: { readonly kind: LimitedCaller; readonly id: string },
  operation: NamedOperation,
  now: Date,
): Promise<OperationLimit[]> {
  const rows = await sql<Found>(callerLimits, [id, now, kind]);
  return applying(rows)
    .map((row) => storedLimit(row, { raise: BigInt(row.raise) }))
    .filter((limit) => countsOperation(limit, operation));
}

const customerLimits = `${selectValid('(SELECT c.timezone FROM "Customer" c WHERE c."environmentId" = $1 AND c.id = $2)')}
  AND (t."customerId" = $2 OR t."customerId" IS NULL AND t.each = 'customer' AND (t."planId" IS NULL OR EXISTS (
    SELECT 1 FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = $2 AND s."planId" = t."planId"
      AND s.status <> 'canceled'))) ORDER BY t.seq`;

/** Stored limit of a customer, with the terms that determine its current amount and window. */
export type CustomerLimit = { readonly row: LimitRow; readonly raise: bigint; readonly timeZone: string };

/** Returns the stored limits that count an operation of a customer. `now` is in the environment's time. */
export async function readCustomerLimits(
  sql: Query,
  customerId: string,
  operation: CustomerOperation,
  now: Date,
): Promise<CustomerLimit[]> {
  const rows = await sql<Found>(customerLimits, [customerId, now]);
  return applying(rows).flatMap((row) => {
    const { operations = [] } = row.filter;
    const isCounted = operations.length === 0 || operations.includes(operation);
    return isCounted ? [{ row, raise: BigInt(row.raise), timeZone: row.timeZone ?? 'UTC' }] : [];
  });
}
