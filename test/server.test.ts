import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/harness.ts';

// Sending a response can fail unexpectedly. In these tests, Node has already sent headers, so the service can't send others.

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
])("a response to %s that can't be sent", (_door, path, init) => {
  const ask = (more: Record<string, string> = {}) =>
    fetch(`${t.url}${path}`, { ...init, headers: { ...headers(), ...more } });

  test('closes its connection, and the next request succeeds', async () => {
    // The first request adds the query to the document cache.
    for (let time = 0; time < 2; time++) expect((await ask()).status).toBe(200);
    const cut = await ask({ [begun]: 'yes' });
    await expect(cut.text()).rejects.toThrow('terminated');
    expect((await ask()).status).toBe(200);
  });
});
