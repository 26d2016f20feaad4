import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { demandMetricsAccess } from '../../src/http/metrics-access.ts';
import { startApp, type TestApp } from '../support/harness.ts';

const opened: TestApp[] = [];
const open = async (env: Record<string, string>): Promise<TestApp> => {
  const t = await startApp({ env });
  opened.push(t);
  return t;
};
afterAll(async () => {
  for (const t of opened) await t.close();
});

const bearer = 'a-token-of-the-metrics';

const requested = (socketAddress: string, headers: Record<string, string> = {}) => ({
  socketAddress,
  header: (name: string) => headers[name] ?? null,
});

describe('without settings the metrics', () => {
  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('are open to this machine (%s)', (address) => {
    expect(() => demandMetricsAccess({}, requested(address))).not.toThrow();
  });
  test.each(['10.0.0.7', '::ffff:172.17.0.1', '203.0.113.9', ''])(
    'are rejected to others (%s)',
    (address) => {
      expect(() => demandMetricsAccess({}, requested(address))).toThrow(
        'The metrics are for calls from this machine.',
      );
    },
  );
  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'are rejected to what a proxy of this machine passes on (%s)',
    (name) => {
      expect(() => demandMetricsAccess({}, requested('127.0.0.1', { [name]: '127.0.0.1' }))).toThrow(
        'The metrics are for calls from this machine.',
      );
    },
  );

  test('are answered over HTTP, or rejected in the envelope of every door', async () => {
    const { url } = await open({});
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    const rejected = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect([rejected.status, await rejected.json()]).toMatchObject([
      403,
      { error: { type: 'authentication_error', code: 'forbidden' } },
    ]);
  });
});

test('with a token the metrics are for anyone who has it, and for no one else', async () => {
  const { url } = await open({ METRICS_TOKEN: bearer });
  const ask = async (headers: Record<string, string>) => (await fetch(`${url}/metrics`, { headers })).status;
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: `Bearer ${bearer}x` })).toBe(401);
  expect(await ask({ authorization: `Basic ${bearer}` })).toBe(401);
  expect(await ask({ authorization: `Bearer ${bearer}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
  expect(() => demandMetricsAccess({ metricsToken: bearer }, requested('127.0.0.1'))).toThrow(
    'The metrics need the token',
  );
});

/** A port nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('on a port of their own the metrics are nowhere else, and there is nothing else there', async () => {
  const port = await freePort();
  const { url } = await open({ METRICS_PORT: String(port) });
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  const own = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${own}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('quittance_http_request_duration_seconds_count'),
  ]);
  expect((await fetch(`${own}/api/v1/customers`)).status).toBe(404);
  expect((await fetch(`${own}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('the metrics hold no word a client made up', async () => {
  const { url } = await open({});
  expect((await fetch(`${url}/made-up/path`)).status).toBe(404);
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain('surface="none",status="404"');
  expect(text).not.toContain('made-up');
});
