import { specificError } from '../../../domain/errors/errors.ts';
import { canBePromoted } from '../../../domain/offers/offer.ts';
import { normalizedCode } from '../../../domain/offers/promo-code.ts';
import type { Context } from '../../../request/context.ts';
import { offerRows } from '../offers/store.ts';
import { type Limits, type PromoCodeRow, planIdsNamed, promoCodeRows } from './store.ts';

/** Parameters for creating a promo code. By default, the code is active and has no limits. */
export type NewPromoCodeInput = Limits & { readonly code: string; readonly offerId: string };

/** Throws `offer_not_found`. Throws `offer_not_applicable` if promo codes can't use the offer (OFR-33). */
async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await offerRows.lock(ctx, offerId, 'offerId', 'SHARE');
  if (canBePromoted(offer.phases)) return;
  throw specificError('offer_not_applicable', 'promo_code_phases', { param: 'offerId' });
}

/**
 * Creates a promo code. Throws `offer_not_found`, `offer_not_applicable`, and `plan_not_found`. Throws `duplicate` if the code is taken,
 * even for concurrent requests (OFR-33).
 */
export const createPromoCode = (ctx: Context, input: NewPromoCodeInput): Promise<PromoCodeRow> =>
  promoCodeRows.create(ctx, async (tx) => {
    await checkOffer(tx, input.offerId);
    const planIds = await planIdsNamed(tx, input.planIds ?? []);
    return { ...input, planIds, code: normalizedCode(input.code) };
  });
