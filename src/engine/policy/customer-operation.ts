import { specificError } from '../../domain/errors/errors.ts';
import { converted, inCurrency } from '../../domain/limits/currencies.ts';
import {
  type OperationLimit,
  openedAt,
  operationEntry,
  retryAfterOf,
  storedLimit,
} from '../../domain/limits/operation-limits.ts';
import type { CustomerOperation } from '../../domain/limits/system-operations.ts';
import type { Context } from '../../request/context.ts';
import { readConversion } from '../load/fx-rates.ts';
import { countedOperation } from './counted-operation.ts';
import { previewOperation } from './preview.ts';
import { type CustomerLimit, readCustomerLimits } from './stored-limits.ts';

/**
 * Returns a limit in the currency of an operation. `null` if the limit doesn't apply, because it's in another currency, or because the rate for
 * its first amount isn't known (LIM-25).
 */
async function applied(
  { sql, clock }: Context,
  { row, raise, timeZone }: CustomerLimit,
  currency: string | null,
): Promise<OperationLimit | null> {
  if (row.measure !== 'money') return storedLimit(row, { raise, timeZone });
  if (currency === null) return null;
  const [first] = row.amounts;
  if (first === undefined) return row.currency === currency ? storedLimit(row, { raise, timeZone }) : null;
  const own = inCurrency(row, currency);
  const now = clock.now();
  const at = openedAt(storedLimit(own, { raise, timeZone }), now);
  const convert =
    own.amount === null
      ? await readConversion(sql, [first.currency, currency], { from: new Date(at), to: now })
      : null;
  const priced = converted(own, at, convert);
  return priced === null ? null : storedLimit(priced, { raise, timeZone });
}

/**
 * Runs an operation of a customer that limits of the organization count, such as a purchase. Throws `rate_limited` if a limit rejects the
 * operation. The operation is previewed if a limit counts its money.
 */
export async function customerOperation<T>(
  ctx: Context,
  customerId: string,
  operation: CustomerOperation,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const found = await readCustomerLimits(ctx.sql, customerId, operation, ctx.clock.now());
  if (found.length === 0) return work(ctx);
  const isPriced = found.some(({ row }) => row.measure === 'money');
  const previewed = isPriced
    ? await previewOperation(ctx, { name: operation, args: {}, isPreviewable: true }, work)
    : null;
  const money = previewed?.preview.money[0];
  const limits: OperationLimit[] = [];
  for (const limit of found) {
    const own = await applied(ctx, limit, money?.currency ?? null);
    if (own !== null) limits.push(own);
  }
  const node = { kind: 'customer', id: customerId } as const;
  return countedOperation(ctx, node, limits, {
    work,
    money,
    errorOf: (rejecting) =>
      specificError('rate_limited', 'operations_of_customer', {
        retryAfter: retryAfterOf(rejecting),
        details: {
          reason: 'limit_reached',
          limits: rejecting.map((one) => operationEntry(one, node)),
        },
      }),
  });
}
