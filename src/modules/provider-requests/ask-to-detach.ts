// A removed payment method at the provider that keeps it (PAY-34).
import type { Context } from '../../context.ts';
import { ended, type ProviderRequestRow } from '../../domain/provider-request.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { inTransaction } from '../../transaction.ts';
import { hasStoredTwin, lockRequest, updateRequests } from './store.ts';

/** After so long without an answer nobody asks any more: the key of the connection, for instance, was withdrawn. */
const patienceMs = 30 * 86_400_000;

/** Ends a request with what became of it. */
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
 * Has the provider of a removed method forget it, unless another stored method of the customer is the same one there. Without an answer the request
 * stays and is made again at its next inquiry, for 30 days. Throws when the provider does not answer before that.
 */
export async function askToDetach(ctx: Context, { id, createdAt }: ProviderRequestRow): Promise<void> {
  const method = await loadRow(ctx, 'PaymentMethod', id);
  const gateway = method === null ? null : ctx.app.gateways.gatewayOf(method.provider, ctx.livemode);
  const detach = gateway === null || gateway.local ? undefined : gateway.detach;
  if (method === null || detach === undefined || (await hasStoredTwin(ctx, method)))
    return end(ctx, id, 'kept');
  try {
    await detach(method.reference, ctx.environment.id);
  } catch (error) {
    if (ctx.wall.now().getTime() - createdAt.getTime() < patienceMs) throw error;
    ctx.log.error(
      { err: error, method: id },
      'A removed payment method could not be detached at its provider.',
    );
    return end(ctx, id, 'given_up');
  }
  await end(ctx, id, 'detached');
}
