import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of } from '../support/consumers.ts';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Mutations that record usage with an idempotency key and select fields that only the database can return. The outcome is stored together
// with the events, and the response is stored after the commit. If the process crashes in between, a retry must return the response without
// recording the usage again.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const single = `mutation ($input: UsageTrackInput!) { usageTrack(input: $input) { id ts value featureCode customer { id } feature { name } } }`;
const batch = `mutation ($input: UsageTrackBatchInput!) { usageTrackBatch(input: $input) { recorded results { index code error event { id customer { id } } } } }`;

/** Sends a mutation with an idempotency key and returns the response without the request IDs in errors. */
async function send(query: string, input: object, key: string): Promise<unknown> {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': shop.key, 'idempotency-key': key },
    body: JSON.stringify({ query, variables: { input } }),
  });
  return JSON.parse((await response.text()).replace(/"requestId":"[^"]*"/, '"requestId":""'));
}

/** Resets a key to the state in which a process that crashes right after the commit leaves it. */
const forgetAnswer = async (key: string): Promise<void> => {
  const rows = await t.app.database.query(
    `UPDATE "IdempotencyKey" SET state = 'applied', status = NULL, body = NULL WHERE id = $1 AND "environmentId" = $2 RETURNING 1`,
    [key, t.sandboxId],
  );
  expect(rows).toHaveLength(1);
};

const stateOf = (key: string) =>
  t.app.database.query('SELECT state, status FROM "IdempotencyKey" WHERE id = $1 AND "environmentId" = $2', [
    key,
    t.sandboxId,
  ]);

/** Sends a mutation, discards the stored response, and sends the mutation again. */
async function sendTwice(query: string, input: object): Promise<unknown> {
  const key = randomUUID();
  const first = await send(query, input, key);
  await forgetAnswer(key);
  expect(await send(query, input, key)).toEqual(first);
  // The second request stored the response.
  expect(await stateOf(key)).toMatchObject([{ state: 'answered' }]);
  expect(await send(query, input, key)).toEqual(first);
  return first;
}

const used = (consumer: Consumer) => consumptionOf(shop, consumer);

describe('a retried mutation whose process stopped before storing the response', () => {
  test('returns the response from the recorded usage without recording the usage again', async () => {
    const consumer = await createConsumer(shop);
    const first = await sendTwice(single, { ...of(consumer), value: 3 });
    expect(first).toMatchObject({
      data: { usageTrack: { value: 3, customer: { id: consumer.customerId } } },
    });
    expect(await used(consumer)).toMatchObject({ total: 3n, events: 1n });
  });

  test('is rejected again if the first attempt was rejected', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 2 } });
    const first = await sendTwice(single, { ...of(consumer), value: 3 });
    expect(first).toMatchObject({ errors: [{ extensions: { code: 'included_limit_reached' } }] });
    expect(await used(consumer)).toMatchObject({ total: 0n, events: 0n });
  });

  test('returns the same result for each event in a batch', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 3 } });
    const events = [of(consumer), { ...of(consumer), value: 0 }, { ...of(consumer), value: 9 }, of(consumer)];
    const first = await sendTwice(batch, { events });
    expect(first).toMatchObject({
      data: {
        usageTrackBatch: {
          recorded: 2,
          results: [
            { code: null },
            { code: 'validation_error' },
            { code: 'included_limit_reached' },
            { code: null },
          ],
        },
      },
    });
    expect(await used(consumer)).toMatchObject({ total: 2n, events: 2n });
  });
});

test("an idempotency key whose response isn't stored is rejected if the input differs", async () => {
  const consumer = await createConsumer(shop);
  const key = randomUUID();
  await send(single, of(consumer), key);
  await forgetAnswer(key);
  expect(await send(single, { ...of(consumer), value: 2 }, key)).toMatchObject({
    errors: [{ extensions: { code: 'idempotency_key_mismatch' } }],
  });
  expect(await used(consumer)).toMatchObject({ total: 1n, events: 1n });
});

test('concurrent mutations with the same idempotency key record usage once', async () => {
  const consumer = await createConsumer(shop);
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(single, of(consumer), key)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await used(consumer)).toMatchObject({ total: 1n, events: 1n });
});
