import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/platform/config.ts';
import { type Running, start } from '../../src/start.ts';
import {
  type Consumer,
  consumptionOf,
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../support/consumers.ts';
import { clockSettled, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { serverUrl } from '../support/template.ts';

// Usage recorded by many concurrent clients. Allowances are used up exactly, each event ID is recorded once, and each unit is billed once
// (CON-7, CON-8).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Answer = { readonly id?: string; readonly error?: { readonly code: string } };
type BatchAnswer = {
  readonly results: readonly { readonly event?: { readonly id: string }; readonly code?: string }[];
};

const clients = (count: number) => Array.from({ length: count }, (_none, index) => index);

/** Returns `recorded`, or the error code if the event was rejected. */
const outcome = ({ status, body }: { status: number; body: Answer }): string =>
  status === 200 ? 'recorded' : (body.error?.code ?? String(status));

/** Sends a request. If the server is overloaded (503), retries with the same idempotency key, up to `tries` attempts. */
async function sent<T>(
  method: string,
  path: string,
  body: object,
  tries = 10,
): Promise<{ status: number; body: T }> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const answer = await shop.rest<T>(method, path, body, { headers });
    if (answer.status !== 503 || attempt === tries) return answer;
  }
}

const track = async (body: object): Promise<string> =>
  outcome(await sent<Answer>('POST', '/usage/events', body));
const batch = async (events: readonly object[]) => {
  const { status, body } = await sent<BatchAnswer>('POST', '/usage/events/batch', { events });
  expect(status).toBe(200);
  return body.results.map(({ code, event }) => ({ outcome: code ?? 'recorded', id: event?.id }));
};

/** Returns the number of occurrences of each word. */
const tally = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));

const rows = <T>(text: string, id: string): Promise<T[]> =>
  t.app.database.query<T>(text, [shop.environmentId, id]);

const state = (consumer: Consumer) => consumptionOf(shop, consumer);

describe('usage by 64 concurrent clients', { timeout: 120_000 }, () => {
  // Each client sends two events: 128 in total, 90 of which fit within the limit.
  const pools = [
    ['credits', 'insufficient_credits', () => createCreditsConsumer(shop, 630, 7)],
    ['a blocking balance', 'insufficient_balance', () => createBalanceConsumer(shop, 4_500)],
    [
      'a hard metered limit',
      'included_limit_reached',
      () => createConsumer(shop, { terms: { includedAmount: 90 } }),
    ],
  ] as const;

  test.each(pools)(
    'uses up %s exactly, and further events are rejected with %s (CON-7, CON-10)',
    async (_what, code, create) => {
      const consumer = await create();
      const answers = await Promise.all(
        clients(64).map(async () => [await track(of(consumer)), await track(of(consumer))]),
      );
      expect(tally(answers.flat())).toEqual({ recorded: 90, [code]: 38 });
      expect(await state(consumer)).toEqual({
        credits: 0n,
        balance: 0n,
        total: 90n,
        events: 90n,
        value: 90n,
        entries: { credits: 0n, balance: 0n },
      });
    },
  );

  test.each(pools)(
    'deducts only whole events of concurrent batches from %s, and further events are rejected with %s (CON-10)',
    async (_what, code, create) => {
      const consumer = await create();
      const answers = await Promise.all([
        ...clients(16).map(async () => [await track({ ...of(consumer), value: 4 })]),
        ...clients(8).map(async () =>
          (await batch(clients(5).map(() => ({ ...of(consumer), value: 4 })))).map(
            (result) => result.outcome,
          ),
        ),
      ]);
      // Of 56 events with four units each, 22 fit within the limit, which leaves two units.
      expect(tally(answers.flat())).toEqual({ recorded: 22, [code]: 34 });
      expect(await state(consumer)).toMatchObject({ total: 88n, events: 22n, value: 88n });
    },
  );

  test('emits one `quota.exceeded` event when a hard limit is exceeded (CON-57)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const set = async () => outcome(await sent<Answer>('PUT', '/usage', { ...of(consumer), value: 11 }));
    expect(tally(await Promise.all(clients(8).map(set)))).toEqual({ included_limit_reached: 8 });
    await Promise.all(clients(16).map(() => track(of(consumer))));
    const emitted = await rows(
      'SELECT 1 FROM "Event" WHERE "environmentId" = $1 AND "customerId" = $2 AND kind = \'quota.exceeded\'',
      consumer.customerId,
    );
    expect(emitted).toHaveLength(1);
  });
});

