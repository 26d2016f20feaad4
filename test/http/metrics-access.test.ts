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

describe('the metrics endpoint without a token or a separate port', () => {
  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('is available on the same machine (%s)', (address) => {
    expect(() => demandMetricsAccess({}, requested(address))).not.toThrow();
  });
  test.each(['10.0.0.7', '::ffff:172.17.0.1', '203.0.113.9', ''])(
    'rejects requests from other addresses (%s)',
    (address) => {
      expect(() => demandMetricsAccess({}, requested(address))).toThrow(
        'Metrics are available only to requests from this machine.',
      );
    },
  );
  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'rejects requests forwarded by a proxy on the same machine (%s)',
    (name) => {
      expect(() => demandMetricsAccess({}, requested('127.0.0.1', { [name]: '127.0.0.1' }))).toThrow(
        'Metrics are available only to requests from this machine.',
      );
    },
  );

  test('returns the metrics over HTTP or rejects the request with the error envelope', async () => {
    const { url } = await open({});
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    const rejected = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect([rejected.status, await rejected.json()]).toMatchObject([
      403,
      { error: { type: 'authentication_error', code: 'forbidden' } },
    ]);
  });
});

test('metrics protected by a token are available only to requests with that token', async () => {
  const { url } = await open({ METRICS_TOKEN: bearer });
  const ask = async (headers: Record<string, string>) => (await fetch(`${url}/metrics`, { headers })).status;
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: `Bearer ${bearer}x` })).toBe(401);
  expect(await ask({ authorization: `Basic ${bearer}` })).toBe(401);
  expect(await ask({ authorization: `Bearer ${bearer}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
  expect(() => demandMetricsAccess({ metricsToken: bearer }, requested('127.0.0.1'))).toThrow(
    'Send the value of `METRICS_TOKEN`',
  );
});

/** Returns a port that no process is using. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('metrics on a separate port are available only there, and that port serves only metrics', async () => {
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

test('metrics contain no values supplied by clients', async () => {
  const { url } = await open({});
  expect((await fetch(`${url}/made-up/path`)).status).toBe(404);
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain('surface="none",status="404"');
  expect(text).not.toContain('made-up');
});
