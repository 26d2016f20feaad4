import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { processorRejection } from '../../../domain/payments/processors.ts';
import { statusRejections } from '../../../domain/subscription/state/transitions.ts';
import { loadSeller } from '../../../engine/load/seller.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription } from '../subscriptions/store.ts';

/** Subscription whose payment method is replaced, and the URL to return to. */
export type MethodLinkInput = { readonly id: string; readonly successUrl?: string | null | undefined };

/**
 * Returns the URL of the page where the customer replaces the stored payment method (SUB-36). The token contains the return URL, so nothing
 * is stored. Throws `subscription_not_found` and `invalid_subscription_status`. In the live environment, throws `provider_unsupported` if
 * no payment provider is configured.
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
