import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/harness.ts';

// Rate limits by client address, with and without a proxy.

const opened: TestApp[] = [];
const open = async (env: Record<string, string>): Promise<TestApp> => {
  const limits = { SIGN_INS_PER_MINUTE: '1', PROVISIONING_PER_MINUTE: '1', RATE_LIMIT_PER_MINUTE: '1' };
  const t = await startApp({ env: { ...limits, ...env } });
  opened.push(t);
  return t;
};
afterAll(async () => {
  for (const t of opened) await t.close();
});

type Ask = (t: TestApp, forwarded: string) => Promise<Response>;
const asking =
  (path: string, body: () => unknown, more: () => Record<string, string> = () => ({})): Ask =>
  (t, forwarded) =>
    fetch(`${t.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded, ...more() },
      body: JSON.stringify(body()),
    });

const doors: readonly (readonly [string, Ask])[] = [
  [
    'a sign-in',
    asking('/auth/sign-in/email', () => ({ email: 'ada@people.test', password: 'wrong password' })),
  ],
  [
    'a provisioning',
    asking(
      '/api/v1/provision',
      () => ({ name: 'Acme', country: 'US', businessType: 'company' }),
      () => ({ 'idempotency-key': randomUUID() }),
    ),
  ],
  ['GraphQL without a key', asking('/graphql', () => ({ query: `{ __typename } # ${randomUUID()}` }))],
  ['a known query without a key', asking('/graphql', () => ({ query: '{ __typename }' }))],
];

let proxied: TestApp;
beforeAll(async () => {
  proxied = await open({ TRUSTED_PROXIES: '127.0.0.0/8' });
});

describe.each(doors)('the rate limit for %s', (what, ask) => {
  test('uses the client address from a trusted proxy, and ignores addresses that the client added', async () => {
    // Uses different addresses for each type of request, because the types share limits.
    const network = `203.0.${doors.findIndex(([name]) => name === what)}`;
    expect((await ask(proxied, `${network}.1`)).status).not.toBe(429);
    expect((await ask(proxied, `${network}.2`)).status).not.toBe(429);
    expect((await ask(proxied, `198.51.100.1, ${network}.1`)).status).toBe(429);
  });

  test("uses the socket's address without a proxy", async () => {
    const t = await open({});
    expect((await ask(t, '203.0.113.1')).status).not.toBe(429);
    expect((await ask(t, '203.0.113.2')).status).toBe(429);
  });
});
