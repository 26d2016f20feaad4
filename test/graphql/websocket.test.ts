import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApp, type TestApp } from '../support/harness.ts';
import { openSocket } from '../support/socket.ts';

// graphql-transport-ws, spoken by hand: what a client sees on the wire.

let shop: TestApp;
beforeAll(async () => {
  shop = await startApp();
});
afterAll(() => shop.close());

const open = (of: TestApp = shop) => openSocket(of);

describe('a socket', () => {
  it('with a wrong key is closed with 4403', async () => {
    const { send, closed } = await open();
    send({ type: 'connection_init', payload: { apiKey: 'ck_sandbox_wrong' } });
    expect(await closed).toEqual({ code: 4403, reason: 'Forbidden' });
  });

  it('that subscribes before it is initialised is closed with 4401', async () => {
    const { send, closed } = await open();
    send({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    expect((await closed).code).toBe(4401);
  });

  it('runs queries and mutations, answers errors in the same words, and pongs', async () => {
    const { send, next, socket } = await open();
    send({ type: 'connection_init', payload: { apiKey: shop.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    send({ type: 'subscribe', id: 'q', payload: { query: '{ customers(first: 1) { pageInfo { hasNextPage } } }' } });
    expect(await next()).toEqual({ type: 'next', id: 'q', payload: { data: { customers: { pageInfo: { hasNextPage: false } } } } });
    expect(await next()).toEqual({ type: 'complete', id: 'q' });
    send({ type: 'subscribe', id: 'e', payload: { query: '{ nothing }' } });
    expect(await next()).toMatchObject({ type: 'error', id: 'e', payload: [{ extensions: { code: 'validation_error', status: 400 } }] });
    socket.close();
  });

  it('without a key may only do what needs none', async () => {
    const { send, next, socket } = await open();
    send({ type: 'connection_init' });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'subscribe', id: 's', payload: { query: 'subscription { eventStream { event } }' } });
    const answer = await next();
    expect(JSON.stringify(answer)).toContain('"code":"unauthorized"');
    socket.close();
  });

  it('streams events as they are committed, and is closed when its key is deleted', async () => {
    const minted = await shop.rest<{ id: string; apiKey: string }>('POST', '/api-keys', { name: 'short-lived' });
    const { send, next, closed } = await open();
    send({ type: 'connection_init', payload: { apiKey: minted.body.apiKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'subscribe', id: 's', payload: { query: 'subscription { eventStream { event data position } }' } });
    // The acknowledgement of another operation shows that the first one was taken in.
    send({ type: 'subscribe', id: 'q', payload: { query: '{ __typename }' } });
    expect(await next()).toMatchObject({ id: 'q' });
    expect(await next()).toMatchObject({ id: 'q', type: 'complete' });
    await shop.rest('POST', '/customers', { email: 'ws@example.com', externalId: 'ws' });
    expect(await next()).toMatchObject({
      type: 'next',
      id: 's',
      payload: { data: { eventStream: { event: 'customer.created', data: { externalId: 'ws' }, position: 1 } } },
    });
    expect((await shop.rest('DELETE', `/api-keys/${minted.body.id}`)).status).toBe(200);
    expect((await closed).code).toBe(4403);
  });

  it('is closed when it carries nothing for too long, and not while it carries something', async () => {
    const short = await startApp({ env: { SOCKET_IDLE_MS: '400' } });
    const silent = await open(short);
    const { send, next, closed, socket } = await open(short);
    send({ type: 'connection_init', payload: { apiKey: short.sandboxKey } });
    expect(await next()).toEqual({ type: 'connection_ack' });
    send({ type: 'subscribe', id: 's', payload: { query: 'subscription { eventStream { event } }' } });
    // Longer than it may idle; what it carries keeps it open.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(socket.readyState).toBe(WebSocket.OPEN);
    send({ type: 'complete', id: 's' });
    expect(await closed).toEqual({ code: 4408, reason: 'Idle' });
    // One that never introduced itself has no longer to live.
    expect(await silent.closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
    await short.close();
  });

  it('elsewhere than at /graphql is not opened', async () => {
    const socket = new WebSocket(`${shop.url.replace('http', 'ws')}/elsewhere`);
    const status = await new Promise((resolve) => socket.once('unexpected-response', (_request, response) => resolve(response.statusCode)));
    expect(status).toBe(404);
    socket.on('error', () => undefined);
    socket.terminate();
  });
});
