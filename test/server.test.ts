import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/harness.ts';

// An answer can fail for reasons of which nothing is known beforehand. Here Node has begun one automatically when the product comes to it, so that
// its own cannot be written.

const channel = 'http.server.request.start';
const begun = 'x-answer-begun';

let t: TestApp;
const begin = (message: unknown): void => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.headers[begun] !== undefined) response.flushHeaders();
};
beforeAll(async () => {
  t = await startApp();
  subscribe(channel, begin);
});
afterAll(async () => {
  unsubscribe(channel, begin);
  await t.close();
});

const query = JSON.stringify({ query: '{ organization { name } }' });
const headers = () => ({ 'x-api-key': t.sandboxKey, 'content-type': 'application/json' });

describe.each([
  ['REST', '/api/v1/customers?limit=1', {}],
  ['a known query', '/graphql', { method: 'POST', body: query }],
])('an answer of %s that cannot be written', (_door, path, init) => {
  const ask = (more: Record<string, string> = {}) =>
    fetch(`${t.url}${path}`, { ...init, headers: { ...headers(), ...more } });

  test('ends its connection, and the next request is answered', async () => {
    // The first makes a query known.
    for (let time = 0; time < 2; time++) expect((await ask()).status).toBe(200);
    const cut = await ask({ [begun]: 'yes' });
    await expect(cut.text()).rejects.toThrow('terminated');
    expect((await ask()).status).toBe(200);
  });
});
