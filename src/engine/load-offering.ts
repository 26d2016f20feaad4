import type { Context } from '../context.ts';
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
  readonly redemptions: readonly PromoRedemptionRow[];
};

/** What was read before. */
export type Read = {
  readonly customerIds: readonly string[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly applications: readonly OfferApplicationRow[];
  readonly catalog: Catalog;
};

type Named = { readonly offerIds: string[]; readonly codes: string[]; readonly wantsIntroductions: boolean };

/** The offers and codes that commands name: a creation, a draft that begins, an offer to apply, a promo code typed in at a checkout. */
function namedBy(commands: readonly Command[], subscriptions: readonly SubscriptionRow[]): Named {
  const drafts = new Map(subscriptions.map(({ id, selection }) => [id, selection]));
  const selections = commands.flatMap((command): Controls[] => {
    if (command.kind === 'subscription.create') return [command.selection];
    if (command.kind === 'checkout.pay') return command.promoCode == null ? [] : [{ promoCode: command.promoCode }];
    if (command.kind === 'offer.apply' || command.kind === 'subscription.reactivate') return [{ offerId: command.offerId }];
    if (command.kind !== 'start') return [];
    const selection = drafts.get(command.subscriptionId);
    return selection === undefined ? [] : [selection];
  });
  return {
    offerIds: selections.flatMap(({ offerId }) => (offerId ? [offerId] : [])),
    codes: selections.flatMap(({ promoCode }) => (promoCode ? [normalizedCode(promoCode)] : [])),
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
 * quoted by a code, as in renewals.
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
  const offerIds = [...named.offerIds, ...promoCodes.map(({ offerId }) => offerId), ...placed];
  return { promoCodes, redemptions, offers: offerIds.length > 0 ? await loadOffers(ctx, offerIds) : [] };
}
