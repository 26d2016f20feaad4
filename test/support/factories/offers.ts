import { type Body, type Made, made, type Shop } from './shop.ts';

/** Phases of an offer as callers write them. */
export const off = {
  percent: (percentage: number, durationCycles: number | null = 1): Body => ({
    type: 'percentage',
    percentage,
    durationCycles,
  }),
  amount: (amount: number, durationCycles: number | null = 1, currency = 'usd'): Body => ({
    type: 'amount_off',
    durationCycles,
    amounts: [{ currency, amount }],
  }),
  trial: (durationDays: number): Body => ({ type: 'free_trial', durationDays }),
} as const;

/** An active offer; 25 % off one cycle by default. */
export const createOffer = (
  shop: Shop,
  phases: readonly Body[] = [off.percent(2_500)],
  body: Body = {},
): Promise<Made> => made(shop.rest<Made>('POST', '/offers', { name: shop.next('offer'), phases, ...body }));

/** A promo code for a new offer of 25 % off one cycle by default. */
export async function createPromoCode(
  shop: Shop,
  body: Body = {},
): Promise<Made & { readonly code: string }> {
  const offerId = body['offerId'] ?? (await createOffer(shop)).id;
  return made(
    shop.rest<Made & { code: string }>('POST', '/promo-codes', { code: shop.next('CODE'), offerId, ...body }),
  );
}

/** Lets the shop's organization tie offers to cards, as who runs the service does; both its environments share the switch. */
export async function allowCardPromotions({ t, environmentId }: Shop): Promise<void> {
  await t.app.database.query(
    'UPDATE "Organization" SET "cardPromotions" = true WHERE id = (SELECT "organizationId" FROM "Environment" WHERE id = $1)',
    [environmentId],
  );
}

/** A card promotion of 30 % off one cycle for cards that begin with these digits. */
export async function createCardPromotion(
  shop: Shop,
  bins: readonly string[],
  body: Body = {},
): Promise<Made> {
  await allowCardPromotions(shop);
  const { cardPromotionCreate } = await shop.t.graphql<{ cardPromotionCreate: Made }>(
    'mutation ($input: CardPromotionCreateInput!) { cardPromotionCreate(input: $input) { id } }',
    { input: { offerId: (await createOffer(shop, [off.percent(3_000)])).id, bins, ...body } },
    { key: shop.key },
  );
  return cardPromotionCreate;
}

/** Names the offer to stay; null takes it away. */
export const nameRetentionOffer = (shop: Shop, offerId: string | null): Promise<unknown> =>
  shop.t.graphql(
    'mutation ($input: RetentionOfferSetInput!) { retentionOfferSet(input: $input) { id } }',
    { input: { offerId } },
    { key: shop.key },
  );
