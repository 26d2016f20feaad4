import { randomBytes, randomUUID } from 'node:crypto';
import { createPricedPlan } from './catalog.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';

export type MadePricingTable = Made & { readonly url: string; readonly token: string };

const lastPart = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

/** Creates a pricing table, by default with a new plan for 49.00 a month. */
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

/** Returns a random visit secret, as a browser generates it. */
export const newVisit = (): string => randomBytes(16).toString('hex');

export const purchaseText =
  'mutation ($input: PricingTablePurchaseInput!) { pricingTablePurchase(input: $input) { checkoutUrl } }';

/** Returns the request options for a visitor without an API key. */
export const asVisitor = (key: string = randomUUID()) => ({ key: null, headers: { 'idempotency-key': key } });

/** Starts a purchase as a visitor, by default with a monthly price. Returns the checkout token. */
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
