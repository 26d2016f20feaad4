import type { Client } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAiConsumer,
  createConsumer,
  createCreditsConsumer,
  listModel,
  of,
} from '../../../support/consumers.ts';
import { firstShop, otherShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { follow, openSocket } from '../../messages/events/live.ts';

// Stream of recorded usage, which is sampled at high rates.

let t: TestApp;
let socket: Client;
beforeAll(async () => {
  t = await startApp();
  socket = openSocket(t);
});
afterAll(async () => {
  await socket.dispose();
  await t.close();
});

describe('the usage stream', () => {
  test('emits up to 10 recorded events per sample, and the number of omitted events', async () => {
    const own = firstShop(t);
    const { customerId, feature } = await createConsumer(own);
    const other = await createConsumer(own);
    type Sample = {
      events: { id: string; customerId: string; featureCode: string; value: number }[];
      omitted: number;
    };
    const samples = follow<Sample>(
      socket,
      'subscription ($customerId: ID!, $featureCode: String!) { usageStream(filter: { customerId: $customerId, featureCode: $featureCode }) { events { id customerId featureCode value } omitted } }',
      { customerId, featureCode: feature.code },
    );
    const first = samples.next();
    await follow(socket, '{ events(first: 1) { edges { cursor } } }').next();
    const track = async (of: { customerId: string; feature: { code: string } }, count: number) =>
      own.rest('POST', '/usage/events/batch', {
        events: Array.from({ length: count }, () => ({
          customerId: of.customerId,
          featureCode: of.feature.code,
          value: 2,
        })),
      });
    await track(other, 3);
    expect((await track({ customerId, feature }, 35)).status).toBeLessThan(300);
    const seen = [(await first).value];
    const total = (): number => seen.reduce((sum, { events, omitted }) => sum + events.length + omitted, 0);
    while (total() < 35) seen.push((await samples.next()).value);
    expect(total()).toBe(35);
    expect(Math.max(...seen.map(({ events }) => events.length))).toBe(10);
    expect(seen.some(({ omitted }) => omitted > 0)).toBe(true);
    const events = seen.flatMap((sample) => sample.events);
    expect(new Set(events.map((event) => `${event.customerId} ${event.featureCode} ${event.value}`))).toEqual(
      new Set([`${customerId} ${feature.code} 2`]),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    await samples.stop();
  });

  test('can be filtered by model, property, and outcome', async () => {
    const own = await otherShop(t);
    const client = openSocket(t, own.key);
    const model = await listModel(own);
    const [ai, credits, metered] = [
      await createAiConsumer(own),
      await createCreditsConsumer(own, 14),
      await createConsumer(own),
    ];
    type Sample = { events: { eventId: string; outcome: string; model: string | null }[]; omitted: number };
    const stream =
      'subscription ($filter: UsageStreamFilter) { usageStream(filter: $filter) { events { eventId outcome model } omitted } }';
    const filters = [
      { models: [model] },
      { property: { name: 'request', value: 'r2' } },
      { outcomes: ['exhausted', 'metered'] },
      { outcomes: ['deducted'], featureCode: credits.feature.code },
      { featureIds: [metered.feature.id, ai.feature.id] },
    ];
    const streams = filters.map((filter) => follow<Sample>(client, stream, { filter }));
    const first = streams.map((samples) => samples.next());
    await follow(client, '{ events(first: 1) { edges { cursor } } }').next();
    const request = (value: string) => [{ property: 'request', value }];
    const { status, body } = await own.rest<{ recorded: number }>('POST', '/usage/events/batch', {
      events: [
        { ...of(credits), value: 1, eventId: 'deducted', properties: request('r1') },
        { ...of(credits), value: 1, eventId: 'exhausted', properties: request('r2') },
        { ...of(metered), value: 1, eventId: 'metered' },
        { ...of(ai), model, inputTokens: 10, outputTokens: 1, eventId: 'priced', properties: request('r2') },
      ],
    });
    expect([status, body.recorded]).toEqual([200, 4]);
    const seen = await Promise.all(
      first.map(async (sample) =>
        (await sample).value.events.map((event: { eventId: string }) => event.eventId),
      ),
    );
    expect(seen).toEqual([
      ['priced'],
      ['exhausted', 'priced'],
      ['exhausted', 'metered'],
      ['deducted'],
      ['metered', 'priced'],
    ]);
    await Promise.all(streams.map((samples) => samples.stop()));
    await client.dispose();
    const { usageEvents } = await own.t.graphql<{ usageEvents: { nodes: Sample['events'] } }>(
      '{ usageEvents(filter: { property: { name: "request", value: "r2" } }) { nodes { eventId outcome model } } }',
      {},
      { key: own.key },
    );
    expect(usageEvents.nodes).toEqual([
      { eventId: 'priced', outcome: 'deducted', model },
      { eventId: 'exhausted', outcome: 'exhausted', model: null },
    ]);
  });

  test("rejects customers and features that don't exist", async () => {
    const stream = 'subscription ($filter: UsageStreamFilter) { usageStream(filter: $filter) { omitted } }';
    const codeOf = async (filter: object): Promise<string> => {
      const reader = follow(socket, stream, { filter });
      return reader.next().then(
        () => 'followed',
        (error: unknown) => /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error),
      );
    };
    expect(await codeOf({ customerId: 'cus_none' })).toBe('customer_not_found');
    expect(await codeOf({ featureCode: 'none' })).toBe('feature_not_found');
  });
});
