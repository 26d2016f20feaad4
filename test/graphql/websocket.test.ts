import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApp, type TestApp } from '../support/harness.ts';
import { openSocket } from '../support/socket.ts';

// graphql-transport-ws protocol messages as a client receives them.

let shop: TestApp;
beforeAll(async () => {
  shop = await startApp();
});
afterAll(() => shop.close());

const open = (of: TestApp = shop) => openSocket(of);

describe('a GraphQL socket', () => {
  it('is closed with 4403 for an invalid key', async () => {
    const { send, closed } = await open();
    send({ type: 'connection_init', payload: { apiKey: 'ck_sandbox_wrong' } });
    expect(await closed).toEqual({ code: 4403, reason: 'Forbidden' });
  });

  it('is closed with 4401 if it subscribes before initialization', async () => {
    const { send, closed } = await open();
    send({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    expect((await closed).code).toBe(4401);
  });

  it('runs queries, returns the same errors as HTTP, and sends pongs', async () => {
    const { send, next, socket } = await open();
    send({ type: 'connection_init', payload: { apiKey: shop.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    send({
      type: 'subscribe',
      id: 'q',
      payload: { query: '{ customers(first: 1) { pageInfo { hasNextPage } } }' },
    });
    expect(await next()).toEqual({
      type: 'next',
      id: 'q',
      payload: { data: { customers: { pageInfo: { hasNextPage: false } } } },
    });
    expect(await next()).toEqual({ type: 'complete', id: 'q' });
    send({ type: 'subscribe', id: 'e', payload: { query: '{ nothing }' } });
    expect(await next()).toMatchObject({
      type: 'error',
      id: 'e',
      payload: [{ extensions: { code: 'validation_error', status: 400 } }],
    });
    socket.close();
  });

  it('can run only public operations without a key', async () => {
    const { send, next, socket } = await open();
    send({ type: 'connection_init' });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'subscribe', id: 's', payload: { query: 'subscription { eventStream { event } }' } });
    const answer = await next();
    expect(JSON.stringify(answer)).toContain('"code":"unauthorized"');
    socket.close();
  });

  it("streams events after they're committed, and is closed when its key is deleted", async () => {
    const minted = await shop.rest<{ id: string; apiKey: string }>('POST', '/api-keys', {
      name: 'short-lived',
    });
    const { send, next, closed } = await open();
    send({ type: 'connection_init', payload: { apiKey: minted.body.apiKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({
      type: 'subscribe',
      id: 's',
      payload: { query: 'subscription { eventStream { event data position } }' },
    });
    // The response to a second operation shows that the first operation was registered.
    send({ type: 'subscribe', id: 'q', payload: { query: '{ __typename }' } });
    expect(await next()).toMatchObject({ id: 'q' });
    expect(await next()).toMatchObject({ id: 'q', type: 'complete' });
    await shop.rest('POST', '/customers', { email: 'ws@example.com', externalId: 'ws' });
    expect(await next()).toMatchObject({
      type: 'next',
      id: 's',
      payload: {
        data: { eventStream: { event: 'customer_created', data: { externalId: 'ws' }, position: 1 } },
      },
    });
    expect((await shop.rest('DELETE', `/api-keys/${minted.body.id}`)).status).toBe(200);
    expect((await closed).code).toBe(4403);
  });

  it('is closed after the idle timeout, but not while an operation is active', async () => {
    const short = await startApp({ env: { SOCKET_IDLE_MS: '2000' } });
    const silent = await open(short);
    const { send, next, closed, socket } = await open(short);
    send({ type: 'connection_init', payload: { apiKey: short.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'subscribe', id: 's', payload: { query: 'subscription { eventStream { event } }' } });
    // Waits longer than the idle timeout. The active operation keeps the socket open.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(socket.readyState).toBe(WebSocket.OPEN);
    send({ type: 'complete', id: 's' });
    expect(await closed).toEqual({ code: 4408, reason: 'Idle' });
    // A socket that never sends connection_init is also closed after this time.
    expect(await silent.closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
    await short.close();
  });

  it('remains open if an operation fails', async () => {
    const { send, next, socket } = await open();
    send({ type: 'connection_init', payload: { apiKey: shop.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'subscribe', id: 'live', payload: { query: 'subscription { eventStream { event } }' } });
    const plan = 'query ($a: ID!) { plan(id: $a) { id } }';
    const wrong: readonly (readonly [string, object, RegExp])[] = [
      ['no variable', { query: plan, variables: {} }, /^id: is required\.$/],
      ['a variable of another kind', { query: plan, variables: { a: { b: 1 } } }, /^id: must be a string\.$/],
      ['a null', { query: plan, variables: { a: null } }, /^id: is required\.$/],
      [
        'a variable that nests too deep',
        { query: plan, variables: { a: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) } },
        /64 levels/,
      ],
      [
        'an operation no one defined',
        { query: plan, operationName: 'other' },
        /doesn't contain the requested operation/,
      ],
      [
        'too much',
        {
          query:
            '{ customers(first: 100) { edges { node { invoices(first: 100) { edges { node { id total lineItems { amount } } } } } } } }',
        },
        /costs \d+/,
      ],
      [
        'too much, by a variable',
        {
          query: 'query ($n: Int) { customers(first: $n) { edges { cursor } } }',
          variables: { n: 90_000 },
        },
        /costs \d+/,
      ],
      [
        'a mutation',
        { query: 'mutation { planDelete(input: { id: "x" }) { deletedId } }' },
        /Send mutations as HTTP POST requests to \/graphql/,
      ],
      ['no document', { query: '{' }, /Syntax Error/],
      ['a brace too many', { query: '}' }, /Syntax Error/],
      ['brackets', { query: `{ plan(id: ${'['.repeat(20_000)}` }, /nested more than 100/],
    ];
    for (const [id, payload, message] of wrong) {
      send({ type: 'subscribe', id, payload });
      const answer = await next();
      expect(answer).toMatchObject({
        type: 'error',
        id,
        payload: [{ extensions: { code: 'validation_error', status: 400 } }],
      });
      expect((answer.payload as { message: string }[])[0]?.message).toMatch(message);
    }
    // The operation that started before the error continues.
    await shop.rest('POST', '/customers', { email: 'alive@example.com', externalId: 'alive' });
    expect(await next()).toMatchObject({ type: 'next', id: 'live' });
    expect((await shop.rest<{ data: unknown[] }>('GET', '/plans')).body.data).toEqual([]);
    socket.close();
  });

  it('limits a burst of 2,000 operations to 100 concurrent operations, with bounded CPU time', async () => {
    const { send, next, socket } = await open();
    send({ type: 'connection_init', payload: { apiKey: shop.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    const before = process.cpuUsage();
    for (let index = 0; index < 2_000; index++) {
      send({
        type: 'subscribe',
        id: String(index),
        payload: { query: '{ customers(first: 1) { edges { cursor } } }' },
      });
    }
    const emitted = new Map<string, string>();
    while (emitted.size < 2_000) {
      const { id = '', type, payload } = await next();
      if (type === 'next') emitted.set(id, 'answered');
      if (type === 'error') emitted.set(id, (payload as { message: string }[])[0]?.message ?? '');
    }
    const { user, system } = process.cpuUsage(before);
    const answered = [...emitted.values()].filter((text) => text === 'answered').length;
    // At most 100 operations can run at a time. Another can start when one completes.
    expect(answered).toBeGreaterThanOrEqual(100);
    expect(new Set(emitted.values())).toEqual(
      new Set(['answered', 'A socket can run up to 100 operations at the same time.']),
    );
    // The measured CPU time is 500 ms, including the client.
    expect((user + system) / 1_000).toBeLessThan(8_000);
    send({ type: 'ping' });
    let last = await next();
    while (last.type === 'complete') last = await next();
    expect(last).toEqual({ type: 'pong' });
    socket.close();
  });

  it('is rejected on paths other than /graphql', async () => {
    const socket = new WebSocket(`${shop.url.replace('http', 'ws')}/elsewhere`);
    const status = await new Promise((resolve) =>
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode)),
    );
    expect(status).toBe(404);
    socket.on('error', () => undefined);
    socket.terminate();
  });
});
