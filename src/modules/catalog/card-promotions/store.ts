import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { canBeTiedToCards } from '../../../domain/offers/offer.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import type { Context } from '../../../request/context.ts';
import { requireLockedOffer } from '../offers/store.ts';

export type CardPromotionRow = Row<'CardPromotion'>;

/** Throws `card_promotions_not_available` if card promotions are turned off for the organization (OFR-38). */
export function requireCardPromotions({ environment }: Context): void {
  if (environment.cardPromotions) return;
  throw new QuittanceError('card_promotions_not_available');
}

/** Returns the card promotion with this ID. Throws `not_found` if it doesn't exist or was deleted. */
export async function requireCardPromotion(ctx: Context, id: string): Promise<CardPromotionRow> {
  const promotion = await ctx.db.cardPromotion.findFirst({ where: { id, deletedAt: null } });
  if (promotion === null) throw specificError('not_found', 'card_promotion', { param: 'id' });
  return promotion;
}

/** Locks the card promotion until the transaction ends and returns its current state. Throws `not_found`. */
export async function requireLockedCardPromotion(ctx: Context, id: string): Promise<CardPromotionRow> {
  await lockRow(ctx.sql, 'CardPromotion', id);
  return requireCardPromotion(ctx, id);
}

const binTaken = (param: string): QuittanceError =>
  specificError('duplicate', 'card_promotion_bin', { param });

/**
 * Throws `offer_not_found` if the offer doesn't exist. Throws `offer_not_applicable` if the offer doesn't start with a discount (OFR-38).
 */
export async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(ctx, offerId, 'SHARE', 'offerId');
  if (canBeTiedToCards(offer.phases)) return;
  throw specificError('offer_not_applicable', 'card_promotion_phases', {
    param: 'offerId',
  });
}

/**
 * Replaces the BINs of a promotion. Throws `validation_error` if a BIN is repeated, and `duplicate` if another promotion has one of the
 * BINs (OFR-38).
 */
export async function setBins(ctx: Context, cardPromotionId: string, bins: readonly string[]): Promise<void> {
  const repeated = bins.findIndex((bin, index) => bins.indexOf(bin) < index);
  if (repeated >= 0)
    throw validationError([
      { field: `bins.${repeated}`, message: 'This BIN is listed more than once. List each BIN only once.' },
    ]);
  const taken = await ctx.db.cardPromotionBin.findMany({
    where: { id: { in: [...bins] }, cardPromotionId: { not: cardPromotionId } },
  });
  const takenIds = new Set(taken.map(({ id }) => id));
  const first = bins.findIndex((bin) => takenIds.has(bin));
  if (first >= 0) throw binTaken(`bins.${first}`);
  await ctx.db.cardPromotionBin.deleteMany({ where: { cardPromotionId } });
  await ctx.db.cardPromotionBin.createMany({ data: bins.map((id) => ({ id, cardPromotionId })) });
}

/** Writes BINs, and converts violations of the unique index to `duplicate` errors. */
export async function withBins<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? binTaken('bins') : error;
  }
}

export const binsOf = async (ctx: Context, cardPromotionId: string): Promise<string[]> =>
  (await ctx.db.cardPromotionBin.findMany({ where: { cardPromotionId } })).map(({ id }) => id);
