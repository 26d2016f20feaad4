import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { type Message, openInitialised, openSocket } from '../support/socket.ts';

// Tests the close codes and messages of the graphql-transport-ws protocol on a running server.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const stream = { query: 'subscription { eventStream { event data } }' };

/** Subscribes to a live field, and waits until the server has registered it. */
async function follow({ send, next }: Awaited<ReturnType<typeof openSocket>>, id: string): Promise<void> {
  send({ type: 'subscribe', id, payload: stream });
  send({ type: 'subscribe', id: `${id} taken in`, payload: { query: '{ __typename }' } });
  expect((await next()).type).toBe('next');
  expect(await next()).toEqual({ type: 'complete', id: `${id} taken in` });
}

describe('the handshake', () => {
  it('closes the socket with 4401 if the client subscribes before the handshake', async () => {
    const { send, closed } = await openSocket(t);
    send({ type: 'subscribe', id: '1', payload: stream });
    expect(await closed).toEqual({ code: 4401, reason: 'Unauthorized' });
  });

  it('closes the socket with 4429 if the client sends connection_init twice', async () => {
    const { send, closed } = await openInitialised(t);
    send({ type: 'connection_init', payload: { apiKey: t.sandboxKey } });
    expect(await closed).toEqual({ code: 4429, reason: 'Too many initialisation requests' });
  });

  it('closes the socket with 4429 even if the first connection_init is still being processed', async () => {
    const { send, closed } = await openSocket(t);
    send({ type: 'connection_init', payload: { apiKey: t.sandboxKey } });
    send({ type: 'connection_init', payload: { apiKey: t.sandboxKey } });
    expect((await closed).code).toBe(4429);
  });

  it.each([[[]], [['graphql-ws']], [['soap', 'graphql-ws']]])(
    'closes the socket with 4406 for the subprotocols %j',
    async (protocols) => {
      const { closed } = await openSocket(t, protocols);
      expect(await closed).toEqual({ code: 4406, reason: 'Subprotocol not acceptable' });
    },
  );

  it('accepts the subprotocol graphql-transport-ws', async () => {
    const { socket } = await openInitialised(t);
    expect(socket.protocol).toBe('graphql-transport-ws');
    socket.close();
  });
});

describe('an operation over graphql-transport-ws', () => {
  it('closes the socket with 4409 if an active operation has the same ID', async () => {
    const raw = await openInitialised(t);
    await follow(raw, 'same');
    raw.send({ type: 'subscribe', id: 'same', payload: stream });
    expect(await raw.closed).toEqual({ code: 4409, reason: 'Subscriber for same already exists' });
  });

  it('can reuse the ID of a completed operation', async () => {
    const { send, next, socket } = await openInitialised(t);
    for (let time = 0; time < 2; time++) {
      send({ type: 'subscribe', id: 'again', payload: { query: '{ __typename }' } });
      expect(await next()).toEqual({ type: 'next', id: 'again', payload: { data: { __typename: 'Query' } } });
      expect(await next()).toEqual({ type: 'complete', id: 'again' });
    }
    socket.close();
  });

  it('sends no messages after the client completes it, while other operations continue', async () => {
    const raw = await openInitialised(t);
    await follow(raw, 'left');
    await follow(raw, 'kept');
    raw.send({ type: 'complete', id: 'left' });
    // The server processes messages in order, so this result arrives after the operation completes.
    raw.send({ type: 'subscribe', id: 'mark', payload: { query: '{ __typename }' } });
    expect([(await raw.next()).id, (await raw.next()).id]).toEqual(['mark', 'mark']);
    await t.rest('POST', '/customers', { email: 'left@example.com' });
    expect(await raw.next()).toMatchObject({
      type: 'next',
      id: 'kept',
      payload: { data: { eventStream: { event: 'customer_created' } } },
    });
    raw.send({ type: 'subscribe', id: 'last', payload: { query: '{ __typename }' } });
    expect((await raw.next()).id).toBe('last');
    raw.socket.close();
  });

  it('ignores a complete message with an unknown ID', async () => {
    const { send, next, socket } = await openInitialised(t);
    send({ type: 'complete', id: 'never begun' });
    send({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    socket.close();
  });

  it('is completed by the server after its last result', async () => {
    const { body: run } = await t.rest<{ id: string }>('POST', '/test-clock', { advanceDays: 1 });
    const { send, next, socket } = await openInitialised(t);
    const query = 'subscription ($id: ID!) { testClockRunProgress(id: $id) { status } }';
    send({ type: 'subscribe', id: 'run', payload: { query, variables: { id: run.id } } });
    let message: Message = { type: 'next' };
    const heard: string[] = [];
    while (message.type === 'next') {
      message = await next();
      heard.push(message.type === 'next' ? JSON.stringify(message.payload) : message.type);
    }
    expect(heard.at(-1)).toBe('complete');
    expect(heard.at(-2)).toContain('"status":"completed"');
    socket.close();
  });

  it("ends with an error and without a complete message if it's rejected", async () => {
    const { send, next, socket } = await openInitialised(t);
    send({ type: 'subscribe', id: 'bad', payload: { query: '{ nothing }' } });
    expect(await next()).toMatchObject({
      type: 'error',
      id: 'bad',
      payload: [{ extensions: { code: 'validation_error' } }],
    });
    send({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    socket.close();
  });
});

describe('a ping message', () => {
  it('receives a pong with the same payload before and after the handshake', async () => {
    const { send, next, socket } = await openSocket(t);
    send({ type: 'ping', payload: { at: 1 } });
    expect(await next()).toEqual({ type: 'pong', payload: { at: 1 } });
    send({ type: 'connection_init', payload: { apiKey: t.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    // The server ignores an unsolicited pong.
    send({ type: 'pong', payload: { at: 2 } });
    send({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    socket.close();
  });
});

describe('an invalid message', () => {
  const broken: readonly (readonly [string, string | Buffer])[] = [
    ['text that is not JSON', 'hello'],
    ['an empty text', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['an object without a type', '{"id":"1"}'],
    ['an unknown type', '{"type":"start"}'],
    ['a type of the older protocol', '{"type":"connection_terminate"}'],
    ['a subscription without an ID', '{"type":"subscribe","payload":{"query":"{ __typename }"}}'],
    ['a subscription with an empty ID', '{"type":"subscribe","id":"","payload":{"query":"{ __typename }"}}'],
    ['a subscription without a payload', '{"type":"subscribe","id":"1"}'],
    ['a subscription without a query', '{"type":"subscribe","id":"1","payload":{}}'],
    [
      'variables that are not an object',
      '{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","variables":"x"}}',
    ],
    ['a complete message without an ID', '{"type":"complete"}'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00])],
  ];

  test.each(broken)('closes the socket with 4400: %s', async (_name, data) => {
    const { socket, closed } = await openInitialised(t);
    socket.send(data);
    expect((await closed).code).toBe(4400);
  });

  test('closes the socket with 1009 if the message is too large', async () => {
    const { send, closed } = await openInitialised(t);
    send({ type: 'subscribe', id: '1', payload: { query: `{ __typename } # ${'x'.repeat(65_536)}` } });
    expect((await closed).code).toBe(1009);
  });
});
