import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumptionOf, createConsumer, createCreditsConsumer, of } from '../support/consumers.ts';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { serverUrl } from '../support/template.ts';

// Requests recorded in one transaction. Each gets its own response.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ env: { IDEMPOTENCY_LOCK_TIMEOUT_MS: '300' } });
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = { readonly id?: string; readonly error?: { readonly code: string } };
type Sent = { readonly status: number; readonly body: Body; readonly headers: Headers };

const track = (body: object, key: string | null = randomUUID()): Promise<Sent> =>
  shop.rest<Body>('POST', '/usage/events', body, key === null ? {} : { headers: { 'idempotency-key': key } });

const times = (count: number) => Array.from({ length: count }, (_none, index) => index);

const codes = (answers: readonly Sent[]): string[] =>
  answers.map(({ status, body }) => body.error?.code ?? String(status));

/** Event that passes the API's validation but violates a database constraint. */
const poison = { eventId: 'poison' };

describe('a usage request in a transaction shared with other requests', () => {
  test('is the only failed request if the database rejects the event', async () => {
    await t.app.database.script(
      `ALTER TABLE "UsageEvent" ADD CONSTRAINT poison CHECK ("eventId" <> '${poison.eventId}')`,
    );
    const consumer = await createCreditsConsumer(shop);
    const answers = await Promise.all(
      times(24).map((index) => track({ ...of(consumer), ...(index === 13 ? poison : {}) })),
    );
    expect(codes(answers)).toEqual(times(24).map((index) => (index === 13 ? 'internal_error' : '200')));
    expect(await consumptionOf(shop, consumer)).toMatchObject({
      credits: 640n - 161n,
      events: 23n,
      total: 23n,
    });
  });

  test("doesn't affect the other requests in the transaction if it's rejected", async () => {
    const [one, two] = [
      await createCreditsConsumer(shop),
      await createConsumer(shop, { terms: { includedAmount: 3 } }),
    ];
    const answers = await Promise.all(
      times(12).map((index) =>
        track(index % 3 === 0 ? of(one) : index % 3 === 1 ? of(two) : { ...of(one), customerId: 'nobody' }),
      ),
    );
    expect(codes(answers).toSorted()).toEqual([
      ...Array(7).fill('200'),
      ...Array(4).fill('customer_not_found'),
      'included_limit_reached',
    ]);
    expect([(await consumptionOf(shop, one)).total, (await consumptionOf(shop, two)).total]).toEqual([
      4n,
      3n,
    ]);
  });

  test('returns the first response for a reused idempotency key, and rejects a different body', async () => {
    const consumer = await createConsumer(shop);
    const key = randomUUID();
    const first = await track(of(consumer), key);
    const [again, other, fresh] = await Promise.all([
      track(of(consumer), key),
      track({ ...of(consumer), value: 2 }, key),
      track(of(consumer)),
    ]);
    expect(again?.body).toEqual(first.body);
    expect(codes([other, fresh] as Sent[])).toEqual(['idempotency_key_mismatch', '200']);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 2n, events: 2n });
  });
});

test('an expired idempotency key is accepted for a new usage request in a shared transaction', async () => {
  const consumer = await createConsumer(shop);
  const [key, kept] = [randomUUID(), randomUUID()];
  const first = await track(of(consumer), key);
  const still = await track(of(consumer), kept);
  await t.app.database.script(`UPDATE "IdempotencyKey" SET "expiresAt" = "createdAt" WHERE id = '${key}'`);
  const again = { ...of(consumer), value: 5 };
  const answers = await Promise.all([
    track(again, key),
    track(of(consumer), kept),
    track(of(consumer)),
    track(of(consumer)),
  ]);
  expect(codes(answers)).toEqual(times(4).map(() => '200'));
  expect(answers[0]?.body.id).not.toBe(first.body.id);
  expect(answers[1]?.body).toEqual(still.body);
  expect((await track(again, key)).body).toEqual(answers[0]?.body);
  expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 9n, events: 5n });
});

const mutation =
  'mutation ($input: UsageTrackInput!) { usageTrack(input: $input) { id featureCode customer { id } feature { code } } }';

describe('the usageTrack mutation', () => {
  test('returns the selected fields in a transaction with REST requests, with and without an idempotency key', async () => {
    const consumer = await createConsumer(shop);
    const ask = (headers: Record<string, string>) =>
      t.graphql<{ usageTrack: object }>(mutation, { input: of(consumer) }, { headers, key: shop.key });
    const headers = { 'idempotency-key': randomUUID() };
    const [keyed, bare] = await Promise.all([
      ask(headers),
      ask({}),
      track(of(consumer)),
      track(of(consumer)),
    ]);
    const shown = {
      featureCode: consumer.feature.code,
      customer: { id: consumer.customerId },
      feature: { code: consumer.feature.code },
    };
    expect([keyed, bare]).toMatchObject([{ usageTrack: shown }, { usageTrack: shown }]);
    expect(await ask(headers)).toEqual(keyed);
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 4n, events: 4n });
  });

  test('returns the same validation error for the same idempotency key', async () => {
    const consumer = await createConsumer(shop);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () =>
      t.graphqlFailure(mutation, { input: { ...of(consumer), value: 0 } }, { headers, key: shop.key });
    const first = await ask();
    expect(first.errors[0]?.extensions['code']).toBe('validation_error');
    expect((await ask()).errors).toEqual(first.errors);
  });
});

// The embedded database processes requests one after another, so the queue is never full.
test.runIf(serverUrl() !== undefined)(
  'requests to a full usage queue are rejected with 503 and Retry-After, and record no usage',
  async () => {
    const small = await startApp({ env: { USAGE_QUEUE_EVENTS: '5' } });
    try {
      const narrow = firstShop(small);
      const consumer = await createConsumer(narrow);
      const track = () => narrow.rest<Body>('POST', '/usage/events', of(consumer));
      const answers: Awaited<ReturnType<typeof track>>[] = [];
      const rejections = () => answers.filter(({ status }) => status !== 200);
      // On a busy machine, requests can arrive more slowly than the service processes the queue.
      for (let round = 0; round < 20 && rejections().length === 0; round++)
        answers.push(...(await Promise.all(times(48).map(track))));
      const rejected = rejections();
      expect(rejected.length).toBeGreaterThan(0);
      expect(rejected.length).toBeLessThan(answers.length);
      for (const { status, headers, body } of rejected) {
        expect([status, headers.get('retry-after'), body.error?.code]).toEqual([503, '1', 'internal_error']);
      }
      expect(await consumptionOf(narrow, consumer)).toMatchObject({
        events: BigInt(answers.length - rejected.length),
      });
    } finally {
      await small.close();
    }
  },
);
