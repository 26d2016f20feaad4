import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsumer, createCreditsConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { randomOf } from '../../../support/random.ts';

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

const clients = 64;

/** Opens a hold, then settles it in one or two parts, releases it, or leaves it. Returns the charged units. */
async function call(
  seed: number,
  fields: Json,
): Promise<{ readonly charged: number; readonly left: string | null }> {
  const random = randomOf(seed);
  const estimate = 1 + random.below(40);
  const onExcess = random.pick(['fit', 'drop']);
  const { status, body } = await post('/usage/holds', { ...fields, estimate: { value: estimate }, onExcess });
  if (status !== 201) return { charged: 0, left: null };
  const path = `/usage/holds/${String(body['id'])}`;
  const settle = async (value: number, final: boolean): Promise<number> => {
    const settled = await post(`${path}/settle`, { value, final, eventId: `${String(body['id'])}:${final}` });
    expect(settled.status, JSON.stringify(settled.body)).toBe(200);
    const uncounted = settled.body['uncounted'] as { quantity: string } | undefined;
    return value - Number(uncounted?.quantity ?? 0);
  };
  const way = random.below(10);
  if (way === 0) return { charged: 0, left: path };
  if (way === 1) {
    expect((await post(`${path}/release`)).status).toBe(200);
    return { charged: 0, left: null };
  }
  // The true quantity can exceed the estimate.
  const used = 1 + random.below(60);
  const first = random.below(2) === 0 ? await settle(1 + random.below(10), false) : 0;
  const last = await settle(used, true);
  // A repetition after a lost response changes nothing.
  if (random.below(3) === 0) expect(await settle(used, true)).toBe(last);
  return { charged: first + last, left: null };
}

test(`${clients} clients that hold and settle at three levels never exceed a limit`, async () => {
  const consumer = await createConsumer(shop, { terms: { includedAmount: 1_000_000 } });
  const { customerId } = consumer;
  await post(`/customers/${customerId}/budgets`, { key: 'team:eu' });
  await post(`/customers/${customerId}/budgets`, { key: 'key:a', parentKey: 'team:eu' });
  await post(`/customers/${customerId}/budgets`, { key: 'key:b', parentKey: 'team:eu' });
  const amounts = { 'key:a': 700, 'key:b': 900, 'team:eu': 1_300, customer: 1_500 };
  for (const [key, amount] of Object.entries(amounts)) {
    const { status } = await post('/limits', {
      scope: key === 'customer' ? { customer: customerId } : { customer: customerId, budget: key },
      measure: 'units',
      filter: { features: [consumer.feature.code] },
      window: key === 'customer' ? { kind: 'usage_window' } : { kind: 'day', timeZone: 'UTC' },
      amount,
      action: 'block',
    });
    expect(status).toBe(201);
  }
  const keys = ['key:a', 'key:b', 'team:eu', undefined];
  const results = await Promise.all(
    Array.from({ length: clients }, async (_client, index) => {
      const budget = keys[index % keys.length];
      const calls = [];
      for (let round = 0; round < 3; round++)
        calls.push(
          await call(1 + index * 10 + round, {
            ...of(consumer),
            ...(budget === undefined ? {} : { budget }),
          }),
        );
      return { budget, calls };
    }),
  );
  for (const { left } of results.flatMap(({ calls }) => calls))
    if (left !== null) expect((await post(`${left}/release`)).status).toBe(200);
  const charged = (budgets: readonly (string | undefined)[]): number =>
    results
      .filter(({ budget }) => budgets.includes(budget))
      .flatMap(({ calls }) => calls)
      .reduce((sum, one) => sum + one.charged, 0);
  const states = async (budget: string) => {
    const { body } = await shop.rest(
      'GET',
      `/customers/${customerId}/limits?budget=${encodeURIComponent(budget)}`,
    );
    return (body['data'] as readonly Json[]).map(({ node, used, held, amount }) => ({
      key: (node as { key: string | null }).key ?? 'customer',
      used: Number(used),
      held: held ?? '0',
      amount: Number(amount),
    }));
  };
  const all = [...(await states('key:a')), ...(await states('key:b'))];
  const used = Object.fromEntries(all.map((one) => [one.key, one.used]));
  expect(used).toEqual({
    'key:a': charged(['key:a']),
    'key:b': charged(['key:b']),
    'team:eu': charged(['key:a', 'key:b', 'team:eu']),
    customer: charged(keys),
  });
  expect(all.filter((one) => one.used > one.amount)).toEqual([]);
  expect(all.filter(({ held }) => held !== '0')).toEqual([]);
  // The limits decided: the customer's usage reached its amount.
  expect(used['customer']).toBeGreaterThan(1_200);
});

test(`${clients} clients that hold credits never overdraw them, and leave nothing held`, async () => {
  const consumer = await createCreditsConsumer(shop, 900, 1);
  const results = await Promise.all(
    Array.from({ length: clients }, (_client, index) => call(5_000 + index, of(consumer))),
  );
  for (const { left } of results) if (left !== null) await post(`${left}/release`);
  const charged = results.reduce((sum, one) => sum + one.charged, 0);
  const { body } = await shop.rest('GET', `/subscriptions/${consumer.subscriptionId}`);
  expect((body['credits'] as Json)['remaining']).toBe(900 - charged);
  expect(charged).toBeLessThanOrEqual(900);
});

test('a settlement and a release of the same hold exclude each other', async () => {
  const consumer = await createConsumer(shop, { terms: { includedAmount: 100_000 } });
  for (let round = 0; round < 10; round++) {
    const { body } = await post('/usage/holds', { ...of(consumer), estimate: { value: 10 } });
    const path = `/usage/holds/${String(body['id'])}`;
    const [settled, released] = await Promise.all([
      post(`${path}/settle`, { value: 7 }),
      post(`${path}/release`),
      post(`${path}/extend`, { expiresIn: 3_600 }),
    ]);
    expect([settled.status, released.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { body: ended } = await shop.rest('GET', path);
    expect(ended).toMatchObject({ status: settled.status === 200 ? 'settled' : 'released', remaining: '0' });
  }
});
