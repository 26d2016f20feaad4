import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { follow, openSocket } from '../../messages/events/live.ts';

let t: TestApp;
let shop: Shop;
let socket: ReturnType<typeof openSocket>;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  socket = openSocket(t);
});
afterAll(async () => {
  await socket.dispose();
  await t.close();
});

type Access = { readonly allowed: boolean; readonly consumption: { readonly unitsUsed: number } };
const text = `subscription ($id: ID!) { featureAccessChanged(customerId: $id) {
  ... on UsageFeatureAccess { allowed consumption { ... on MeteredConsumption { unitsUsed } } } } }`;

test('the access stream emits the current access, and emits updates after usage, after an adjustment without an event, and when access ends', async () => {
  const consumer = await createConsumer(shop, { terms: { includedAmount: 3 } });
  const reader = follow<Access[]>(socket, text, { id: consumer.customerId });
  const emitted = async () => (await reader.next()).value;
  expect(await emitted()).toEqual([{ allowed: true, consumption: { unitsUsed: 0 } }]);
  const used = emitted();
  await shop.rest('POST', '/usage/events', { ...of(consumer), value: 3 });
  expect(await used).toEqual([{ allowed: false, consumption: { unitsUsed: 3 } }]);
  const corrected = emitted();
  await shop.rest('PUT', '/usage', { ...of(consumer), value: 1 });
  expect(await corrected).toEqual([{ allowed: true, consumption: { unitsUsed: 1 } }]);
  const ended = emitted();
  await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
  expect(await ended).toEqual([]);
  await reader.stop();
});

test("the access stream rejects a customer that doesn't exist", async () => {
  await expect(follow(socket, text, { id: 'nobody' }).next()).rejects.toThrow('customer_not_found');
});
