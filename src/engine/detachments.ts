import type { TransactionContext } from '../context.ts';
import { newProviderRequest } from '../domain/provider-request.ts';
import { insertRows } from '../platform/db/bulk.ts';
import type { NumberedRows } from './number.ts';

/**
 * Writes down that the providers of stored methods which were removed are to forget them, in the transaction that removes them (PAY-34); the worker
 * asks after the commit. A method nobody else keeps, such as one of the platform's own processor, needs no request. Answers whether there are any.
 */
export async function requestDetachments(
  { app, livemode, sql, wall }: TransactionContext,
  { paymentMethods }: Pick<NumberedRows, 'paymentMethods'>,
): Promise<boolean> {
  const kept = paymentMethods.changed.filter(({ provider, removedAt }) => {
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
