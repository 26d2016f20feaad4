import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstRequestCode, firstRequests } from '../../src/dashboard/lists/first-requests.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';
import {
  attachFeature,
  createFeature,
  createPlan,
  createPrice,
  firstShop,
  pay,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

it("each request that an empty list shows makes its first row, with the reader's own ids", async () => {
  const made = new Set<string>();
  const send = async (name: keyof typeof firstRequests, own: object = {}) => {
    const { path, body } = firstRequests[name];
    const answer = await shop.rest<{ id: string; checkoutUrl: string }>('POST', path, { ...body, ...own });
    expect([name, answer.status < 300, answer.body]).toEqual([name, true, answer.body]);
    made.add(name);
    return answer.body;
  };
  const plan = await createPlan(shop);
  await createPrice(shop, plan.id);
  const feature = await send('features');
  await attachFeature(shop, plan.id, feature.id, { includedAmount: 10 });
  const { id: customerId } = await send('customers');
  const { checkoutUrl } = await send('subscriptions', { customerId, planId: plan.id });
  await pay(shop, checkoutUrl.split('/').at(-1) ?? '');
  await send('usage', { customerId });
  await send('invoices', { customerId });
  for (const name of ['payments', 'paymentLinks', 'webhooks', 'prices', 'creditPacks'] as const)
    await send(name);
  await send('addons', { featureId: (await createFeature(shop)).id });
  await send('pricingTables', { plans: [{ planId: plan.id }] });
  const { id: offerId } = await send('offers');
  await send('promoCodes', { offerId });
  expect([...made].sort()).toEqual(Object.keys(firstRequests).sort());
  expect(firstRequestCode('usage')).toContain(`-d '${JSON.stringify(firstRequests.usage.body)}'`);
});

it('lists without such a request show none, and the others are lists', () => {
  expect(firstRequestCode('ledger')).toBeNull();
  const names = pageRoutes.map(([name]) => name as string);
  expect(Object.keys(firstRequests).filter((name) => !names.includes(name))).toEqual([]);
});
