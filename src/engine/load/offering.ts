import { binsOf, type CardPromotionRow } from '../../domain/offers/card-promotion.ts';
import type { OfferRow } from '../../domain/offers/offer.ts';
import { normalizedCode, type PromoCodeRow } from '../../domain/offers/promo-code.ts';
import type { Catalog } from '../../domain/pricing/catalog.ts';
import type { OfferControls } from '../../domain/rows/selection-rows.ts';
import type { PromoRedemptionRow, SubscriptionRow } from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Context } from '../../request/context.ts';
import { oncePerBatch } from './batch.ts';
import type { Named } from './named.ts';

/**
 * Offers and promotions for a batch of commands. Redemptions are included only if they belong to the batch's
 * customers and promo codes.
 */
export type Offering = {
  readonly offers: readonly OfferRow[];
  readonly promoCodes: readonly PromoCodeRow[];
  readonly cardPromotions: readonly CardPromotionRow[];
  readonly redemptions: readonly PromoRedemptionRow[];
};

/**
 * Returns the IDs, codes, and card BINs of the offers that the commands select. Includes the stored selections and
 * pending cards of the subscriptions that the commands specify.
 */
function choicesOf(
  named: Pick<Named, 'offers' | 'offersSelectedBy' | 'cards' | 'cardsAwaitedBy'>,
  subscriptions: readonly SubscriptionRow[],
) {
  const selecting = new Set(named.offersSelectedBy);
  const awaiting = new Set(named.cardsAwaitedBy);
  const chosen: readonly OfferControls[] = [
    ...named.offers,
    ...subscriptions.flatMap(({ id, selection }) => (selecting.has(id) ? [selection] : [])),
  ];
  const cards = [
    ...named.cards,
    ...subscriptions.flatMap(({ id, pendingCheckout }) =>
      awaiting.has(id) ? [pendingCheckout?.method.bin ?? null] : [],
    ),
  ];
  return {
    offerIds: chosen.flatMap(({ offerId }) => (offerId ? [offerId] : [])),
    codes: chosen.flatMap(({ promoCode }) => (promoCode ? [normalizedCode(promoCode)] : [])),
    cardPromotionIds: chosen.flatMap(({ cardPromotionId }) => (cardPromotionId ? [cardPromotionId] : [])),
    bins: cards.flatMap(binsOf),
    wantsIntroductions: chosen.length > 0,
  };
}

/**
 * Loads and locks promo codes in order of `seq`, so that concurrent redemptions can't exceed a limit.
 * Customers must be locked first.
 */
const lockPromoCodes = (
  ctx: Context,
  codes: readonly string[],
  ids: readonly string[],
): Promise<PromoCodeRow[]> =>
  ctx.sql<PromoCodeRow>(
    `SELECT ${columnList('PromoCode', 't')} FROM "PromoCode" t
     WHERE t."environmentId" = $1 AND (t.code = ANY($2) OR t.id = ANY($3)) ORDER BY t.seq FOR UPDATE`,
    [codes, ids],
  );

/** Loads card promotions that are referenced or match the cards, including their matching BINs. */
const loadCardPromotions = (
  ctx: Context,
  ids: readonly string[],
  bins: readonly string[],
): Promise<CardPromotionRow[]> =>
  ctx.sql<CardPromotionRow>(
    `SELECT t.id, t."offerId", t."billingInterval", t."autoDiscovered", ARRAY(SELECT b.id FROM "CardPromotionBin" b
       WHERE b."environmentId" = $1 AND b."cardPromotionId" = t.id AND b.id = ANY($3)) AS bins
     FROM "CardPromotion" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND (t.id = ANY($2)
       OR t.id IN (SELECT b."cardPromotionId" FROM "CardPromotionBin" b WHERE b."environmentId" = $1 AND b.id = ANY($3))) ORDER BY t.seq`,
    [ids, bins],
  );

const loadRedemptions = (
  ctx: Context,
  customerIds: readonly string[],
  codes: readonly PromoCodeRow[],
): Promise<PromoRedemptionRow[]> =>
  ctx.sql<PromoRedemptionRow>(
    `SELECT ${columnList('PromoRedemption', 't')} FROM "PromoRedemption" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."promoCodeId" = ANY($3) ORDER BY t.seq`,
    [customerIds, codes.map(({ id }) => id)],
  );

const loadOffers = (ctx: Context, ids: readonly string[]): Promise<OfferRow[]> =>
  ctx.sql<OfferRow>(
    `SELECT ${columnList('Offer', 't')} FROM "Offer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq`,
    [ids],
  );

/** Returns the IDs of the introductory offers in a catalog. */
const introductions = (catalog: Catalog): string[] =>
  [...catalog.prices.values()].flatMap(({ introductoryOfferId }) =>
    introductoryOfferId === null ? [] : [introductoryOfferId],
  );

/**
 * Loads the offers, promo codes, and card promotions for a batch of commands, and locks the promo codes. Executes no
 * SQL statement for commands that involve no offers, such as renewals. Loads the promotions that match a card only if
 * the organization can use card promotions or has already quoted one.
 */
export const loadOffering = oncePerBatch(async (batch): Promise<Offering> => {
  const { ctx } = batch;
  const applications = await batch.get('offerApplications');
  const named = choicesOf(batch.named, await batch.get('subscriptions'));
  const quoted = applications.flatMap(({ status, promoCodeId }) =>
    status === 'quoted' && promoCodeId !== null ? [promoCodeId] : [],
  );
  const hasCodes = named.codes.length + quoted.length > 0;
  const promoCodes = hasCodes ? await lockPromoCodes(ctx, named.codes, quoted) : [];
  const redemptions = promoCodes.length > 0 ? await loadRedemptions(ctx, batch.customerIds, promoCodes) : [];
  const placed = named.wantsIntroductions ? introductions(await batch.get('catalog')) : [];
  const wantsPromotions =
    named.cardPromotionIds.length > 0 || (ctx.environment.cardPromotions && named.bins.length > 0);
  const isPromised =
    named.bins.length > 0 &&
    applications.some((row) => row.status === 'quoted' && row.cardPromotionId !== null);
  const cardPromotions =
    wantsPromotions || isPromised ? await loadCardPromotions(ctx, named.cardPromotionIds, named.bins) : [];
  const promoted = cardPromotions.map(({ offerId }) => offerId);
  const offerIds = [...named.offerIds, ...promoted, ...promoCodes.map(({ offerId }) => offerId), ...placed];
  return {
    promoCodes,
    cardPromotions,
    redemptions,
    offers: offerIds.length > 0 ? await loadOffers(ctx, offerIds) : [],
  };
});
