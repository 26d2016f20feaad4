import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOld } from '../../../../src/worker/retention.ts';
import { type Consumer, createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Defects of reservations that other products reported. The names refer to the chapter about limits.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Json = Readonly<Record<string, unknown>>;

const post = async (path: string, body: Json = {}) =>
  (await shop.rest('POST', path, body)) as { status: number; body: Json };
const open = (consumer: Consumer, value: number, options: Json = {}) =>
  post('/usage/holds', { ...of(consumer), estimate: { value }, ...options });
const settle = (id: unknown, body: Json) => post(`/usage/holds/${String(id)}/settle`, body);
const track = (consumer: Consumer, value: number, options: Json = {}) =>
  post('/usage/events', { ...of(consumer), value, ...options });
const hardConsumer = (includedAmount = 100) => createConsumer(shop, { terms: { includedAmount } });

const check = async (consumer: Consumer): Promise<Json> => (await post('/usage/check', of(consumer))).body;

/** Makes a hold due without waking the worker. */
const makeDue = (id: unknown) =>
  t.app.database.query(
    `UPDATE "UsageHold" SET "dueAt" = "createdAt" - interval '1 second', "expiresAt" = "createdAt" - interval '1 second'
     WHERE "environmentId" = $1 AND id = $2`,
    [t.sandboxId, id],
  );

const kindsOf = async ({ customerId }: Consumer): Promise<string[]> =>
  (
    await t.app.database.query<{ kind: string }>(
      `SELECT kind FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND (kind LIKE 'hold.%' OR kind = 'usage.uncounted') ORDER BY position`,
      [t.sandboxId, customerId],
    )
  ).map(({ kind }) => kind);

test('rejects one of two parallel calls that fit only alone (litellm-session)', async () => {
  const consumer = await hardConsumer();
  const answers = await Promise.all([open(consumer, 60), open(consumer, 60)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400]);
});

test('ignores a leaked hold after its end, before the worker expires it (litellm-leak)', async () => {
  const consumer = await hardConsumer();
  const leaked = await open(consumer, 100);
  expect((await track(consumer, 1)).status).toBe(400);
  await makeDue(leaked.body['id']);
  expect(await check(consumer)).toMatchObject({ allowed: true, remaining: 100 });
  const { body } = await shop.rest(
    'GET',
    `/feature-access/${consumer.feature.code}?customerId=${consumer.customerId}`,
  );
  expect(body).toMatchObject({ allowed: true });
  expect((await track(consumer, 100)).status).toBe(200);
  expect(await kindsOf(consumer)).toEqual(['hold.expired']);
  expect((await shop.rest('GET', `/usage/holds/${String(leaked.body['id'])}`)).body).toMatchObject({
    status: 'expired',
  });
});

test('ignores leaked holds on credits and on budgets (litellm-leak)', async () => {
  const consumer = await createCreditsConsumer(shop, 100, 1);
  await post(`/customers/${consumer.customerId}/budgets`, { key: 'key:leak' });
  await post('/limits', {
    scope: { customer: consumer.customerId, budget: 'key:leak' },
    measure: 'drawn',
    asset: 'credits',
    window: { kind: 'lifetime' },
    amount: 80,
    action: 'block',
  });
  const leaked = await open(consumer, 80, { budget: 'key:leak' });
  expect(leaked.status).toBe(201);
  expect((await open(consumer, 1, { budget: 'key:leak' })).status).toBe(400);
  await makeDue(leaked.body['id']);
  expect((await track(consumer, 80, { budget: 'key:leak' })).status).toBe(200);
  expect((await track(consumer, 20)).status).toBe(200);
});

test('charges the part of a failed stream that was used (litellm-failed-stream)', async () => {
  const consumer = await hardConsumer();
  const { body } = await open(consumer, 80);
  expect((await settle(body['id'], { value: 13 })).status).toBe(200);
  expect(await check(consumer)).toMatchObject({ current: 13, remaining: 87 });
});

test('accepts parallel calls only up to the credits (librechat-parallel)', async () => {
  const consumer = await createCreditsConsumer(shop, 100, 1);
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(consumer, 30)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(await check(consumer)).toMatchObject({ totalCredits: 10 });
});

test('counts a hold toward the cap of a member, and not only toward the credits (pagespace-caps)', async () => {
  const consumer = await createCreditsConsumer(shop, 1_000, 1);
  await post(`/customers/${consumer.customerId}/budgets`, { key: 'member:ada' });
  await post('/limits', {
    scope: { customer: consumer.customerId, budget: 'member:ada' },
    measure: 'drawn',
    asset: 'credits',
    window: { kind: 'day', timeZone: 'UTC' },
    amount: 100,
    action: 'block',
  });
  expect((await open(consumer, 70, { budget: 'member:ada' })).status).toBe(201);
  expect((await open(consumer, 70, { budget: 'member:ada' })).body).toMatchObject({
    error: { code: 'insufficient_credits', details: { reason: 'limit_reached' } },
  });
  expect((await open(consumer, 70)).status).toBe(201);
});

test('frees a hold once if it expires and is settled late (eliza-sweep)', async () => {
  const consumer = await createCreditsConsumer(shop, 100, 1);
  const { body } = await open(consumer, 40);
  await makeDue(body['id']);
  const event = await settle(body['id'], { value: 40 });
  expect(event.body).toMatchObject({ isLate: true });
  expect(await check(consumer)).toMatchObject({ totalCredits: 60 });
  expect((await settle(body['id'], { value: 40 })).body).toEqual(event.body);
  expect(await check(consumer)).toMatchObject({ totalCredits: 60 });
  expect(await kindsOf(consumer)).toEqual(['hold.expired', 'hold.settled_late']);
});

test('charges late usage as the hold says (routstr-late)', async () => {
  const charged = async (onExcess: string): Promise<unknown> => {
    const consumer = await hardConsumer();
    const { body } = await open(consumer, 90, { onExcess });
    await makeDue(body['id']);
    expect((await track(consumer, 50)).status).toBe(200);
    expect((await settle(body['id'], { value: 70 })).status).toBe(200);
    return (await check(consumer))['current'];
  };
  expect([await charged('fit'), await charged('accept'), await charged('drop')]).toEqual([100, 120, 50]);
});

test('frees a stream that fails before its first chunk (otari-precommit)', async () => {
  const consumer = await hardConsumer();
  const { body } = await open(consumer, 100);
  expect((await post(`/usage/holds/${String(body['id'])}/release`)).status).toBe(200);
  expect(await check(consumer)).toMatchObject({ remaining: 100 });
});

test('keeps the effect of excess with the hold (autumn-finalize)', async () => {
  const consumer = await hardConsumer();
  const { body } = await open(consumer, 10, { onExcess: 'drop' });
  const { body: found } = await shop.rest('GET', `/usage/holds/${String(body['id'])}`);
  expect(found).toMatchObject({ onExcess: 'drop' });
  expect((await settle(body['id'], { value: 30 })).body).toMatchObject({ uncounted: { quantity: '20' } });
  expect(await check(consumer)).toMatchObject({ current: 10 });
});

test('an abandoned hold expires within a second of its end', async () => {
  const consumer = await hardConsumer();
  const { body } = await open(consumer, 100, { expiresIn: 1 });
  const end = Date.parse(String(body['expiresAt']));
  await eventually(
    async () => (await shop.rest('GET', `/usage/holds/${String(body['id'])}`)).body['status'],
    (status) => status === 'expired',
  );
  expect(t.app.wall.now().getTime() - end).toBeLessThan(2_000);
  expect(await kindsOf(consumer)).toEqual(['hold.expired']);
});

test('usage after the end of the subscription is recorded as uncounted, and frees the budget', async () => {
  const consumer = await hardConsumer();
  const { customerId, subscriptionId } = consumer;
  await post(`/customers/${customerId}/budgets`, { key: 'key:old' });
  await post('/limits', {
    scope: { customer: customerId, budget: 'key:old' },
    measure: 'calls',
    window: { kind: 'lifetime' },
    amount: 1,
    action: 'block',
  });
  const { body } = await open(consumer, 10, { budget: 'key:old' });
  expect((await post(`/subscriptions/${subscriptionId}/cancel`, { immediate: true })).status).toBe(200);
  const event = await settle(body['id'], { value: 8 });
  expect(event.body).toMatchObject({ value: 8, uncounted: { quantity: '8', amount: '0' } });
  expect((await settle(body['id'], { value: 8 })).body).toEqual(event.body);
  expect(await kindsOf(consumer)).toEqual(['usage.uncounted']);
  const rows = await t.app.database.query(
    `SELECT 1 FROM "LimitState" s, jsonb_each(s.gauges) g WHERE s."environmentId" = $1 AND s."customerId" = $2 AND g.value ? 'held'`,
    [t.sandboxId, customerId],
  );
  expect(rows).toEqual([]);
});

test('ended holds are removed after 97 days, and open holds remain', async () => {
  const consumer = await hardConsumer();
  const ids = [await open(consumer, 1), await open(consumer, 1), await open(consumer, 1)].map(({ body }) =>
    String(body['id']),
  );
  const [old, still, recent] = ids;
  for (const id of [old, recent]) expect((await post(`/usage/holds/${id}/release`)).status).toBe(200);
  const longAgo = new Date(t.app.wall.now().getTime() - 98 * 86_400_000);
  await t.app.database.query('UPDATE "UsageHold" SET "createdAt" = $2 WHERE id = ANY($1)', [
    [old, still],
    longAgo,
  ]);
  expect(await removeOld(t.app, 'holds')).toBe(1);
  const { body } = await shop.rest('GET', `/usage/holds?customerId=${consumer.customerId}`);
  const left = (body['data'] as readonly Json[]).map(({ id }) => String(id));
  expect(left.toSorted()).toEqual(ids.filter((id) => id !== old).toSorted());
});
