import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumptionOf, createConsumer, createCreditsConsumer, of } from '../support/consumers.ts';
import { advanceDays, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Corrections at the same time as usage events and other corrections. Each event is corrected at most once, and totals and lots agree.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

/** Sends a request again while the server is overloaded (503). */
async function send(path: string, body: object) {
  for (let attempt = 1; ; attempt++) {
    const response = await shop.rest('POST', path, body);
    if (response.status !== 503 || attempt === 10) return response;
  }
}

const times = (count: number) => Array.from({ length: count }, (_none, index) => index);

describe('corrections at the same time', () => {
  test('lose no usage event of the same customer', async () => {
    const consumer = await createCreditsConsumer(shop, 10_000, 7);
    const ids: string[] = [];
    for (const _index of times(16))
      ids.push(String((await send('/usage/events', { ...of(consumer), value: 5 })).body['id']));
    const responses = await Promise.all([
      ...ids.map((id, index) =>
        index % 2 === 0
          ? send(`/usage/events/${id}/void`, {})
          : send(`/usage/events/${id}/replace`, { value: 3 }),
      ),
      ...times(32).map(() => send('/usage/events', { ...of(consumer), value: 1 })),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    // 8 replacements of 3 units, and 32 events of 1 unit.
    const left = 10_000n - 7n * 56n;
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      total: 56n,
      credits: left,
      entries: { credits: left },
    });
  });

  test('succeed while the usage window ends, and do not block usage', async () => {
    const consumer = await createConsumer(shop, {
      price: { price: 2_000 },
      terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } },
    });
    const ids: string[] = [];
    for (const _index of times(12))
      ids.push(String((await send('/usage/events', { ...of(consumer), value: 10 })).body['id']));
    const [, ...responses] = await Promise.all([
      advanceDays(shop, 31),
      ...ids.map((id) => send(`/usage/events/${id}/void`, {})),
      ...times(24).map(() => send('/usage/events', { ...of(consumer), value: 1 })),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const corrections = await shop.rest(
      'GET',
      `/usage/corrections?customerId=${consumer.customerId}&limit=100`,
    );
    expect(corrections.body['data']).toHaveLength(12);
    // The first invoice charges the events that weren't voided yet, and the next invoice credits them.
    await advanceDays(shop, 31);
    const { body } = await shop.rest('GET', `/invoices?subscriptionId=${consumer.subscriptionId}`);
    const totals = (body['data'] as readonly { readonly total: number }[]).map(({ total }) => total);
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(3 * 2_000 + 24);
  });

  test('correct the same event only once', async () => {
    const consumer = await createConsumer(shop);
    const { body } = await send('/usage/events', { ...of(consumer), value: 5 });
    const responses = await Promise.all(
      times(16).map((index) =>
        index % 2 === 0
          ? send(`/usage/events/${String(body['id'])}/void`, {})
          : send(`/usage/events/${String(body['id'])}/replace`, { value: 3 }),
      ),
    );
    const made = new Set(responses.filter(({ status }) => status === 200).map((one) => one.body['id']));
    expect(made.size).toBe(1);
    const { total } = await consumptionOf(shop, consumer);
    expect([0n, 3n]).toContain(total);
    const list = await shop.rest('GET', `/usage/corrections?customerId=${consumer.customerId}`);
    expect(list.body['data']).toHaveLength(1);
  });
});
