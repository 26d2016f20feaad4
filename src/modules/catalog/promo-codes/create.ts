import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { canBePromoted } from '../../../domain/offers/offer.ts';
import { normalizedCode } from '../../../domain/offers/promo-code.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { requireLockedOffer } from '../offers/store.ts';
import { isCodeTaken, type Limits, type PromoCodeRow, planIdsNamed } from './store.ts';

/** Parameters for creating a promo code. By default, the code is active and has no limits. */
export type NewPromoCodeInput = Limits & { readonly code: string; readonly offerId: string };

const codeTaken = (): QuittanceError => specificError('duplicate', 'promo_code', { param: 'code' });

/** Throws `offer_not_found`. Throws `offer_not_applicable` if promo codes can't use the offer (OFR-33). */
async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(ctx, offerId, 'SHARE', 'offerId');
  if (canBePromoted(offer.phases)) return;
  throw specificError('offer_not_applicable', 'promo_code_phases', { param: 'offerId' });
}

/**
 * Creates a promo code. Throws `offer_not_found`, `offer_not_applicable`, and `plan_not_found`. Throws `duplicate` if the code is taken,
 * even for concurrent requests (OFR-33).
 */
export async function createPromoCode(ctx: Context, input: NewPromoCodeInput): Promise<PromoCodeRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await checkOffer(tx, input.offerId);
      const planIds = await planIdsNamed(tx, input.planIds ?? []);
      const code = normalizedCode(input.code);
      if (await isCodeTaken(tx, code)) throw codeTaken();
      const now = tx.clock.now();
      return tx.db.promoCode.create({
        data: {
          id: newId('prc'),
          seq: await nextSeq(tx),
          code,
          offerId: input.offerId,
          billingInterval: input.billingInterval ?? null,
          planIds,
          maxRedemptions: input.maxRedemptions == null ? null : BigInt(input.maxRedemptions),
          redemptionCount: 0n,
          expiresAt: input.expiresAt ?? null,
          isActive: true,
          createdAt: now,
          updatedAt: now,
        },
      });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? codeTaken() : error;
  }
}
