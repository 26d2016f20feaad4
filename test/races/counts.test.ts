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

// Seats and quota wanted by many at the same moment: a limit is met exactly, and each change continues the one before it (CON-7, CON-46, CON-52).

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

/** Whether changes follow one another without a gap, whatever their order. */
function expectChain(events: readonly Event[], start: number, end: number): void {
  const next = new Map(events.map(({ previousBalance, newBalance }) => [previousBalance, newBalance]));
  expect(next.size).toBe(events.length);
  let at = start;
  for (let step = 0; step < events.length; step++) at = next.get(at) ?? Number.NaN;
  expect(at).toBe(end);
}

test.each(['seats', 'quota'] as const)(
  'of 32 additions of %s immediately as many win as there is room for',
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

test('of 16 removals of quota immediately as many win as there are units', async () => {
  const consumer = await createCounter(shop, 'quota', {}, 7);
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => send('POST', '/usage/quota/remove', of(consumer))),
  );
  const won = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  expectChain(won, 7, 0);
  expect(answers.filter(({ body }) => body.error?.code === 'insufficient_balance')).toHaveLength(9);
});

test('two maps immediately are set one after the other, each whole', async () => {
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
  // Whichever came last, both features went the same way.
  expect(four?.map(({ previousBalance }) => previousBalance)).toEqual([
    four?.[0]?.previousBalance,
    four?.[0]?.previousBalance,
  ]);
});

test('an addition that races with the renewal is charged in advance or by the day, and never lost', async () => {
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

test('one key sent by eight immediately changes the count once', async () => {
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
