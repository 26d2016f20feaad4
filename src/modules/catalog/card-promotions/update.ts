import { isDeepStrictEqual } from 'node:util';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import {
  binsOf,
  type CardPromotionRow,
  checkOffer,
  requireCardPromotions,
  requireLockedCardPromotion,
  setBins,
  withBins,
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
export const updateCardPromotion = (ctx: Context, input: CardPromotionChanges): Promise<CardPromotionRow> =>
  withBins(() =>
    inTransaction(ctx, async (tx) => {
      const promotion = await requireLockedCardPromotion(tx, input.id);
      requireCardPromotions(tx);
      const { offerId, billingInterval, autoDiscovered } = promotion;
      const next = {
        offerId: input.offerId ?? offerId,
        billingInterval: input.billingInterval === undefined ? billingInterval : input.billingInterval,
        autoDiscovered: input.autoDiscovered ?? autoDiscovered,
      };
      if (next.offerId !== offerId) await checkOffer(tx, next.offerId);
      const bins = await binsOf(tx, promotion.id);
      const hasNewBins = input.bins != null && !isDeepStrictEqual([...input.bins].sort(), bins.toSorted());
      if (!hasNewBins && isDeepStrictEqual(next, { offerId, billingInterval, autoDiscovered }))
        return promotion;
      if (hasNewBins) await setBins(tx, promotion.id, input.bins);
      const changes = { ...next, updatedAt: tx.clock.now() };
      await tx.db.cardPromotion.update({ where: { id: promotion.id }, data: changes });
      return { ...promotion, ...changes };
    }),
  );
