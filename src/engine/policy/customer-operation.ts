import { specificError } from '../../domain/errors/errors.ts';
import { type OperationLimit, operationEntry, retryAfterOf } from '../../domain/limits/operation-limits.ts';
import type { CustomerOperation } from '../../domain/limits/system-operations.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { countedOperation } from './counted-operation.ts';

/** Reads the limits of the organization that count an operation of a customer. */
async function readLimits(
  { sql, clock }: Context,
  customerId: string,
  operation: CustomerOperation,
): Promise<OperationLimit[]> {
  const rows = await sql<Row<'Limit'>>(
    `SELECT ${columnList('Limit', 't')} FROM "Limit" t
     WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND t.filter->'operations' ? $3 AND t.measure = 'calls'
       AND t."validFrom" <= $4 AND (t."validUntil" IS NULL OR t."validUntil" > $4)
       AND (t."customerId" = $2 OR t."customerId" IS NULL AND (t."planId" IS NULL OR EXISTS (
         SELECT 1 FROM "Subscription" s WHERE s."environmentId" = $1 AND s."customerId" = $2 AND s."planId" = t."planId"
           AND s.status <> 'canceled'))) ORDER BY t.seq`,
    [customerId, operation, clock.now()],
  );
  const replaced = new Set(rows.flatMap(({ replaces }) => replaces ?? []));
  return rows.flatMap(({ id, name, amount, window, filter }) =>
    amount === null || replaced.has(id)
      ? []
      : [
          {
            id,
            name,
            setBy: 'merchant' as const,
            measure: 'calls' as const,
            operations: filter.operations ?? [],
            window,
            amount,
            action: 'block' as const,
          },
        ],
  );
}

/**
 * Runs an operation of a customer that limits of the organization count, such as a purchase. Throws `rate_limited` if a limit rejects the
 * operation.
 */
export async function customerOperation<T>(
  ctx: Context,
  customerId: string,
  operation: CustomerOperation,
  work: () => Promise<T>,
): Promise<T> {
  return countedOperation(ctx, customerId, await readLimits(ctx, customerId, operation), {
    work,
    errorOf: (rejecting) =>
      specificError('rate_limited', 'operations_of_customer', {
        retryAfter: retryAfterOf(rejecting),
        details: {
          reason: 'limit_reached',
          limits: rejecting.map((one) => operationEntry(one, { kind: 'customer', key: customerId })),
        },
      }),
  });
}
