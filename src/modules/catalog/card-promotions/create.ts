import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import {
  type CardPromotionRow,
  cardPromotionRows,
  checkOffer,
  requireCardPromotions,
  setBins,
} from './store.ts';

/**
 * Parameters for creating a card promotion. BINs have 6 or 8 digits. By default, the promotion is valid for all intervals, and applies only
 * if the request that creates a subscription contains the promotion's ID.
 */
export type NewCardPromotionInput = {
  readonly offerId: string;
  readonly bins: readonly string[];
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly autoDiscovered?: boolean | null | undefined;
};

/**
 * Creates a card promotion. Throws `card_promotions_not_available`, `offer_not_found`, and `offer_not_applicable`. Throws
 * `validation_error` if a BIN is repeated. Throws `duplicate` if another promotion has one of the BINs, even for concurrent requests
 * (OFR-38).
 */
export async function createCardPromotion(
  ctx: Context,
  { bins, ...input }: NewCardPromotionInput,
): Promise<CardPromotionRow> {
  requireCardPromotions(ctx);
  return cardPromotionRows.create(
    ctx,
    async (tx) => {
      await checkOffer(tx, input.offerId);
      return input;
    },
    (tx, { id }) => setBins(tx, id, bins),
  );
}
