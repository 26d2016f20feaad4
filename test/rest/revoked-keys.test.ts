import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of } from '../support/consumers.ts';
import { advanceDays, clockSettled, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { isDistributed } from '../support/template.ts';

// If another process changes a key, the change applies from the next request (PLT-12). The tests change the database directly.

let t: TestApp;
let shop: Shop;
let consumer: Consumer;
/** API key that is created for each test. */
let made: { readonly id: string; readonly apiKey: string };
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  consumer = await createConsumer(shop, { terms: { includedAmount: 100_000 } });
});
afterAll(() => t.close());

type Body = { readonly error?: { readonly code: string }; readonly ts?: string };

/** Records an event with the key. Returns the status, and the error code if the event was rejected. */
async function track(more: object = {}): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const { status, body } = await t.rest<Body>(
    'POST',
    '/usage/events',
    { ...of(consumer), ...more },
    { key: made.apiKey, headers },
  );
  return body.error === undefined ? String(status) : `${status} ${body.error.code}`;
}

const change = (assignment: string): Promise<unknown> =>
  t.app.database.script(`UPDATE "ApiKey" SET ${assignment} WHERE id = '${made.id}'`);

beforeEach(async () => {
  const { body } = await shop.rest<typeof made>('POST', '/api-keys', { name: shop.next('key') });
  made = body;
  expect(await track()).toBe('200');
});

const events = async (): Promise<bigint | undefined> => (await consumptionOf(shop, consumer)).events;

describe('a caller that records usage', () => {
  test('is authenticated on every request', async () => {
    const requested = vi.spyOn(t.app.database, 'query');
    expect([await track(), await track()]).toEqual(['200', '200']);
    const texts = requested.mock.calls.map(([text]) => text);
    requested.mockRestore();
    // In a distributed database, one statement finds the environment, and a second one reads the key on the environment's node.
    const each = isDistributed() ? 2 : 1;
    expect(texts.filter((text) => text.includes('"ApiKeyHash"'))).toHaveLength(2 * each);
  });

  test('is rejected with a deleted key before other errors are reported', async () => {
    const before = await events();
    await t.app.database.script(`DELETE FROM "ApiKeyHash" WHERE "apiKeyId" = '${made.id}'`);
    expect([await track(), await track({ value: -1 }), await track({ customerId: 'nobody' })]).toEqual(
      Array(3).fill('401 unauthorized'),
    );
    expect(await events()).toBe(before);
  });

  test('is rejected with a key deleted during concurrent requests', async () => {
    const before = await events();
    await t.app.database.script(`DELETE FROM "ApiKeyHash" WHERE "apiKeyId" = '${made.id}'`);
    const others = Array.from({ length: 10 }, () => shop.rest('POST', '/usage/events', of(consumer)));
    const rejected = await Promise.all(Array.from({ length: 10 }, () => track()));
    expect(rejected).toEqual(Array(10).fill('401 unauthorized'));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await events()).toBe((before ?? 0n) + 10n);
  });

  test('is rejected with an expired key', async () => {
    await change(`"expiresAt" = '2020-01-01'`);
    expect(await track()).toBe('401 unauthorized');
  });

  test('has the current scopes of the API key', async () => {
    const before = await events();
    await change(`scopes = '{read}'`);
    expect([await track(), await track()]).toEqual(['403 forbidden', '403 forbidden']);
    expect(await events()).toBe(before);
    await change(`scopes = '{read,write}'`);
    expect([await track(), await track()]).toEqual(['200', '200']);
    expect(await events()).toBe((before ?? 0n) + 2n);
  });

  test('receives validation errors if the API key is valid', async () => {
    expect([await track({ value: -1 }), await track({ featureCode: 'nothing' }), await track()]).toEqual([
      '400 validation_error',
      '404 feature_not_found',
      '200',
    ]);
  });

  test('records usage at the new time after the test clock advances', async () => {
    await advanceDays(shop, 1);
    await clockSettled(shop);
    const [clock] = await t.app.database.query<{ simulatedTime: Date }>(
      'SELECT "simulatedTime" FROM "TestClock" WHERE "environmentId" = $1',
      [t.sandboxId],
    );
    const { body } = await t.rest<Body>('POST', '/usage/events', of(consumer), { key: made.apiKey });
    expect(body.ts).toBe(clock?.simulatedTime.toISOString());
  });
});
