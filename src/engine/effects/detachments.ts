import { newProviderRequest } from '../../domain/payments/provider-request.ts';
import { insertRows } from '../../platform/db/bulk.ts';
import type { TransactionContext } from '../../request/context.ts';
import type { NumberedRows } from './number.ts';

/**
 * Records requests to detach payment methods that were removed or must not be saved, in the transaction that removes
 * them (PAY-8, PAY-34). The worker sends the requests after the commit. Payment methods that aren't stored at a
 * provider need no request. Returns true if any request was recorded.
 */
export async function requestDetachments(
  { app, livemode, sql, wall }: TransactionContext,
  { paymentMethods }: Pick<NumberedRows, 'paymentMethods'>,
): Promise<boolean> {
  const { added, changed } = paymentMethods;
  const kept = [...added, ...changed].filter(({ provider, removedAt }) => {
    if (removedAt === null) return false;
    const gateway = app.gateways.gatewayOf(provider, livemode);
    return !gateway.local && gateway.detach !== undefined;
  });
  const now = wall.now();
  await insertRows(
    sql,
    'ProviderRequest',
    kept.map(({ id }) => newProviderRequest('payment_method', id, now)),
  );
  return kept.length > 0;
}
