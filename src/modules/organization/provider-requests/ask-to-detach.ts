// Detaches removed payment methods at their payment providers (PAY-34).

import { ended, type ProviderRequestRow } from '../../../domain/payments/provider-request.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { hasStoredDuplicate, lockRequest, updateRequests } from './store.ts';

/** Time after which a detach request without a response is abandoned, for example because the connection's key was revoked. */
const detachTimeoutMs = 30 * 86_400_000;

/** Stores the outcome of a detach request and ends the request. */
const end = (ctx: Context, id: string, status: 'detached' | 'kept' | 'given_up'): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      const request = await lockRequest(tx.sql, id);
      if (request?.result === null) await updateRequests(tx.sql, [ended(request, { status }, tx.wall.now())]);
    },
    { clockLock: 'none' },
  );

/**
 * Detaches a removed payment method at its provider, unless the customer has another stored payment method that refers to the same payment
 * method at the provider. Throws if the provider doesn't respond; the request is then retried for up to 30 days.
 */
export async function askToDetach(ctx: Context, { id, createdAt }: ProviderRequestRow): Promise<void> {
  const method = await loadRow(ctx, 'PaymentMethod', id);
  const gateway = method === null ? null : ctx.app.gateways.gatewayOf(method.provider, ctx.livemode);
  const detach = gateway === null || gateway.local ? undefined : gateway.detach;
  if (method === null || detach === undefined || (await hasStoredDuplicate(ctx, method)))
    return end(ctx, id, 'kept');
  try {
    await detach(method.reference, ctx.environment.id);
  } catch (error) {
    if (ctx.wall.now().getTime() - createdAt.getTime() < detachTimeoutMs) throw error;
    ctx.log.error({ err: error, method: id }, 'Detaching a removed payment method at its provider failed.');
    return end(ctx, id, 'given_up');
  }
  await end(ctx, id, 'detached');
}
