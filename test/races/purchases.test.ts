import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCreditsConsumer, of } from '../support/consumers.ts';
import {
  createActiveSubscription,
  createAddon,
  createCreditPack,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent purchases and deductions of credits. No credits are lost or used twice.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(async () => {
  const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok mismatches { account } } }');
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  await t.close();
});

const buy = (id: string, creditPackId: string) =>
  shop.rest('POST', `/subscriptions/${id}/credits`, { creditPackId });

test('two concurrent purchases of a credit pack add the credits twice', async () => {
  const consumer = await createCreditsConsumer(shop, 0);
  const { id } = await createCreditPack(shop);
  const answers = await Promise.all([buy(consumer.subscriptionId, id), buy(consumer.subscriptionId, id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await shop.rest('POST', '/usage/check', of(consumer));
  expect(body).toMatchObject({ purchasedCredits: 2_000 });
});

test('64 deductions concurrent with a purchase never exceed the available credits', async () => {
  const consumer = await createCreditsConsumer(shop, 140, 7);
  const { id } = await createCreditPack(shop);
  const draw = () => shop.rest('POST', '/usage/events', { ...of(consumer), value: 5 });
  const [bought, ...drawn] = await Promise.all([
    buy(consumer.subscriptionId, id),
    ...Array.from({ length: 64 }, draw),
  ]);
  expect(bought?.status).toBe(200);
  const accepted = drawn.filter(({ status }) => status === 200).length;
  for (const { status, body } of drawn)
    if (status !== 200) expect(body).toMatchObject({ error: { code: 'insufficient_credits' } });
  expect(accepted).toBeGreaterThanOrEqual(4);
  const { body } = await shop.rest('POST', '/usage/check', of(consumer));
  expect(body).toMatchObject({ totalCredits: 140 + 1_000 - 35 * accepted });
});

test('the purchase of a credit pack that is deleted at the same time either succeeds or returns not found', async () => {
  const consumer = await createCreditsConsumer(shop, 0);
  for (let round = 0; round < 4; round++) {
    const { id } = await createCreditPack(shop);
    const [bought, deleted] = await Promise.all([
      buy(consumer.subscriptionId, id),
      shop.rest('DELETE', `/credit-packs/${id}`),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(bought.status);
  }
});

test('concurrent activations of an add-on charge the add-on once, and all other activations are rejected', async () => {
  const [{ id }, addon] = [await createActiveSubscription(shop), await createAddon(shop)];
  const activate = () => shop.rest('POST', `/subscriptions/${id}/addons`, { addonId: addon.id });
  const answers = await Promise.all([activate(), activate(), activate(), activate()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const { body } = await shop.rest<{ data: unknown[] }>('GET', `/invoices?subscriptionId=${id}`);
  expect(body.data).toHaveLength(2);
});

test('the activation of an add-on that is deleted at the same time either succeeds or returns not found', async () => {
  for (let round = 0; round < 4; round++) {
    const [{ id }, addon] = [await createActiveSubscription(shop), await createAddon(shop)];
    const [activated, deleted] = await Promise.all([
      shop.rest('POST', `/subscriptions/${id}/addons`, { addonId: addon.id }),
      shop.rest('DELETE', `/addons/${addon.id}`),
    ]);
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([activated.status, deleted.status]);
  }
});
