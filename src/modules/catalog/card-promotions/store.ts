import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { canBeTiedToCards } from '../../../domain/offers/offer.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { offerRows } from '../offers/store.ts';

export type CardPromotionRow = Row<'CardPromotion'>;

/** Throws `card_promotions_not_available` if card promotions are turned off for the organization (OFR-38). */
export function requireCardPromotions({ environment }: Context): void {
  if (environment.cardPromotions) return;
  throw new QuittanceError('card_promotions_not_available');
}

const binTaken = (param: string): QuittanceError =>
  specificError('duplicate', 'card_promotion_bin', { param });

/** Card promotions. A BIN belongs to at most one promotion (OFR-38). */
export const cardPromotionRows = resource('CardPromotion', {
  prefix: 'cpr',
  object: 'card_promotion',
  notFound: (param) => specificError('not_found', 'card_promotion', { param }),
  conflict: () => binTaken('bins'),
  defaults: { autoDiscovered: false },
});

/**
 * Throws `offer_not_found` if the offer doesn't exist. Throws `offer_not_applicable` if the offer doesn't start with a discount (OFR-38).
 */
export async function checkOffer(ctx: Context, offerId: string): Promise<void> {
  const offer = await offerRows.lock(ctx, offerId, 'offerId', 'SHARE');
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

/** Makes the BINs of a deleted promotion available for other promotions. Throws `card_promotions_not_available`. */
export async function releaseBins(ctx: Context, cardPromotionId: string): Promise<void> {
  requireCardPromotions(ctx);
  await ctx.db.cardPromotionBin.deleteMany({ where: { cardPromotionId } });
}

export const binsOf = async (ctx: Context, cardPromotionId: string): Promise<string[]> =>
  (await ctx.db.cardPromotionBin.findMany({ where: { cardPromotionId } })).map(({ id }) => id);
