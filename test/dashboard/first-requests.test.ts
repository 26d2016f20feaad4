import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstRequestCode, firstRequests } from '../../src/dashboard/lists/first-requests.ts';
import { attachFeature, createPlan, createPrice, firstShop, pay, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

it("each request that an empty list shows makes its first row, with the reader's own ids", async () => {
  const send = async (name: keyof typeof firstRequests, own: object = {}) => {
    const { path, body } = firstRequests[name];
    const made = await shop.rest<{ id: string; checkoutUrl: string }>('POST', path, { ...body, ...own });
    expect([made.status < 300, made.body]).toEqual([true, made.body]);
    return made.body;
  };
  const plan = await createPlan(shop);
  await createPrice(shop, plan.id);
  const feature = await shop.rest<{ id: string }>('POST', '/features', {
    code: firstRequests.usage.body.featureCode,
    name: 'API calls',
    type: 'usage',
  });
  await attachFeature(shop, plan.id, feature.body.id, { includedAmount: 10 });
  const { id: customerId } = await send('customers');
  const { checkoutUrl } = await send('subscriptions', { customerId, planId: plan.id });
  await pay(shop, checkoutUrl.split('/').at(-1) ?? '');
  await send('usage', { customerId });
  expect(firstRequestCode('usage')).toContain(`-d '${JSON.stringify(firstRequests.usage.body)}'`);
});
