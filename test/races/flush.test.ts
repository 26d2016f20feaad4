import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumptionOf, createConsumer, createCreditsConsumer, of } from '../support/consumers.ts';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { serverUrl } from '../support/template.ts';

// Requests that are recorded by one transaction: each is answered for itself.

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

/** What the database rejects to store, for a reason no door knows of. */
const poison = { eventId: 'poison' };

describe('one request among many', () => {
  test('that the database cannot store fails alone', async () => {
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

  test('that is rejected leaves the others as they are', async () => {
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

  test('with a key used before is answered as before, or rejected for another body', async () => {
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

test('a key whose time is over counts for another request, among others that are new', async () => {
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

describe('a mutation', () => {
  test('is recorded with requests of REST, and answers what it selects, with a key or without', async () => {
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

  test('that is rejected by a rule is answered the same again', async () => {
    const consumer = await createConsumer(shop);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () =>
      t.graphqlFailure(mutation, { input: { ...of(consumer), value: 0 } }, { headers, key: shop.key });
    const first = await ask();
    expect(first.errors[0]?.extensions['code']).toBe('validation_error');
    expect((await ask()).errors).toEqual(first.errors);
  });
});

// On the embedded database requests come one after another, and none waits.
test.runIf(serverUrl() !== undefined)(
  'a queue that is full turns requests away with 503 and Retry-After, and nothing of them is recorded',
  async () => {
    const small = await startApp({ env: { USAGE_QUEUE_EVENTS: '5' } });
    try {
      const narrow = firstShop(small);
      const consumer = await createConsumer(narrow);
      const answers = await Promise.all(
        times(48).map(() => narrow.rest<Body>('POST', '/usage/events', of(consumer))),
      );
      const rejected = answers.filter(({ status }) => status !== 200);
      expect(rejected.length).toBeGreaterThan(0);
      expect(rejected.length).toBeLessThan(48);
      for (const { status, headers, body } of rejected) {
        expect([status, headers.get('retry-after'), body.error?.code]).toEqual([503, '1', 'internal_error']);
      }
      expect(await consumptionOf(narrow, consumer)).toMatchObject({ events: BigInt(48 - rejected.length) });
    } finally {
      await small.close();
    }
  },
);
