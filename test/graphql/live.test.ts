import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Feed } from '../../src/outbox/feed.ts';
import type { EventRow } from '../../src/outbox/read.ts';
import { eventTopic } from '../../src/outbox/write.ts';
import { DatabaseBusyError } from '../../src/platform/db/pool.ts';
import { inTransaction, recordEvents } from '../../src/request/transaction.ts';
import { follow, openSocket, type Reader } from '../modules/messages/events/live.ts';
import { openShop, type Shop } from '../modules/subscriptions/subscriptions/shop.ts';
import { createDispute, firstShop, otherShop } from '../support/factories.ts';
import { createPayout } from '../support/payouts.ts';
import { openReceiver as receive } from '../support/receiver.ts';

// Tests the live fields of an environment, and the single outbox reader that serves these fields.

let shop: Shop;
let socket: Client;

beforeAll(async () => {
  shop = await openShop({ writesEvents: true });
  socket = openSocket(shop);
});
afterAll(async () => {
  await socket.dispose();
  await shop.close();
});

/** Reads values until one meets the condition, and returns it. */
async function until<T>(reader: Reader<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const { value, done } = await reader.next();
    if (done === true) throw new Error('The live field has ended.');
    if (isWanted(value)) return value;
  }
}

/** Waits until the server has registered all earlier subscriptions. */
const registered = () => follow(socket, '{ events(first: 1) { edges { cursor } } }').next();

/** Records events with these numbers. `filler` increases the size of each event. */
async function happen(numbers: readonly number[], filler = ''): Promise<void> {
  const ctx = await shop.context();
  const events = numbers.map((number) => ({
    kind: 'customer.updated',
    occurredAt: ctx.clock.now(),
    customerId: null,
    subscriptionId: null,
    data: filler === '' ? { number } : { number, filler },
  }));
  await inTransaction(ctx, (tx) => recordEvents(tx, events));
}

const stream = 'subscription { eventStream { position data } }';
const streamAfter = 'subscription ($after: SafeInt) { eventStream(afterPosition: $after) { position data } }';
type Told = { readonly position: number; readonly data: { readonly number: number } };

describe('a live field of an environment', () => {
  test('publishes the invoices and payment attempts of every customer', async () => {
    const invoices = follow<{ id: string; status: string; customer: { id: string } }>(
      socket,
      'subscription { invoiceChanged { id status customer { id } } }',
    );
    const transactions = follow<{ id: string; status: string; invoiceId: string }>(
      socket,
      'subscription { transactionChanged(statuses: [succeeded]) { id status invoiceId } }',
    );
    const [invoice, transaction] = [invoices.next(), transactions.next()];
    await registered();
    const { customerId } = await shop.activeCustomer();
    expect((await invoice).value.customer.id).toBe(customerId);
    const paid = await until(invoices, ({ status }) => status === 'paid');
    expect(paid.customer.id).toBe(customerId);
    expect((await transaction).value).toMatchObject({ status: 'succeeded', invoiceId: paid.id });
    await invoices.stop();
    await transactions.stop();
  });

  test('publishes attention items when a client subscribes and after each change', async () => {
    const attention = follow<{ kind: string; count: { value: number } }[]>(
      socket,
      'subscription { attentionChanged { kind count { value } } }',
    );
    const disputes = (items: { kind: string; count: { value: number } }[]): number[] =>
      items.filter(({ kind }) => kind === 'open_dispute').map(({ count }) => count.value);
    expect(disputes((await attention.next()).value)).toEqual([]);
    const next = until(attention, (items) => disputes(items).length > 0);
    await createDispute(firstShop(shop));
    expect(disputes(await next)).toEqual([1]);
    await attention.stop();
  });

  test('publishes recurring revenue when a client subscribes and after each change', async () => {
    type Series = { currency: string; points: { closing: number; payingCustomers: number }[] };
    const revenue = follow<Series[]>(
      socket,
      'subscription { metricsChanged(interval: month, currency: usd) { currency points { closing payingCustomers } } }',
    );
    const closing = (series: Series[]): number => series[0]?.points[0]?.closing ?? 0;
    const before = closing((await revenue.next()).value);
    const next = until(revenue, (series) => closing(series) > before);
    await shop.activeCustomer();
    expect((await next)[0]?.points).toHaveLength(1);
    await revenue.stop();
  });

  test('publishes events by type, with their customers and without gaps', async () => {
    const { events } = await shop.graphql<{ events: { nodes: { position: number }[] } }>(
      '{ events(first: 1) { nodes { position } } }',
    );
    const after = events.nodes[0]?.position ?? 0;
    const { customerId } = await shop.activeCustomer();
    const reader = follow<{
      fromPosition: number;
      toPosition: number;
      counts: { event: string; count: number }[];
      customerIds: string[];
    }>(
      socket,
      'subscription ($after: SafeInt) { eventDigest(everyMs: 100, afterPosition: $after) { fromPosition toPosition counts { event count } customerIds } }',
      { after },
    );
    const { value } = await reader.next();
    expect(value.fromPosition).toBe(after + 1);
    expect(value.counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(
      value.toPosition - after,
    );
    expect(
      value.counts.find(({ event }: { event: string }) => event === 'customer_state_changed')?.count,
    ).toBe(2);
    expect(value.customerIds).toEqual([customerId]);
    const next = reader.next();
    await happen([1, 2, 3]);
    expect((await next).value).toEqual({
      fromPosition: value.toPosition + 1,
      toPosition: value.toPosition + 3,
      counts: [{ event: expect.stringMatching(/^customer.updated$/), count: 3 }],
      customerIds: [],
    });
    await reader.stop();
  });

  test('publishes each change to a webhook delivery, optionally for one endpoint only', async () => {
    const receiver = await receive();
    const endpoint = (events: string[]) =>
      shop.rest<{ id: string }>('POST', '/webhooks', { url: receiver.url, events });
    const { id } = (await endpoint(['customer.created'])).body;
    await endpoint(['customer.created']);
    const reader = follow<{ status: string; webhook: { id: string } }>(
      socket,
      'subscription ($id: ID!) { webhookDeliveryChanged(webhookId: $id) { status webhook { id } } }',
      { id },
    );
    const delivered = until(reader, ({ status }) => status === 'succeeded');
    await registered();
    await shop.customer();
    expect(await delivered).toEqual({ status: 'succeeded', webhook: { id } });
    await reader.stop();
    await receiver.close();
  });

  test('publishes the test clock and runs started elsewhere, with progress that never decreases and ends at 1', async () => {
    const other = await shop.otherTenant();
    const key = { key: other.sandboxKey };
    const client = openSocket(shop, other.sandboxKey);
    type Clock = { isActive: boolean; latestRun: { status: string; progress: number } | null };
    const reader = follow<Clock>(
      client,
      'subscription { testClockChanged { isActive latestRun { status progress } } }',
    );
    expect((await reader.next()).value).toEqual({ isActive: false, latestRun: null });
    await shop.rest('POST', '/test-clock', { advanceDays: 40 }, key);
    const told: number[] = [];
    const last = await until(reader, ({ latestRun }) => {
      if (latestRun !== null) told.push(latestRun.progress);
      return latestRun?.status === 'completed';
    });
    expect(last).toEqual({ isActive: true, latestRun: { status: 'completed', progress: 1 } });
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.slice(0, -1).every((progress) => progress >= 0 && progress < 1)).toBe(true);
    await reader.stop();
    await client.dispose();
  });
});

