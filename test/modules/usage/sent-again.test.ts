import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Consumer, consumptionOf, createConsumer, of } from '../../support/consumers.ts';
import { firstShop, type Shop } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

// A client that lost the answer sends its event again, also after the limit is used up, and gets the first answer (CON-6, CON-8).

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

/** How events are sent: one by one or as a batch, with an Idempotency-Key of each request's own or without any. */
const doors = [
  { isBatch: false, isKeyed: false },
  { isBatch: false, isKeyed: true },
  { isBatch: true, isKeyed: false },
  { isBatch: true, isKeyed: true },
];

/** Sends one event and answers the id of the stored one or the code of the rejection. */
async function send(event: object, { isBatch, isKeyed }: (typeof doors)[number]): Promise<string> {
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

/** A consumer of ten units who used them up by `a` (4) and `b` (6), with the ids they were stored under. */
async function usedUp(door: (typeof doors)[number]) {
  const consumer: Consumer = await createConsumer(shop, { terms: { includedAmount: 10 } });
  const event = (value: number) => ({ ...of(consumer), value, eventId: shop.next('event') });
  const [a, b] = [event(4), event(6)];
  const ids = { a: await send(a, door), b: await send(b, door) };
  // Two that are rejected: from the second on, the server decides on what it keeps.
  for (const _time of [1, 2]) expect(await send(of(consumer), door)).toBe('included_limit_reached');
  return { consumer, a, b, ids };
}

test.each(doors)(
  'an event is answered again after the limit is used up: in a batch $isBatch, with a key $isKeyed',
  async (door) => {
    const { consumer, a, b, ids } = await usedUp(door);
    expect(await send(b, door)).toBe(ids.b);
    expect(await send({ ...b, value: 7 }, door)).toBe('duplicate');
    expect(await send(a, door)).toBe(ids.a);
    expect(await send({ ...a, timestamp: '2020-01-01T00:00:00Z' }, door)).toBe(ids.a);
    expect(await send({ ...b, timestamp: '2020-01-01T00:00:00Z' }, door)).toBe(ids.b);
    expect(await send({ ...of(consumer), eventId: shop.next('event') }, door)).toBe('included_limit_reached');
    expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 10n, events: 2n, value: 10n });
  },
);

test('many repetitions immediately are all answered, beside events that are rejected', async () => {
  const door = { isBatch: false, isKeyed: false };
  const { consumer, a, b, ids } = await usedUp(door);
  const sent = Array.from(
    { length: 30 },
    (_none, index) => [a, b, { ...of(consumer), eventId: shop.next('event') }][index % 3] ?? a,
  );
  const answers = await Promise.all(sent.map((event) => send(event, door)));
  expect(answers).toEqual(
    sent.map((event) => (event === a ? ids.a : event === b ? ids.b : 'included_limit_reached')),
  );
  expect(await consumptionOf(shop, consumer)).toMatchObject({ total: 10n, events: 2n, value: 10n });
});
