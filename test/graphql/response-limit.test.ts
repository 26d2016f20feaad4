import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonBytes } from '../../src/graphql/declare/response-limit.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openInitialised } from '../support/socket.ts';

// JSON responses are limited to RESPONSE_LIMIT_BYTES. The size is calculated before the response is written
// (PLT-66).

const most = 30_000;

describe('the size of a JSON value in bytes', () => {
  const sizes: readonly (readonly [unknown, number])[] = [
    ['é'.repeat(5_000), 10_002],
    ['\u0000'.repeat(3_000), 18_002],
    [{ a: '"'.repeat(6_000) }, 12_009],
    [Array.from({ length: 4 }, () => 'x'.repeat(5_000)), 20_010],
  ];
  test.each(sizes)('is counted exactly if it can exceed the limit, %#', (value, bytes) => {
    expect(Buffer.byteLength(JSON.stringify(value))).toBeGreaterThanOrEqual(bytes - 2);
    expect(jsonBytes(value, bytes)).toBe(bytes);
    expect(jsonBytes(value, bytes - 3)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is a lower bound for a value that can't exceed the limit", () => {
    expect(jsonBytes({ name: 'Ann', at: null, gone: undefined }, 1_000)).toBe(2 + 8 + 5 + 6 + 1);
  });

  test('is counted only up to the limit', () => {
    let reads = 0;
    const rows = Array.from({ length: 1_000 }, () => ({
      get text() {
        reads++;
        return 'x'.repeat(100);
      },
    }));
    expect(jsonBytes(rows, 1_000)).toBe(Number.POSITIVE_INFINITY);
    expect(reads).toBeLessThan(12);
  });
});

describe('a response', () => {
  let t: TestApp;
  const pad = 'x'.repeat(1_000);
  beforeAll(async () => {
    t = await startApp({ env: { RESPONSE_LIMIT_BYTES: String(most) } });
    const customers = Array.from({ length: 40 }, (_, index) => ({
      email: `c${index}@a.example`,
      metadata: { pad },
    }));
    await t.rest('POST', '/customers/batch', { customers });
  });
  afterAll(() => t.close());

  const list = (first: number) => `{ customers(first: ${first}) { edges { node { metadata } } } }`;
  const post = async (body: unknown, accept = 'application/json') => {
    const response = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': t.sandboxKey, accept },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

  test("is sent if it's within the limit, and rejected over GraphQL if it's larger", async () => {
    expect((await post({ query: list(20) })).status).toBe(200);
    const { status, text } = await post({ query: list(40) });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      errors: [
        {
          message: `The response would exceed ${most} bytes. Request smaller pages or fewer fields.`,
          extensions: { code: 'response_too_large', status: 400 },
        },
      ],
    });
    expect(text.length).toBeLessThan(1_000);
  });

  test('is rejected if aliases make it too large', async () => {
    const query = `{ a: customers(first: 20) { edges { node { metadata } } } b: customers(first: 20) { edges { node { metadata } } } }`;
    expect((await post({ query })).text).toContain('response_too_large');
  });

  test('is limited for all operations in a batch together', async () => {
    const { text } = await post([{ query: list(20) }, { query: list(20) }]);
    expect(text.match(/response_too_large/g)).not.toBeNull();
    expect(text.length).toBeLessThan(most);
  });

  test('is rejected over REST, in a stream, and over a socket', async () => {
    expect((await t.rest('GET', '/customers?limit=20')).status).toBe(200);
    expect(await t.rest('GET', '/customers?limit=40')).toMatchObject({
      status: 400,
      body: { error: { type: 'validation_error', code: 'response_too_large' } },
    });
    const streamed = await post({ query: list(40) }, 'text/event-stream');
    expect(streamed.text).toContain('response_too_large');
    const raw = await openInitialised(t);
    raw.send({ type: 'subscribe', id: '1', payload: { query: list(40) } });
    const { type, payload } = await raw.next();
    expect(type).toBe('next');
    expect(JSON.stringify(payload)).toContain('response_too_large');
    expect(JSON.stringify(payload).length).toBeLessThan(1_000);
    raw.socket.close();
  });
});
