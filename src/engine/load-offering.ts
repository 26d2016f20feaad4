import type { Context } from '../context.ts';
import { binsOf, type CardPromotionRow } from '../domain/offer/card-promotion.ts';
import type { OfferRow } from '../domain/offer/offer.ts';
import { normalizedCode, type PromoCodeRow } from '../domain/offer/promo-code.ts';
import type { Catalog } from '../domain/pricing/catalog.ts';
import type { Command, OfferApplicationRow, PromoRedemptionRow, SubscriptionRow } from '../domain/subscription/aggregate.ts';
import type { Controls } from '../domain/subscription/offering.ts';
import { columnList } from '../infra/bulk.ts';

/** What of the offers and promo codes a batch of commands can need; redemptions are those of its customers and codes. */
export type Offering = {
  readonly offers: readonly OfferRow[];
  readonly promoCodes: readonly PromoCodeRow[];
  readonly cardPromotions: readonly CardPromotionRow[];
  readonly redemptions: readonly PromoRedemptionRow[];
};

/** What was read before. */
export type Read = {
  readonly customerIds: readonly string[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly applications: readonly OfferApplicationRow[];
  readonly catalog: Catalog;
};

type Named = {
  readonly offerIds: string[];
  readonly codes: string[];
  readonly cardPromotionIds: string[];
  readonly bins: string[];
  readonly wantsIntroductions: boolean;
};

/** The card a command confirms a checkout with: the one typed in, or the one that awaits authentication. */
function cardOf(command: Command, subscriptions: ReadonlyMap<string, SubscriptionRow>): string | null {
  if (command.kind === 'checkout.pay') return command.method.bin;
  return command.kind === 'checkout.authenticate' ? (subscriptions.get(command.subscriptionId)?.pendingCheckout?.method.bin ?? null) : null;
}

/** The offers and codes that commands name: a creation, a draft that begins, an offer to apply, a promo code typed in at a checkout. */
function namedBy(commands: readonly Command[], subscriptions: readonly SubscriptionRow[]): Named {
  const rows = new Map(subscriptions.map((row) => [row.id, row]));
  const selections = commands.flatMap((command): Controls[] => {
    if (command.kind === 'subscription.create') return [command.selection];
    if (command.kind === 'checkout.pay') return command.promoCode == null ? [] : [{ promoCode: command.promoCode }];
    if (command.kind === 'offer.apply' || command.kind === 'subscription.reactivate') return [{ offerId: command.offerId }];
    if (command.kind === 'subscription.change_plan') return [{ offerId: command.request.offerId }];
    if (command.kind !== 'start') return [];
    const selection = rows.get(command.subscriptionId)?.selection;
    return selection === undefined ? [] : [selection];
  });
  return {
    offerIds: selections.flatMap(({ offerId }) => (offerId ? [offerId] : [])),
    codes: selections.flatMap(({ promoCode }) => (promoCode ? [normalizedCode(promoCode)] : [])),
    cardPromotionIds: selections.flatMap(({ cardPromotionId }) => (cardPromotionId ? [cardPromotionId] : [])),
    bins: commands.flatMap((command) => binsOf(cardOf(command, rows))),
    wantsIntroductions: selections.length > 0,
  };
}

/** Reads promo codes in order of seq and locks them, after the customers (protocols A2): what is counted on them cannot be overtaken. */
const lockPromoCodes = (ctx: Context, codes: readonly string[], ids: readonly string[]): Promise<PromoCodeRow[]> =>
  ctx.sql<PromoCodeRow>(
    `SELECT ${columnList('PromoCode', 't')} FROM "PromoCode" t
     WHERE t."environmentId" = $1 AND (t.code = ANY($2) OR t.id = ANY($3)) ORDER BY t.seq FOR UPDATE`,
    [codes, ids],
  );

/** The card promotions named and those of the cards, each with those of the digits that are its own. */
const loadCardPromotions = (ctx: Context, ids: readonly string[], bins: readonly string[]): Promise<CardPromotionRow[]> =>
  ctx.sql<CardPromotionRow>(
    `SELECT t.id, t."offerId", t."billingInterval", t."autoDiscovered", ARRAY(SELECT b.id FROM "CardPromotionBin" b
       WHERE b."environmentId" = $1 AND b."cardPromotionId" = t.id AND b.id = ANY($3)) AS bins
     FROM "CardPromotion" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND (t.id = ANY($2)
       OR t.id IN (SELECT b."cardPromotionId" FROM "CardPromotionBin" b WHERE b."environmentId" = $1 AND b.id = ANY($3))) ORDER BY t.seq`,
    [ids, bins],
  );

const loadRedemptions = (ctx: Context, customerIds: readonly string[], codes: readonly PromoCodeRow[]): Promise<PromoRedemptionRow[]> =>
  ctx.sql<PromoRedemptionRow>(
    `SELECT ${columnList('PromoRedemption', 't')} FROM "PromoRedemption" t
     WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) AND t."promoCodeId" = ANY($3) ORDER BY t.seq`,
    [customerIds, codes.map(({ id }) => id)],
  );

const loadOffers = (ctx: Context, ids: readonly string[]): Promise<OfferRow[]> =>
  ctx.sql<OfferRow>(`SELECT ${columnList('Offer', 't')} FROM "Offer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq`, [
    ids,
  ]);

/** Ids of the offers placed on the prices of a catalogue. */
const introductions = (catalog: Catalog): string[] =>
  [...catalog.prices.values()].flatMap(({ introductoryOfferId }) => (introductoryOfferId === null ? [] : [introductoryOfferId]));

/**
 * Reads what commands can need of offers and promo codes, and locks the codes. No statement is made where nothing is named and nothing
 * quoted by a code, as in renewals, and none about cards where the organization has no promotions.
 */
export async function loadOffering(ctx: Context, addressed: readonly { readonly command: Command }[], read: Read): Promise<Offering> {
  const named = namedBy(
    addressed.map(({ command }) => command),
    read.subscriptions,
  );
  const quoted = read.applications.flatMap(({ status, promoCodeId }) => (status === 'quoted' && promoCodeId !== null ? [promoCodeId] : []));
  const hasCodes = named.codes.length + quoted.length > 0;
  const promoCodes = hasCodes ? await lockPromoCodes(ctx, named.codes, quoted) : [];
  const redemptions = promoCodes.length > 0 ? await loadRedemptions(ctx, read.customerIds, promoCodes) : [];
  const placed = named.wantsIntroductions ? introductions(read.catalog) : [];
  const wantsPromotions = named.cardPromotionIds.length > 0 || (ctx.environment.cardPromotions && named.bins.length > 0);
  const isPromised = named.bins.length > 0 && read.applications.some((row) => row.status === 'quoted' && row.cardPromotionId !== null);
  const cardPromotions = wantsPromotions || isPromised ? await loadCardPromotions(ctx, named.cardPromotionIds, named.bins) : [];
  const promoted = cardPromotions.map(({ offerId }) => offerId);
  const offerIds = [...named.offerIds, ...promoted, ...promoCodes.map(({ offerId }) => offerId), ...placed];
  return { promoCodes, cardPromotions, redemptions, offers: offerIds.length > 0 ? await loadOffers(ctx, offerIds) : [] };
}
