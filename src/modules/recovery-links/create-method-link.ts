import type { Context } from '../../context.ts';
import { QuittanceError, specificError } from '../../domain/errors.ts';
import { processorRejection } from '../../domain/processors.ts';
import { statusRejections } from '../../domain/subscription/state/transitions.ts';
import { loadSeller } from '../../engine/load-seller.ts';
import { requireSubscription } from '../subscriptions/store.ts';

/** Which subscription is to be charged by another method, and where the page leads back to. */
export type MethodLinkInput = { readonly id: string; readonly successUrl?: string | null | undefined };

/**
 * The address at which the customer replaces the stored payment method (SUB-36). The token carries the return address, so nothing is written.
 * Throws `subscription_not_found`, `invalid_subscription_status`, and `provider_unsupported` in live mode while nothing is set up that could
 * charge.
 */
export async function createMethodLink(
  ctx: Context,
  { id, successUrl }: MethodLinkInput,
): Promise<{ readonly checkoutUrl: string }> {
  const { status } = await requireSubscription(ctx, id);
  if (statusRejections.updateMethod[status] !== undefined)
    throw specificError('invalid_subscription_status', 'no_method_charged', { values: { status } });
  const rejection = processorRejection((await loadSeller(ctx)).processors);
  if (rejection !== null) throw new QuittanceError(rejection);
  const { secrets, config } = ctx.app;
  const subjectId = successUrl ? `${id} ${successUrl}` : id;
  const token = await secrets.signPage({ page: 'method', environmentId: ctx.environment.id, subjectId });
  return { checkoutUrl: `${config.publicUrl}/method/${token}` };
}
