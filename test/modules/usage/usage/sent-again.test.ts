import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// A client that lost a response resends its event, possibly after the limit is reached, and gets the original
// response (CON-6, CON-8).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Event = { readonly id: string };
type Item = { readonly code?: string; readonly event?: Event };
type Body = Partial<Event> & {
  readonly error?: { readonly code: string };
  readonly results?: readonly Item[];
};

/** Ways to send an event: individually or in a batch, with or without an `Idempotency-Key` per request. */
const requestModes = [
  { isBatch: false, isKeyed: false },
  { isBatch: false, isKeyed: true },
  { isBatch: true, isKeyed: false },
  { isBatch: true, isKeyed: true },
];

/** Sends an event and returns the ID of the recorded event or the error code. */
async function send(event: object, { isBatch, isKeyed }: (typeof requestModes)[number]): Promise<string> {
  const headers = {
    'x-api-key': t.sandboxKey,
    'content-type': 'application/json',
    ...(isKeyed && { 'idempotency-key': randomUUID() }),
  };
  const body = JSON.stringify(isBatch ? { events: [event] } : event);
  const response = await fetch(`${t.url}/api/v1/usage/events${isBatch ? '/batch' : ''}`, {
    method: 'POST',
    headers,
    body,
  });
  const answer = (await response.json()) as Body;
  const item: Item = isBatch
    ? (answer.results?.[0] ?? {})
    : { ...answer.error, ...(answer.id !== undefined && { event: { id: answer.id } }) };
  return item.event?.id ?? item.code ?? `status ${response.status}`;
}

/** Creates a customer with a limit of 10 units and uses all 10 units with the events `a` (4) and `b` (6). */
async function consumerAtLimit(mode: (typeof requestModes)[number]) {
  const consumer: Consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
  const event = (value: number) => ({ ...of(consumer), value, eventId: shop.next('event') });
  const [a, b] = [event(4), event(6)];
  const ids = { a: await send(a, mode), b: await send(b, mode) };
  // From the second rejected event on, the server decides based on cached rows.
  for (const _time of [1, 2]) expect(await send(of(consumer), mode)).toBe('included_limit_reached');
  return { consumer, a, b, ids };
}

test.each(requestModes)(
  'resending an event after the limit is reached returns the recorded event (batch: $isBatch, key: $isKeyed)',
  async (mode) => {
    const { consumer, a, b, ids } = await consumerAtLimit(mode);
    expect(await send(b, mode)).toBe(ids.b);
    expect(await send({ ...b, value: 7 }, mode)).toBe('duplicate');
    expect(await send(a, mode)).toBe(ids.a);
    expect(await send({ ...a, timestamp: '2020-01-01T00:00:00Z' }, mode)).toBe(ids.a);
    expect(await send({ ...b, timestamp: '2020-01-01T00:00:00Z' }, mode)).toBe(ids.b);
    expect(await send({ ...of(consumer), eventId: shop.next('event') }, mode)).toBe('included_limit_reached');
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 10n, events: 2n, value: 10n });
  },
);

test('events that are resent concurrently return their recorded events, and new events are rejected', async () => {
  const mode = { isBatch: false, isKeyed: false };
  const { consumer, a, b, ids } = await consumerAtLimit(mode);
  const sent = Array.from(
    { length: 30 },
    (_none, index) => [a, b, { ...of(consumer), eventId: shop.next('event') }][index % 3] ?? a,
  );
  const answers = await Promise.all(sent.map((event) => send(event, mode)));
  expect(answers).toEqual(
    sent.map((event) => (event === a ? ids.a : event === b ? ids.b : 'included_limit_reached')),
  );
  expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 10n, events: 2n, value: 10n });
});

test.each(['/usage/events', '/usage/events/batch'])(
  "the stored response of POST %s isn't returned to another API key of the environment (PLT-62)",
  async (path) => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
    const event = { ...of(consumer), value: 2, eventId: shop.next('event') };
    const body = path.endsWith('batch') ? { events: [event] } : event;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await t.rest('POST', path, body, { headers });
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "Second" }) { apiKey } }',
    );
    const again = await t.rest('POST', path, body, { headers, key: apiKeyCreate.apiKey });
    expect([again.status, again.body['error']]).toEqual([
      409,
      expect.objectContaining({ code: 'idempotency_key_mismatch' }),
    ]);
    expect((await t.rest('POST', path, body, { headers })).body).toEqual(first.body);
  },
);
