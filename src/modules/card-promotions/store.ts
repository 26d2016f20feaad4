import type { Context } from '../../context.ts';
import { QuittanceError, specificError, validationError } from '../../domain/errors.ts';
import { canBeTiedToCards } from '../../domain/offers/offer.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { requireLockedOffer } from '../offers/store.ts';

export type CardPromotionRow = Row<'CardPromotion'>;

/** Throws `card_promotions_not_available` unless the organization may tie offers to cards (OFR-38). */
export function requireCardPromotions({ environment }: Context): void {
  if (environment.cardPromotions) return;
  throw new QuittanceError('card_promotions_not_available');
}

/** The card promotion with this id that was not deleted. Throws `not_found`. */
export async function requireCardPromotion(ctx: Context, id: string): Promise<CardPromotionRow> {
  const promotion = await ctx.db.cardPromotion.findFirst({ where: { id, deletedAt: null } });
  if (promotion === null) throw specificError('not_found', 'card_promotion', { param: 'id' });
  return promotion;
}

/** Locks the card promotion until the transaction ends and answers it as it is at that time. Throws `not_found`. */
export async function requireLockedCardPromotion(ctx: Context, id: string): Promise<CardPromotionRow> {
  await lockRow(ctx.sql, 'CardPromotion', id);
  return requireCardPromotion(ctx, id);
}

const binTaken = (param: string): QuittanceError =>
  specificError('duplicate', 'card_promotion_bin', { param });

/** Throws `offer_not_found`, and `offer_not_applicable` for an offer that does not begin with a discount (OFR-38). */
export async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(ctx, offerId, 'SHARE', 'offerId');
  if (canBeTiedToCards(offer.phases)) return;
  throw specificError('offer_not_applicable', 'card_promotion_phases', {
    param: 'offerId',
  });
}

/** Gives a promotion exactly these BINs. Throws `validation_error` for one named twice, `duplicate` for one of another promotion (OFR-38). */
export async function setBins(ctx: Context, cardPromotionId: string, bins: readonly string[]): Promise<void> {
  const repeated = bins.findIndex((bin, index) => bins.indexOf(bin) < index);
  if (repeated >= 0)
    throw validationError([{ field: `bins.${repeated}`, message: 'These digits are named before.' }]);
  const taken = await ctx.db.cardPromotionBin.findMany({
    where: { id: { in: [...bins] }, cardPromotionId: { not: cardPromotionId } },
  });
  const takenIds = new Set(taken.map(({ id }) => id));
  const first = bins.findIndex((bin) => takenIds.has(bin));
  if (first >= 0) throw binTaken(`bins.${first}`);
  await ctx.db.cardPromotionBin.deleteMany({ where: { cardPromotionId } });
  await ctx.db.cardPromotionBin.createMany({ data: bins.map((id) => ({ id, cardPromotionId })) });
}

/** Runs a write of BINs; the database's word that one was taken meanwhile becomes `duplicate`. */
export async function withBins<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? binTaken('bins') : error;
  }
}

/** The first digits of the cards a promotion is for. */
export const binsOf = async (ctx: Context, cardPromotionId: string): Promise<string[]> =>
  (await ctx.db.cardPromotionBin.findMany({ where: { cardPromotionId } })).map(({ id }) => id);
