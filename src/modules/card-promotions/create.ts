import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type CardPromotionRow, checkOffer, requireCardPromotions, setBins, withBins } from './store.ts';

/** What a creating call says of a card promotion: digits of 6 or 8. It is for every interval and must be preselected by default. */
export type NewCardPromotionInput = {
  readonly offerId: string;
  readonly bins: readonly string[];
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly autoDiscovered?: boolean | null | undefined;
};

/**
 * Ties an offer to cards. Throws `card_promotions_not_available`, `offer_not_found`, `offer_not_applicable`, `validation_error` for a BIN
 * named twice, and `duplicate` for one of another promotion, also of a rival at the same moment (OFR-38).
 */
export async function createCardPromotion(
  ctx: Context,
  input: NewCardPromotionInput,
): Promise<CardPromotionRow> {
  requireCardPromotions(ctx);
  return withBins(() =>
    inTransaction(ctx, async (tx) => {
      await checkOffer(tx, input.offerId);
      const now = tx.clock.now();
      const promotion = await tx.db.cardPromotion.create({
        data: {
          id: newId('cpr'),
          seq: await nextSeq(tx),
          offerId: input.offerId,
          billingInterval: input.billingInterval ?? null,
          autoDiscovered: input.autoDiscovered ?? false,
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
      await setBins(tx, promotion.id, input.bins);
      return promotion;
    }),
  );
}