describe('an event ID', () => {
  test('is recorded once if 64 clients send the same event concurrently, and all clients receive it (CON-8)', async () => {
    const consumer = await createCreditsConsumer(shop);
    const event = { ...of(consumer), eventId: `same ${consumer.customerId} 🎟`, value: 3 };
    const answers = await Promise.all(clients(64).map(() => sent<Answer>('POST', '/usage/events', event)));
    expect(tally(answers.map(outcome))).toEqual({ recorded: 64 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await state(consumer)).toMatchObject({ credits: 640n - 21n, events: 1n, total: 3n });
  });

  test('is recorded for only one of two customers if concurrent requests use the same ID (CON-8)', async () => {
    const [one, two] = [await createConsumer(shop), await createConsumer(shop)];
    const eventId = `either ${one.customerId}`;
    const answers = await Promise.all(
      clients(32).map((index) => track({ ...of(index % 2 === 0 ? one : two), eventId })),
    );
    expect(tally(answers)).toEqual({ recorded: 16, duplicate: 16 });
    const [a, b] = [await state(one), await state(two)];
    expect([a.total, b.total].toSorted()).toEqual([0n, 1n]);
  });

  test('is recorded once if concurrent batches contain the same events in opposite order (CON-8)', async () => {
    const consumer = await createCreditsConsumer(shop, 7_000);
    const events = clients(40).map((index) => ({
      ...of(consumer),
      eventId: `order ${consumer.customerId} ${index}`,
    }));
    const answers = await Promise.all(
      clients(8).map((index) => batch(index % 2 === 0 ? events : events.toReversed())),
    );
    expect(tally(answers.flat().map((result) => result.outcome))).toEqual({ recorded: 320 });
    expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(40);
    expect(await state(consumer)).toMatchObject({ credits: 7_000n - 280n, events: 40n });
  });

  test('causes no visible deadlock if concurrent batches for different customers contain the same events in opposite order', async () => {
    const consumers = [await createConsumer(shop), await createConsumer(shop), await createConsumer(shop)];
    for (const round of clients(4)) {
      const answers = await Promise.all(
        consumers.map((consumer, index) => {
          const events = clients(30).map((id) => ({
            ...of(consumer),
            eventId: `cross ${consumers[0]?.customerId} ${round} ${id}`,
          }));
          return batch(index % 2 === 0 ? events : events.toReversed());
        }),
      );
      expect(tally(answers.flat().map((result) => result.outcome))).toEqual({ recorded: 30, duplicate: 60 });
    }
    const totals = await Promise.all(consumers.map(state));
    expect(totals.reduce((sum, { total }) => sum + total, 0n)).toBe(120n);
  });

  test('can be used again if the first event with the ID was rejected (CON-8, CON-10)', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const event = { ...of(consumer), eventId: `refused ${consumer.customerId}`, value: 11 };
    expect(tally(await Promise.all(clients(8).map(() => track(event))))).toEqual({
      included_limit_reached: 8,
    });
    expect(tally(await Promise.all(clients(8).map(() => track({ ...event, value: 10 }))))).toEqual({
      recorded: 8,
    });
    expect(await state(consumer)).toMatchObject({ total: 10n, events: 1n });
  });

  test('is recorded once if the same event is sent with several idempotency keys (CON-8)', async () => {
    const consumer = await createConsumer(shop);
    const event = { ...of(consumer), eventId: `keys ${consumer.customerId}` };
    const send = (key: string) =>
      shop.rest<Answer>('POST', '/usage/events', event, { headers: { 'idempotency-key': key } });
    const answers = await Promise.all(
      clients(12).map((index) => send(`${consumer.customerId}-${index % 3}`)),
    );
    // Requests whose key is still being processed are rejected with `idempotency_in_progress`. No other rejections occur.
    expect(
      Object.keys(tally(answers.map(outcome))).filter(
        (word) => !['recorded', 'idempotency_in_progress'].includes(word),
      ),
    ).toEqual([]);
    expect(new Set(answers.flatMap(({ body }) => body.id ?? [])).size).toBe(1);
    expect(await state(consumer)).toMatchObject({ total: 1n, events: 1n });
  });
});

