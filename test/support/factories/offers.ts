import { type Body, type Made, made, type Shop } from './shop.ts';

/** Inputs for offer phases. */
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

/** Creates an active offer, by default 25% off one cycle. */
export const createOffer = (
  shop: Shop,
  phases: readonly Body[] = [off.percent(2_500)],
  body: Body = {},
): Promise<Made> => made(shop.rest<Made>('POST', '/offers', { name: shop.next('offer'), phases, ...body }));

/** Creates a promo code, by default for a new offer with 25% off one cycle. */
export async function createPromoCode(
  shop: Shop,
  body: Body = {},
): Promise<Made & { readonly code: string }> {
  const offerId = body['offerId'] ?? (await createOffer(shop)).id;
  return made(
    shop.rest<Made & { code: string }>('POST', '/promo-codes', { code: shop.next('CODE'), offerId, ...body }),
  );
}

/** Enables card promotions for the organization directly in the database, because only an operator can enable them. */
export async function allowCardPromotions({ t, environmentId }: Shop): Promise<void> {
  await t.app.database.query(
    'UPDATE "Organization" SET "cardPromotions" = true WHERE id = (SELECT "organizationId" FROM "Environment" WHERE id = $1)',
    [environmentId],
  );
}

/** Creates a card promotion with 30% off one cycle for cards whose number starts with the given digits. */
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

/** Sets the retention offer. `null` removes it. */
export const nameRetentionOffer = (shop: Shop, offerId: string | null): Promise<unknown> =>
  shop.t.graphql(
    'mutation ($input: RetentionOfferSetInput!) { retentionOfferSet(input: $input) { id } }',
    { input: { offerId } },
    { key: shop.key },
  );
