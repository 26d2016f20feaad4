import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { statusRefusals } from '../../domain/subscription/state.ts';
import { requireSubscription } from './find.ts';

/** Which subscription is to be charged by another method, and where the page leads back to. */
export type MethodLinkInput = { readonly id: string; readonly successUrl?: string | null | undefined };

/**
 * The address at which the customer replaces the stored payment method (SUB-36). The token carries the return address, so nothing is written.
 * Throws `subscription_not_found` and `invalid_subscription_status`.
 */
export async function createMethodLink(context: Context, { id, successUrl }: MethodLinkInput): Promise<{ readonly checkoutUrl: string }> {
  const { status } = await requireSubscription(context, id);
  const code = statusRefusals.updateMethod[status];
  if (code !== undefined) throw new QuittanceError(code, `The subscription is ${status}; no method is charged.`);
  const { secrets, config } = context.app;
  const subjectId = successUrl ? `${id} ${successUrl}` : id;
  const token = await secrets.signPage({ page: 'method', environmentId: context.environment.id, subjectId });
  return { checkoutUrl: `${config.publicUrl}/method/${token}` };
}
