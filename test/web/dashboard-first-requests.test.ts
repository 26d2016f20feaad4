import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  firstRequestCode,
  firstRequests,
  liveFirstRequests,
} from '../../src/dashboard/lists/first-requests.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';
import {
  advanceDays,
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

it("the example request of each empty list creates the list's first object once its placeholder IDs are replaced", async () => {
  const made = new Set<string>();
  const send = async (name: keyof typeof firstRequests, own: object = {}) => {
    const { path, body } = firstRequests[name];
    made.add(name);
    const answer = await shop.rest<{ id: string; checkoutUrl: string }>('POST', path, { ...body, ...own });
    expect([name, answer.status < 300, answer.body]).toEqual([name, true, answer.body]);
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
  for (const name of [
    'payments',
    'paymentLinks',
    'webhooks',
    'prices',
    'rateCards',
    'creditPacks',
    'exports',
    'apiKeys',
  ] as const)
    await send(name);
  await send('addons', { featureId: (await createFeature(shop)).id });
  await send('pricingTables', { plans: [{ planId: plan.id }] });
  const { id: offerId } = await send('offers');
  await send('promoCodes', { offerId });
  // A payout can be made only after the first payment has become available.
  await advanceDays(shop, 10);
  await t.graphql(firstRequests.payouts.body.query, {}, { key: shop.key });
  made.add('payouts');
  expect([...made].sort()).toEqual(Object.keys(firstRequests).sort());
  expect(firstRequestCode('usage')).toContain(`-d '${JSON.stringify(firstRequests.usage.body)}'`);
});

it('the example payout request in the live environment requires a verified organization', async () => {
  const { path, body } = liveFirstRequests['payouts'] ?? { path: '', body: {} };
  expect(firstRequestCode('payouts', 'live')).toContain(`$URL/api/v1${path} `);
  expect(firstRequestCode('customers', 'live')).toBe(firstRequestCode('customers'));
  const answer = await t.rest<{ error: { code: string } }>('POST', path, body, { key: t.liveKey });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
});

it('a list without an example request shows none, and every example request belongs to a list', () => {
  expect(firstRequestCode('ledger')).toBeNull();
  const names = pageRoutes.map(([name]) => name as string);
  expect(Object.keys(firstRequests).filter((name) => !names.includes(name))).toEqual([]);
});
