import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import {
  binsOf,
  type CardPromotionRow,
  cardPromotionRows,
  checkOffer,
  requireCardPromotions,
  setBins,
} from './store.ts';

/** Changes to a card promotion. `undefined` keeps the current value. A `null` interval means all intervals. */
export type CardPromotionChanges = {
  readonly id: string;
  readonly offerId?: string | null | undefined;
  readonly bins?: readonly string[] | null | undefined;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly autoDiscovered?: boolean | null | undefined;
};

/** Updates a card promotion. `updatedAt` stays the same if nothing changes. Throws `not_found` and the same errors as `createCardPromotion`. */
export const updateCardPromotion = (
  ctx: Context,
  { id, bins, ...input }: CardPromotionChanges,
): Promise<CardPromotionRow> =>
  cardPromotionRows.update(ctx, id, async (tx, { offerId }) => {
    requireCardPromotions(tx);
    if (input.offerId != null && input.offerId !== offerId) await checkOffer(tx, input.offerId);
    const stored = new Set(await binsOf(tx, id));
    const hasNewBins = bins != null && (bins.length !== stored.size || bins.some((bin) => !stored.has(bin)));
    if (hasNewBins) await setBins(tx, id, bins);
    return { ...input, ...(hasNewBins && { updatedAt: tx.clock.now() }) };
  });
