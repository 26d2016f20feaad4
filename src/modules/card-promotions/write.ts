import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { canBeTiedToCards } from '../../domain/offer/offer.ts';
import type { BillingInterval } from '../../domain/words.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { phasesOf, requireLockedOffer } from '../offers/service.ts';
import { type CardPromotionRow, requireCardPromotions, requireLockedCardPromotion } from './service.ts';

/** What a creating call says of a card promotion: digits of 6 or 8. It is for every interval and must be preselected unless told. */
export type NewCardPromotionInput = {
  readonly offerId: string;
  readonly bins: readonly string[];
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly autoDiscovered?: boolean | null | undefined;
};

/** Changes to a card promotion; what is undefined stays, a null interval means every one. */
export type CardPromotionChanges = {
  readonly id: string;
  readonly offerId?: string | null | undefined;
  readonly bins?: readonly string[] | null | undefined;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly autoDiscovered?: boolean | null | undefined;
};

const binTaken = (param: string): QuittanceError =>
  new QuittanceError('duplicate', 'Another card promotion is for cards of these digits.', { param });

/** Throws `offer_not_found`, and `offer_not_applicable` for an offer that does not begin with a discount (OFR-38). */
async function checkOffer(context: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(context, offerId, 'SHARE', 'offerId');
  if (canBeTiedToCards(phasesOf(offer))) return;
  throw new QuittanceError('offer_not_applicable', 'The offer of a card promotion begins with a discount.', { param: 'offerId' });
}

/** Gives a promotion exactly these BINs. Throws `validation_error` for one named twice, `duplicate` for one of another promotion (OFR-38). */
async function setBins(context: Context, cardPromotionId: string, bins: readonly string[]): Promise<void> {
  const repeated = bins.findIndex((bin, index) => bins.indexOf(bin) < index);
  if (repeated >= 0) throw validationError([{ field: `bins.${repeated}`, message: 'These digits are named before.' }]);
  const taken = await context.db.cardPromotionBin.findMany({ where: { id: { in: [...bins] }, cardPromotionId: { not: cardPromotionId } } });
  const takenIds = new Set(taken.map(({ id }) => id));
  const first = bins.findIndex((bin) => takenIds.has(bin));
  if (first >= 0) throw binTaken(`bins.${first}`);
  await context.db.cardPromotionBin.deleteMany({ where: { cardPromotionId } });
  await context.db.cardPromotionBin.createMany({ data: bins.map((id) => ({ id, cardPromotionId })) });
}

/** Runs a write of BINs; the database's word that one was taken meanwhile becomes `duplicate`. */
async function withBins<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? binTaken('bins') : error;
  }
}

/**
 * Ties an offer to cards. Throws `card_promotions_not_available`, `offer_not_found`, `offer_not_applicable`, `validation_error` for a BIN
 * named twice, and `duplicate` for one of another promotion, also of a rival at the same moment (OFR-38).
 */
export async function createCardPromotion(context: Context, input: NewCardPromotionInput): Promise<CardPromotionRow> {
  requireCardPromotions(context);
  return withBins(() =>
    inTransaction(context, async (inner) => {
      await checkOffer(inner, input.offerId);
      const now = inner.clock.now();
      const promotion = await inner.db.cardPromotion.create({
        data: {
          id: newId('cpr'),
          seq: await nextSeq(inner),
          offerId: input.offerId,
          billingInterval: input.billingInterval ?? null,
          autoDiscovered: input.autoDiscovered ?? false,
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
      await setBins(inner, promotion.id, input.bins);
      return promotion;
    }),
  );
}

/** Changes a card promotion; `updatedAt` stays when nothing changes. Throws as a creation does, and `not_found`. */
export const updateCardPromotion = (context: Context, input: CardPromotionChanges): Promise<CardPromotionRow> =>
  withBins(() =>
    inTransaction(context, async (inner) => {
      const promotion = await requireLockedCardPromotion(inner, input.id);
      requireCardPromotions(inner);
      const { offerId, billingInterval, autoDiscovered } = promotion;
      const next = {
        offerId: input.offerId ?? offerId,
        billingInterval: input.billingInterval === undefined ? billingInterval : input.billingInterval,
        autoDiscovered: input.autoDiscovered ?? autoDiscovered,
      };
      if (next.offerId !== offerId) await checkOffer(inner, next.offerId);
      const bins = (await inner.db.cardPromotionBin.findMany({ where: { cardPromotionId: promotion.id } })).map(({ id }) => id);
      const hasNewBins = input.bins != null && !isDeepStrictEqual([...input.bins].sort(), bins.toSorted());
      if (!hasNewBins && isDeepStrictEqual(next, { offerId, billingInterval, autoDiscovered })) return promotion;
      if (hasNewBins) await setBins(inner, promotion.id, input.bins);
      const changes = { ...next, updatedAt: inner.clock.now() };
      await inner.db.cardPromotion.update({ where: { id: promotion.id }, data: changes });
      return { ...promotion, ...changes };
    }),
  );

/** Deletes a card promotion; its BINs are free again. Throws `card_promotions_not_available`, `not_found`. */
export const deleteCardPromotion = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    await requireLockedCardPromotion(inner, id);
    requireCardPromotions(inner);
    const now = inner.clock.now();
    await inner.db.cardPromotionBin.deleteMany({ where: { cardPromotionId: id } });
    await inner.db.cardPromotion.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'card_promotion' };
  });
