import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

/** Which offer goes on which subscription, and until when it is quoted. */
export type ApplyOfferInput = {
  readonly id: string;
  readonly offerId: string;
  readonly expiresAt?: Date | null | undefined;
};

/**
 * Quotes an offer in the open checkout of a subscription, or applies it to a running one from its next billing cycle on (OFR-21), and answers
 * the subscription as it is at that time. Throws `validation_error` for a past `expiresAt`, `subscription_not_found`, `invalid_subscription_status`,
 * `offer_not_applicable` with `details.reason`, and `offer_not_found`; then nothing has changed.
 */
export async function applyOffer(
  ctx: Context,
  { id, offerId, expiresAt = null }: ApplyOfferInput,
): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'offer.apply', subscriptionId: id, offerId, expiresAt });
  return requireSubscription(ctx, id);
}

/**
 * Takes the direct offer off the open checkout of a subscription (OFR-24) and answers the subscription as it is at that time. Throws
 * `subscription_not_found`, `invalid_subscription_status`, and `offer_not_found` where none is quoted.
 */
export async function removeOffer(ctx: Context, { id }: { readonly id: string }): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'offer.remove', subscriptionId: id });
  return requireSubscription(ctx, id);
}