describe('the outbox reader', () => {
  test('runs the same statements for 1 and for 30 live fields', { timeout: 20_000 }, async () => {
    const { database } = shop.app;
    const count = async (fields: number): Promise<number> => {
      await happen([6]);
      const { events } = await shop.graphql<{ events: { nodes: { position: number }[] } }>(
        '{ events(first: 1) { nodes { position } } }',
      );
      // Each stream reports its position and reads the last event before the test records the next event, so no stream can miss an event.
      const before = { after: (events.nodes[0]?.position ?? 1) - 1 };
      const readers = Array.from({ length: fields }, () => follow<Told>(socket, streamAfter, before));
      const numbers = async () =>
        (await Promise.all(readers.map((reader) => reader.next()))).map(({ value }) => value.data.number);
      expect(await numbers()).toEqual(readers.map(() => 6));
      const texts: string[] = [];
      const { query } = database;
      Object.assign(database, {
        query: (...request: Parameters<typeof query>) => {
          if (/FROM unnest|"Environment" e/.test(request[0])) texts.push(request[0]);
          return query(...request);
        },
      });
      try {
        await happen([7]);
        expect(await numbers()).toEqual(readers.map(() => 7));
      } finally {
        Object.assign(database, { query });
      }
      await Promise.all(readers.map((reader) => reader.stop()));
      return texts.length;
    };
    const few = await count(1);
    expect(few).toBeGreaterThan(0);
    // Allows for reads that a timer starts during the second measurement.
    expect(await count(30)).toBeLessThanOrEqual(few + 3);
  });

  test('delays only the slow subscriber, and later sends it all events in order', {
    timeout: 60_000,
  }, async () => {
    const sockets: WebSocket[] = [];
    const tracked = class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        sockets.push(this);
      }
    };
    const url = `${shop.url.replace('http', 'ws')}/graphql`;
    const connectionParams = { apiKey: shop.sandboxKey };
    const client = createClient({ url, connectionParams, webSocketImpl: tracked, retryAttempts: 0 });
    await happen([-1]);
    const { events } = await shop.graphql<{ events: { nodes: { position: number }[] } }>(
      '{ events(first: 1) { nodes { position } } }',
    );
    const before = { after: (events.nodes[0]?.position ?? 1) - 1 };
    const slow = follow<Told>(client, streamAfter, before);
    const quick = follow<Told>(socket, streamAfter, before);
    const next = async (reader: Reader<Told>) => (await reader.next()).value.data.number;
    expect([await next(slow), await next(quick)]).toEqual([-1, -1]);
    for (const paused of sockets) paused.pause();
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    // Records 5 MB of events, which is more than an unread connection can buffer.
    for (let from = 0; from < 100; from += 20)
      await happen(numbers.slice(from, from + 20), 'x'.repeat(50_000));
    for (const number of numbers) expect(await next(quick)).toBe(number);
    for (const paused of sockets) paused.resume();
    for (const number of numbers) expect(await next(slow)).toBe(number);
    await slow.stop();
    await quick.stop();
    await client.dispose();
  });

  test('sends the latest payout, and then every new or changed payout in the environment', async () => {
    const other = await otherShop(shop);
    const client = openSocket(shop, other.key);
    const first = await createPayout(other);
    const reader = follow<{ id: string; status: string }>(
      client,
      'subscription { payoutChanged { id status } }',
    );
    expect((await reader.next()).value).toEqual({ id: first, status: 'pending' });
    await createPayout(await otherShop(shop));
    const second = await createPayout(other);
    expect((await reader.next()).value).toEqual({ id: second, status: 'pending' });
    const cancel = 'mutation ($id: ID!) { payoutCancel(input: { id: $id }) { status } }';
    await shop.graphql(cancel, { id: first }, { key: other.key });
    expect((await reader.next()).value).toEqual({ id: first, status: 'canceled' });
    await reader.stop();
    await client.dispose();
  });

  test('waits while the database is busy, keeps all subscribers, and sends all events later', async () => {
    const reader = follow<Told>(socket, stream);
    const reading = reader.next();
    await registered();
    const { database, pubsub } = shop.app;
    const { query } = database;
    let rejections = 0;
    Object.assign(database, {
      query: async (...request: Parameters<typeof query>) => {
        rejections++;
        throw new DatabaseBusyError(`timeout exceeded when trying to connect (${request.length})`);
      },
    });
    try {
      pubsub.hint(eventTopic(shop.sandboxId));
      await expect.poll(() => rejections, { timeout: 20_000 }).toBeGreaterThan(1);
    } finally {
      Object.assign(database, { query });
    }
    await happen([1, 2, 3]);
    const told = [
      (await reading).value as Told,
      ...[(await reader.next()).value, (await reader.next()).value],
    ];
    expect(told.map(({ data }) => data.number)).toEqual([1, 2, 3]);
    await reader.stop();
  });
});

