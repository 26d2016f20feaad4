import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { executeOne } from '../../engine/execute.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { acceptance, keyOf, loadRetentionOffer } from './load-retention-offer.ts';
import { reread, shownSubscription } from './pay.ts';
import { findRetentions } from './store.ts';

/** What a customer accepts: the offer as it was shown, and why the customer was about to leave. */
export type AcceptInput = { readonly key: string; readonly reason?: string | null | undefined };

/**
 * Applies the offer to stay to the caller's subscription as it was shown, and takes back the cancellation that is scheduled (OFR-43). Accepting
 * again what is applied changes nothing. Throws `subscription_not_found`, and `offer_not_applicable` where the terms are others by now or the
 * offer is not made any more; then nothing has changed.
 */
export async function acceptRetentionOffer(
  ctx: Context,
  { key, reason }: AcceptInput,
): Promise<SubscriptionRow> {
  const subscription = await shownSubscription(ctx);
  const { id, customerId } = subscription;
  const offer = await loadRetentionOffer(ctx, subscription);
  if (offer?.key === key) {
    const { terms, application } = offer;
    if (application.offerId === null) throw new Error('An offer to stay has an offer.');
    await executeOne(ctx, customerId, acceptance(subscription, application.offerId, terms, reason ?? null));
    return reread(ctx, id);
  }
  // Another window may have accepted it since the subscription was read.
  const current = await reread(ctx, id);
  const isApplied =
    !current.cancelAtPeriodEnd && (await findRetentions(ctx, id)).some((row) => keyOf(row) === key);
  if (isApplied) return current;
  throw specificError('offer_not_applicable', 'retention_changed', {
    param: 'key',
    details: { reason: 'retention_changed' },
  });
}
