import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, createCounter, of } from '../support/consumers.ts';
import {
  advanceDays,
  attachFeature,
  clockSettled,
  createFeature,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent changes to seats and quota. Limits are enforced exactly, and each change starts from the previous count (CON-7, CON-46,
// CON-52).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Event = {
  readonly previousBalance: number;
  readonly newBalance: number;
  readonly error?: { readonly code: string };
};

const hard = (includedAmount: number) => ({ includedAmount, overage: { enabled: false } });
const send = (method: string, path: string, body: object) => shop.rest<Event>(method, path, body);
const seats = async (consumer: Consumer): Promise<number> => {
  const { customerId, featureCode } = of(consumer);
  const { body } = await shop.rest<{ current: number }>(
    'GET',
    `/seats/balance?customerId=${customerId}&featureCode=${featureCode}`,
  );
  return body.current;
};

/** Expects the changes to form a chain from `start` to `end` in any order. */
function expectChain(events: readonly Event[], start: number, end: number): void {
  const next = new Map(events.map(({ previousBalance, newBalance }) => [previousBalance, newBalance]));
  expect(next.size).toBe(events.length);
  let at = start;
  for (let step = 0; step < events.length; step++) at = next.get(at) ?? Number.NaN;
  expect(at).toBe(end);
}

test.each(['seats', 'quota'] as const)(
  '32 concurrent additions of %s are accepted up to the limit of 20 units',
  async (type) => {
    const consumer = await createCounter(shop, type, hard(20));
    const path = type === 'seats' ? '/seats' : '/usage/quota';
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => send('POST', path, { ...of(consumer), count: 1 })),
    );
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(won).toHaveLength(20);
    expectChain(won, 0, 20);
    expect(
      new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error?.code)),
    ).toEqual(new Set(['included_limit_reached']));
  },
);

test('16 concurrent removals of quota units are accepted until the count is 0', async () => {
  const consumer = await createCounter(shop, 'quota', {}, 7);
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => send('POST', '/usage/quota/remove', of(consumer))),
  );
  const won = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  expectChain(won, 7, 0);
  expect(answers.filter(({ body }) => body.error?.code === 'insufficient_balance')).toHaveLength(9);
});

test('concurrent bulk seat updates are applied one after another, and each updates all of its features', async () => {
  const consumer = await createCounter(shop, 'seats', hard(10));
  const second = await createFeature(shop, 'seats');
  await attachFeature(shop, consumer.planId, second.id, hard(10));
  const set = (count: number) =>
    shop.rest<{ data: Event[] }>('PUT', '/seats/bulk', {
      customerId: consumer.customerId,
      seats: { [consumer.feature.code]: count, [second.code]: count },
    });
  const answers = await Promise.all([set(4), set(7), set(11)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  const [four, seven] = answers.map(({ body }) => body.data);
  for (const index of [0, 1]) {
    const events = [four?.[index], seven?.[index]].map((event) => [
      event?.previousBalance,
      event?.newBalance,
    ]);
    expect([
      [
        [0, 4],
        [4, 7],
      ],
      [
        [7, 4],
        [0, 7],
      ],
    ]).toContainEqual(events);
  }
  // The requests changed both features in the same order.
  expect(four?.map(({ previousBalance }) => previousBalance)).toEqual([
    four?.[0]?.previousBalance,
    four?.[0]?.previousBalance,
  ]);
});

test('seats added during a renewal are charged in advance or prorated, and never lost', async () => {
  const consumer = await createCounter(shop, 'seats', {}, 4);
  await clockSettled(shop);
  const run = advanceDays(shop, 40);
  const added = await send('POST', '/seats', { ...of(consumer), count: 3 });
  expect(added).toMatchObject({ status: 200, body: { previousBalance: 4, newBalance: 7 } });
  expect(await run).toBe('completed');
  expect(await seats(consumer)).toBe(7);
  await advanceDays(shop, 31);
  const lines = await t.app.database.query<{ type: string; quantity: string }>(
    `SELECT "chargeType" AS type, quantity FROM "InvoiceLine" l JOIN "Invoice" i ON i."environmentId" = l."environmentId" AND i.id = l."invoiceId"
     WHERE l."environmentId" = $1 AND i."subscriptionId" = $2 AND l."lineType" = 'feature_seats' ORDER BY i.seq, l.position`,
    [t.sandboxId, consumer.subscriptionId],
  );
  const words = lines.map(({ type, quantity }) => `${type} ${quantity}`);
  expect([
    ['true_up 3', 'advance 3', 'advance 3'],
    ['true_up 3', 'advance 3'],
  ]).toContainEqual(words);
});

test('eight concurrent requests with the same idempotency key add seats once', async () => {
  const consumer = await createCounter(shop, 'seats');
  const key = shop.next('key');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      shop.rest<Event & { id: string }>(
        'POST',
        '/seats',
        { ...of(consumer), count: 2 },
        { headers: { 'idempotency-key': key } },
      ),
    ),
  );
  const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(1);
  expect(await seats(consumer)).toBe(2);
});
