import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireSubscription, type SubscriptionRow } from './store.ts';

/** Parameters for applying an offer. `expiresAt` is the time at which the quoted offer expires. */
export type ApplyOfferInput = {
  readonly id: string;
  readonly offerId: string;
  readonly expiresAt?: Date | null | undefined;
};

/**
 * Quotes an offer in a subscription's open checkout, or applies the offer to an active subscription from its next billing cycle (OFR-21).
 * Returns the updated subscription. Throws `validation_error` if `expiresAt` is in the past, `subscription_not_found`,
 * `invalid_subscription_status`, `offer_not_found`, and `offer_not_applicable` with `details.reason`.
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
 * Removes a directly applied offer from a subscription's open checkout (OFR-24). Returns the updated subscription. Throws
 * `subscription_not_found`, `invalid_subscription_status`, and `offer_not_found` if no offer is quoted.
 */
export async function removeOffer(ctx: Context, { id }: { readonly id: string }): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'offer.remove', subscriptionId: id });
  return requireSubscription(ctx, id);
}