describe("a feed's event buffer", () => {
  const event = (position: number): EventRow =>
    ({
      position: BigInt(position),
      kind: position % 2 === 0 ? 'even' : 'odd',
      customerId: null,
      subscriptionId: null,
    }) as EventRow;
  const feedOf = (positions: readonly number[]): Feed => {
    const feed = new Feed('env', { left: () => undefined, look: () => undefined });
    feed.keep(100);
    feed.place({ environmentId: 'env', position: BigInt((positions[0] ?? 1) - 1), simulatedTime: null });
    feed.take(positions.map(event), null);
    return feed;
  };
  const seen = (feed: Feed, after: bigint, filter = {}, limit = 100) => {
    const reading = feed.since(after, filter, limit);
    return reading && [reading.events.map(({ position }) => Number(position)), Number(reading.upTo)];
  };

  test("returns matching events after a position, and the position up to which they're complete", () => {
    const feed = feedOf([11, 12, 13, 14, 15]);
    expect(seen(feed, 10n)).toEqual([[11, 12, 13, 14, 15], 15]);
    expect(seen(feed, 13n)).toEqual([[14, 15], 15]);
    expect(seen(feed, 10n, { kinds: ['even'] })).toEqual([[12, 14], 15]);
    expect(seen(feed, 10n, {}, 2)).toEqual([[11, 12], 12]);
    expect(seen(feed, 15n)).toEqual([[], 15]);
    expect(seen(feed, 20n)).toEqual([[], 20]);
  });

  test('returns null if it no longer contains the position', () => {
    const feed = feedOf([11, 12, 13]);
    expect(seen(feed, 9n)).toBeNull();
    feed.keep(1);
    expect(seen(feed, 11n)).toBeNull();
    expect(seen(feed, 12n)).toEqual([[13], 13]);
  });

  test('returns each event once, even after gaps in the positions', () => {
    const feed = feedOf([11, 14, 15, 19]);
    expect(seen(feed, 12n)).toEqual([[14, 15, 19], 19]);
    expect(seen(feed, 14n)).toEqual([[15, 19], 19]);
    expect(seen(feed, 18n)).toEqual([[19], 19]);
  });
});
