import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConsumer, of } from '../support/consumers.ts';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Unique values recorded by many concurrent clients. Each value is counted once, and a hard limit is never exceeded (CON-7, PRM-11).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const clients = Array.from({ length: 64 }, (_none, index) => index);

/** Tracks an event of a user. Retries while the server is overloaded (503). */
async function track(consumer: Parameters<typeof of>[0], user: string): Promise<number> {
  const body = { ...of(consumer), properties: [{ property: 'user', value: user }] };
  for (let attempt = 1; ; attempt++) {
    const { status } = await shop.rest('POST', '/usage/events', body);
    if (status !== 503 || attempt === 10) return status;
  }
}

const storedCounts = ({ subscriptionId }: { readonly subscriptionId: string }) =>
  t.app.database.query<{ count: bigint }>(
    'SELECT count FROM "UsageValue" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY count',
    [shop.environmentId, subscriptionId],
  );

describe('64 clients that record unique values at the same time', () => {
  test('count each value once', async () => {
    const consumer = await createConsumer(shop, {
      meter: { aggregation: 'unique', property: 'user' },
      terms: { includedAmount: 100 },
    });
    const statuses = await Promise.all(clients.map((index) => track(consumer, `user ${index % 16}`)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(
      (
        await shop.rest('POST', '/usage/check', {
          ...of(consumer),
          properties: [{ property: 'user', value: 'user 0' }],
        })
      ).body,
    ).toMatchObject({ current: 16 });
    expect((await storedCounts(consumer)).map(({ count }) => count)).toEqual(
      Array.from({ length: 16 }, () => 4n),
    );
  });

  test('never exceed a hard limit', async () => {
    const consumer = await createConsumer(shop, {
      meter: { aggregation: 'unique', property: 'user' },
      terms: { includedAmount: 10 },
    });
    const statuses = await Promise.all(clients.map((index) => track(consumer, `user ${index % 32}`)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(await storedCounts(consumer)).toHaveLength(10);
  });
});
