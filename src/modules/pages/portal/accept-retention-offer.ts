import { specificError } from '../../../domain/errors/errors.ts';
import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { acceptance, keyOf, loadRetentionOffer } from './load-retention-offer.ts';
import { reread, shownSubscription } from './pay.ts';
import { findRetentions } from './store.ts';

/** Key of the terms that the customer accepts, and the cancellation reason. */
export type AcceptInput = { readonly key: string; readonly reason?: string | null | undefined };

/**
 * Applies the retention offer to the caller's subscription if its terms still match the accepted terms, and revokes a scheduled
 * cancellation (OFR-43). Accepting an applied offer repeatedly has no effect. Throws `subscription_not_found`, and `offer_not_applicable`
 * if the terms changed or the offer is no longer available.
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
    if (application.offerId === null) throw new Error('A retention offer must reference an offer.');
    await executeOne(ctx, customerId, acceptance(subscription, application.offerId, terms, reason ?? null));
    return reread(ctx, id);
  }
  // The customer may have accepted the offer in another browser window since the subscription was read.
  const current = await reread(ctx, id);
  const isApplied =
    !current.cancelAtPeriodEnd && (await findRetentions(ctx, id)).some((row) => keyOf(row) === key);
  if (isApplied) return current;
  throw specificError('offer_not_applicable', 'retention_changed', {
    param: 'key',
    details: { reason: 'retention_changed' },
  });
}
