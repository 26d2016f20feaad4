import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advanceDays,
  clockSettled,
  createCustomer,
  createOffer,
  createPricedPlan,
  firstShop,
  latestInvoice,
  off,
  otherShop,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// An offer's savings are the discounts that it gave on paid invoices.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Savings = { currency: string; amount: number; invoiceCount: number }[] | null;

const savings = async (id: string, upTo = 100, at = shop): Promise<Savings> => {
  const { offer } = await t.graphql<{ offer: { savings: Savings } }>(
    'query ($id: ID!, $upTo: Int!) { offer(id: $id) { savings(upTo: $upTo) { currency amount invoiceCount } } }',
    { id, upTo },
    { key: at.key },
  );
  return offer.savings;
};

/** Creates a customer and opens a checkout for a plan with an offer. */
async function checkout(planId: string, offerId: string, country = 'US') {
  const customer = await createCustomer(shop, country);
  const { status, body } = await shop.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
    customerId: customer.id,
    planId,
    offerId,
  });
  expect(status).toBe(201);
  return { id: body.id, token: body.checkoutUrl.split('/').at(-1) ?? '' };
}

test("an offer's savings increase by currency with each paid invoice that it discounts", async () => {
  const plan = await createPricedPlan(shop);
  await setCurrency(shop, plan.id, 'brl', 5);
  const [offer, other] = [await createOffer(shop, [off.percent(2_500, 2)]), await createOffer(shop)];
  const first = await checkout(plan.id, offer.id);
  expect(await savings(offer.id)).toEqual([]);
  await pay(shop, first.token);
  // 25% of 49.00.
  expect(await savings(offer.id)).toEqual([{ currency: 'usd', amount: 1_225, invoiceCount: 1 }]);
  await pay(shop, (await checkout(plan.id, offer.id)).token);
  await pay(shop, (await checkout(plan.id, other.id)).token);
  // 49.00 at an exchange rate of 5.
  const inReais = await checkout(plan.id, offer.id, 'BR');
  await pay(shop, inReais.token);
  await subscribeTo(shop, (await createCustomer(shop)).id, plan.id);
  const unpaid = await checkout(plan.id, offer.id);
  const { body } = await shop.rest<{ discountAmount: number; status: string }>(
    'GET',
    `/invoices/${await latestInvoice(shop, unpaid.id)}`,
  );
  expect(body).toMatchObject({ status: 'outstanding', discountAmount: 1_225 });
  expect(await savings(offer.id)).toEqual([
    { currency: 'brl', amount: 6_125, invoiceCount: 1 },
    { currency: 'usd', amount: 2_450, invoiceCount: 2 },
  ]);
  expect(await savings(other.id)).toEqual([{ currency: 'usd', amount: 1_225, invoiceCount: 1 }]);

  // The discount applies to the second cycle but not to the third.
  await advanceDays(shop, 70);
  await clockSettled(shop);
  const grown = [
    { currency: 'brl', amount: 12_250, invoiceCount: 2 },
    { currency: 'usd', amount: 4_900, invoiceCount: 4 },
  ];
  expect(await savings(offer.id)).toEqual(grown);
  expect(await savings(other.id)).toEqual([{ currency: 'usd', amount: 1_225, invoiceCount: 1 }]);
  // The offer was applied to six paid invoices and one unpaid invoice, so a limit of seven includes all of them.
  expect(await savings(offer.id, 7)).toEqual(grown);
  expect(await savings(offer.id, 6)).toBeNull();
});

test("an offer's savings exclude other organizations", async () => {
  const away = await otherShop(t);
  const offer = await createOffer(away);
  expect(await savings(offer.id, 100, away)).toEqual([]);
});
