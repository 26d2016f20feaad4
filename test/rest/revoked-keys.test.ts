import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of } from '../support/consumers.ts';
import { advanceDays, clockSettled, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { isDistributed } from '../support/template.ts';

// Whatever another process does to a key counts from the next request on (PLT-12). It is done here behind the process's back.

let t: TestApp;
let shop: Shop;
let consumer: Consumer;
/** A key of its own for each test. */
let made: { readonly id: string; readonly apiKey: string };
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  consumer = await createConsumer(shop, { terms: { includedAmount: 100_000 } });
});
afterAll(() => t.close());

type Body = { readonly error?: { readonly code: string }; readonly ts?: string };

/** Records an event with the key and answers the status and, of a rejection, the code. */
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

describe('a caller who records usage', () => {
  test('is looked up for every request', async () => {
    const requested = vi.spyOn(t.app.database, 'query');
    expect([await track(), await track()]).toEqual(['200', '200']);
    const texts = requested.mock.calls.map(([text]) => text);
    requested.mockRestore();
    // Where rows are distributed, a first statement says in which environment the second one looks.
    const each = isDistributed() ? 2 : 1;
    expect(texts.filter((text) => text.includes('"ApiKeyHash"'))).toHaveLength(2 * each);
  });

  test('is rejected with a key that was deleted, whatever else is wrong with the request', async () => {
    const before = await events();
    await t.app.database.script(`DELETE FROM "ApiKeyHash" WHERE "apiKeyId" = '${made.id}'`);
    expect([await track(), await track({ value: -1 }), await track({ customerId: 'nobody' })]).toEqual(
      Array(3).fill('401 unauthorized'),
    );
    expect(await events()).toBe(before);
  });

  test('is rejected with a key that was deleted while many record immediately', async () => {
    const before = await events();
    await t.app.database.script(`DELETE FROM "ApiKeyHash" WHERE "apiKeyId" = '${made.id}'`);
    const others = Array.from({ length: 10 }, () => shop.rest('POST', '/usage/events', of(consumer)));
    const rejected = await Promise.all(Array.from({ length: 10 }, () => track()));
    expect(rejected).toEqual(Array(10).fill('401 unauthorized'));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await events()).toBe((before ?? 0n) + 10n);
  });

  test('is rejected with a key that has expired', async () => {
    await change(`"expiresAt" = '2020-01-01'`);
    expect(await track()).toBe('401 unauthorized');
  });

  test('may do what the scopes of the key say now', async () => {
    const before = await events();
    await change(`scopes = '{read}'`);
    expect([await track(), await track()]).toEqual(['403 forbidden', '403 forbidden']);
    expect(await events()).toBe(before);
    await change(`scopes = '{read,write}'`);
    expect([await track(), await track()]).toEqual(['200', '200']);
    expect(await events()).toBe((before ?? 0n) + 2n);
  });

  test('who is rejected for the content of a request is told so as before', async () => {
    expect([await track({ value: -1 }), await track({ featureCode: 'nothing' }), await track()]).toEqual([
      '400 validation_error',
      '404 feature_not_found',
      '200',
    ]);
  });

  test('records at the time of a clock that was moved meanwhile', async () => {
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