describe.skipIf(serverUrl() === undefined)('two processes on one database', { timeout: 120_000 }, () => {
  let other: Running;
  beforeAll(async () => {
    const [database] = await t.app.database.query<{ name: string }>('SELECT current_database() AS name');
    const url = new URL(serverUrl() ?? '');
    url.pathname = `/${database?.name}`;
    const settings = {
      DATABASE_URL: url.href,
      PORT: '0',
      ROLE: 'api',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '0',
    };
    other = await start(parseConfig(settings));
  });
  afterAll(() => other.close());

  const trackAt = async (url: string, body: object): Promise<string> => {
    const headers = {
      'x-api-key': shop.key,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${url}/api/v1/usage/events`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (response.status !== 503 || attempt === 10)
        return outcome({ status: response.status, body: (await response.json()) as Answer });
      await response.body?.cancel();
    }
  };

  test('record an event ID once and use up a credit balance exactly (CON-7, CON-8)', async () => {
    const consumer = await createCreditsConsumer(shop, 210, 7);
    const urls = [t.url, other.url];
    const same = { ...of(consumer), eventId: `processes ${consumer.customerId}`, value: 10 };
    const repeated = await Promise.all(clients(32).map((index) => trackAt(urls[index % 2] ?? '', same)));
    expect(tally(repeated)).toEqual({ recorded: 32 });
    const answers = await Promise.all(
      clients(64).map((index) => trackAt(urls[index % 2] ?? '', of(consumer))),
    );
    expect(tally(answers)).toEqual({ recorded: 20, insufficient_credits: 44 });
    expect(await state(consumer)).toMatchObject({ credits: 0n, events: 21n, total: 30n });
  });
});

/** A subscription's overage line items, from oldest to newest. */
const overageLines = ({ subscriptionId }: Consumer) =>
  rows<{ used: bigint; units: bigint; amount: bigint }>(
    `SELECT l."usedAmount" AS used, l."overageAmount" AS units, l.amount FROM "InvoiceLine" l
     JOIN "Invoice" i ON i."environmentId" = l."environmentId" AND i.id = l."invoiceId"
     WHERE l."environmentId" = $1 AND i."subscriptionId" = $2 AND l."lineType" = 'feature_overage' ORDER BY i.seq`,
    subscriptionId,
  );

describe('usage during a clock run', () => {
  const terms = { includedAmount: 3, overage: { enabled: true, unitPrice: 10_000 } };

  test.each([
    ['monthly renewals', { billingInterval: 'monthly' }],
    ['weekly renewals', { billingInterval: 'weekly' }],
    ['window resets of a yearly plan', { billingInterval: 'yearly' }],
  ])(
    'is billed once, in the usage window in which the event was recorded, during %s (CON-9, CON-16)',
    { timeout: 120_000 },
    async (_what, price) => {
      const consumer = await createConsumer(shop, { price, terms });
      for (const days of [40, 40, 40]) {
        const run = shop.rest('POST', '/test-clock', { advanceDays: days });
        const answers = await Promise.all(
          clients(20).map((index) => {
            if (index % 5 !== 4) return track({ ...of(consumer), value: 1 + (index % 3) });
            return sent<Answer>('PUT', '/usage', { ...of(consumer), value: index }).then(outcome);
          }),
        );
        expect((await run).status).toBe(202);
        expect(tally(answers)).toEqual({ recorded: 20 });
        expect(await clockSettled(shop)).toBe('completed');
      }
      await shop.rest('POST', '/test-clock', { advanceDays: 32 });
      expect(await clockSettled(shop)).toBe('completed');

      const used = await rows<{ start: Date; total: bigint }>(
        `SELECT "windowStart" AS start, sum(value)::bigint AS total FROM (
         SELECT "windowStart", value FROM "UsageEvent" WHERE "environmentId" = $1 AND "subscriptionId" = $2
         UNION ALL SELECT "windowStart", value - "previousValue" FROM "UsageAdjustment" WHERE "environmentId" = $1 AND "subscriptionId" = $2
       ) moved GROUP BY 1 ORDER BY 1`,
        consumer.subscriptionId,
      );
      const due = used
        .filter(({ total }) => total > 3n)
        .map(({ total }) => ({ used: total, units: total - 3n, amount: (total - 3n) * 100n }));
      expect(await overageLines(consumer)).toEqual(due);
      expect(due.length).toBeGreaterThan(0);
    },
  );
});
