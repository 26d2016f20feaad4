import { randomBytes, randomUUID } from 'node:crypto';
import { createPricedPlan } from './catalog.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';

export type MadePricingTable = Made & { readonly url: string; readonly token: string };

const lastPart = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

/** A pricing table, by default of a new plan at 49.00 a month. */
export async function createPricingTable(shop: Shop, body: Body = {}): Promise<MadePricingTable> {
  const isPlaced = 'plans' in body || 'planGroupId' in body;
  const plans = isPlaced ? {} : { plans: [{ planId: (await createPricedPlan(shop)).id }] };
  const { id, url } = await made(
    shop.rest<Made & { url: string }>('POST', '/pricing-tables', {
      name: shop.next('table'),
      ...plans,
      ...body,
    }),
  );
  return { id, url, token: lastPart(url) };
}

/** A secret as a browser draws it. */
export const newVisit = (): string => randomBytes(16).toString('hex');

export const purchaseText =
  'mutation ($input: PricingTablePurchaseInput!) { pricingTablePurchase(input: $input) { checkoutUrl } }';

/** What a visitor without a key sends with a purchase. */
export const asVisitor = (key: string = randomUUID()) => ({ key: null, headers: { 'idempotency-key': key } });

/** Begins a purchase as a visitor, for a month by default; answers the token of its checkout. */
export async function beginPurchase(shop: Shop, input: Body, key?: string): Promise<string> {
  const { pricingTablePurchase } = await shop.t.graphql<{ pricingTablePurchase: { checkoutUrl: string } }>(
    purchaseText,
    {
      input: {
        visit: newVisit(),
        billingInterval: 'monthly',
        email: `${shop.next('visitor')}@shop.test`,
        ...input,
      },
    },
    asVisitor(key),
  );
  return lastPart(pricingTablePurchase.checkoutUrl);
}
