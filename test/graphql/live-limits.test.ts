import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { openInitialised, openSocket } from '../support/socket.ts';

// A process limits the number of live fields per caller and environment (PLT-67).

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ env: { LIVE_FIELDS_PER_CALLER: '3', LIVE_FIELDS_PER_ENVIRONMENT: '5' } });
});
afterAll(() => t.close());

type Raw = Awaited<ReturnType<typeof openInitialised>>;

const query = 'subscription { eventStream { id } }';

const follow = ({ send }: Raw, id: string): void => send({ type: 'subscribe', id, payload: { query } });

/** Returns the error message from the next rejection on a socket. */
async function rejected({ next }: Raw): Promise<string> {
  let message = await next();
  while (message.type !== 'next' && message.type !== 'error') message = await next();
  return JSON.stringify(message.payload);
}

const rateLimited = (most: number) =>
  expect.stringMatching(new RegExp(`up to ${most} (?:subscriptions to )?live fields.*"code":"rate_limited"`));

test('live fields above the limit are rejected over sockets until another live field ends', async () => {
  const { body } = await t.rest<{ apiKey: string }>('POST', '/api-keys', { name: 'Other' });
  const raw = await openInitialised(t);
  for (const id of ['1', '2', '3', '4']) follow(raw, id);
  expect(await rejected(raw)).toEqual(rateLimited(3));
  const other = await openSocket(t);
  other.send({ type: 'connection_init', payload: { apiKey: body.apiKey } });
  expect((await other.next()).type).toBe('connection_ack');
  for (const id of ['1', '2', '3']) follow(other, id);
  expect(await rejected(other)).toEqual(rateLimited(5));

  raw.send({ type: 'complete', id: '1' });
  raw.socket.close();
  await raw.closed;
  // Two live fields of the other API key remain. The process notices the closed socket asynchronously.
  await expect
    .poll(() => {
      for (let count = 0; count < 2; count++) follow(other, crypto.randomUUID());
      return rejected(other);
    })
    .toEqual(rateLimited(3));
  other.socket.close();
});

test('a caller can open as many sockets as the live field limit allows, and another one after a socket closes', async () => {
  const shop = await t.otherTenant();
  const open = async (): Promise<Raw> => {
    const raw = await openSocket(t);
    raw.send({ type: 'connection_init', payload: { apiKey: shop.sandboxKey } });
    return raw;
  };
  const sockets = await Promise.all([open(), open(), open()]);
  for (const { next } of sockets) expect((await next()).type).toBe('connection_ack');
  expect(await (await open()).closed).toMatchObject({ code: 1013 });
  sockets[0]?.socket.close();
  await sockets[0]?.closed;
  await expect
    .poll(async () => {
      const raw = await open();
      return Promise.race([raw.next().then(({ type }) => type), raw.closed.then(() => 'closed')]);
    })
    .toBe('connection_ack');
  for (const { socket } of sockets) socket.close();
});
