import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressed, encodingFor } from '../../src/http/compression.ts';
import type { Reply } from '../../src/http/reply.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ env: { CORS_ORIGINS: 'https://shop.test', RATE_LIMIT_PER_MINUTE: '600' } });
  for (let index = 0; index < 8; index++)
    await t.rest('POST', '/customers', { email: `ada${index}@example.com`, externalId: `ada${index}` });
});
afterAll(() => t.close());

type Got = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
};

/** Sends a request with a client that doesn't decompress responses. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  method = 'GET',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const all = {
      'x-api-key': t.sandboxKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = request(`${t.url}${path}`, { method, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Got['headers'],
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const accepting = (encoding: string) => ({ 'accept-encoding': encoding });
const document = JSON.stringify({
  query: '{ customers(first: 8) { edges { cursor node { id email externalId createdAt } } } }',
});
const doors = [
  ['REST', '/api/v1/customers?limit=8', undefined, 'GET'],
  ['GraphQL', '/graphql', document, 'POST'],
  ['GraphQL through its server', '/graphql', document.replace('{"', '{"operationName":null,"'), 'POST'],
  ['a batch', '/graphql', `[${document},${document}]`, 'POST'],
  ['a page’s script', '/embed.js', undefined, 'GET'],
  ['OpenAPI', '/openapi.json', undefined, 'GET'],
] as const;

describe('an HTTP response', () => {
  it.each(doors)(
    'is compressed for %s with the same content if the client accepts an encoding',
    async (_door, path, body, method) => {
      const whole = await ask(path, {}, body, method);
      expect(whole.headers['content-encoding']).toBeUndefined();
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const got = await ask(path, accepting(encoding), body, method);
        expect([got.status, got.headers['content-encoding'], got.headers['content-type']]).toEqual([
          200,
          encoding,
          whole.headers['content-type'],
        ]);
        expect(got.headers['content-length']).toBe(String(got.bytes.length));
        expect(got.headers['vary']).toMatch(/(?:^|, )Accept-Encoding$/);
        expect(got.bytes.length).toBeLessThan(whole.bytes.length * 0.7);
        expect(decode(got.bytes).toString()).toBe(whole.bytes.toString());
      }
      expect(whole.headers['vary']).toMatch(/(?:^|, )Accept-Encoding$/);
    },
  );

  it("isn't compressed if it's short or the client accepts no supported encoding", async () => {
    const short = await ask('/healthz', accepting('br, gzip'));
    expect([short.headers['content-encoding'], short.headers['vary']]).toEqual([undefined, undefined]);
    for (const encoding of ['', 'identity', 'zstd', 'br;q=0, gzip;q=0', '*;q=0'])
      expect(
        (await ask('/openapi.json', accepting(encoding))).headers['content-encoding'],
        encoding,
      ).toBeUndefined();
  });

  it('has the same headers for HEAD as for GET', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const [got, head] = [
        await ask('/openapi.json', accepting(encoding)),
        await ask('/openapi.json', accepting(encoding), undefined, 'HEAD'),
      ];
      expect(head.bytes.length).toBe(0);
      for (const name of ['content-length', 'content-encoding', 'vary', 'etag', 'cache-control'])
        expect(head.headers[name], name).toBe(got.headers[name]);
    }
  });

  it('is replaced with status 304 if the client has cached it in any encoding', async () => {
    for (const path of ['/openapi.json', '/docs/guides/webhooks.md', '/embed.js']) {
      const first = await ask(path, accepting('br'));
      expect(first.headers['cache-control']).toBe('no-cache');
      const tag = String(first.headers['etag']);
      expect(tag).toMatch(/^W\/"/);
      for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
        const again = await ask(path, { 'if-none-match': known, ...accepting('gzip') });
        expect([again.status, again.bytes.length, again.headers['etag']], path).toEqual([304, 0, tag]);
      }
      expect((await ask(path, { 'if-none-match': 'W/"other"' })).status).toBe(200);
    }
  });

  it("isn't buffered if it's a stream", async () => {
    const stream = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': t.sandboxKey },
      body: JSON.stringify({ query: 'subscription { eventStream { position } }' }),
    });
    expect(stream.headers.get('content-encoding')).not.toMatch(/br|gzip/);
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^:/);
    await reader?.cancel();
  });

  it("can't be cached if it's an API response", async () => {
    const answers = [
      await ask('/api/v1/customers?limit=1'),
      await ask('/api/v1/nothing'),
      await ask('/graphql', {}, document, 'POST'),
      await ask('/graphql', {}, `[${document}]`, 'POST'),
      await ask('/graphql', {}, '{', 'POST'),
      await ask('/graphql?query=%7B__typename%7D'),
      await ask('/graphql', { accept: 'text/html' }),
    ];
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(answers.map(() => 'no-store'));
  });

  it("reports the caller's rate limit window over REST and GraphQL", async () => {
    // A rate limit window starts with the first request of an API key.
    const { sandboxKey } = await t.otherTenant();
    const headersOf = async (path: string, body?: string) => {
      const { headers } = await ask(
        path,
        { 'x-api-key': sandboxKey },
        body,
        body === undefined ? 'GET' : 'POST',
      );
      return ['limit', 'remaining', 'reset'].map((name) => Number(headers[`ratelimit-${name}`]));
    };
    const [limit = 0, before = 0, reset = 0] = await headersOf('/api/v1/customers/ada1');
    expect([limit, reset > 0 && reset <= 60]).toEqual([600, true]);
    expect((await headersOf('/graphql', document))[1]).toBe(before - 1);
    // Each operation in a batch counts as a request.
    expect((await headersOf('/graphql', `[${document},${document}]`))[1]).toBe(before - 3);
    expect((await headersOf('/api/v1/customers/nobody'))[1]).toBe(before - 4);
    expect((await headersOf('/graphql', '{'))[1]).toBe(before - 5);
  });
});

describe('content negotiation', () => {
  it.each([
    [null, null],
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip;q=nonsense', null],
    ['deflate', null],
  ])('selects an encoding for the header %j: %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });
});

describe('a reply', () => {
  const text = 'word '.repeat(1_000);
  const reply = (headers: Record<string, string>, body: Reply['body'] = text): Reply => ({
    status: 200,
    headers,
    body,
  });

  it("isn't compressed if it sets a cookie, is already encoded, or has an incompressible type", async () => {
    for (const one of [
      reply({ 'Content-Type': 'application/json', 'Set-Cookie': 'session=1' }),
      reply({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }),
      reply({ 'Content-Type': 'application/pdf' }),
      reply({ 'Content-Type': 'text/event-stream' }),
      reply({ 'Content-Type': 'text/plain' }, null),
    ])
      expect(await compressed('br', one)).toBe(one);
  });

  it('compresses a byte body once per encoding', async () => {
    const one = reply({ 'Content-Type': 'text/plain' }, Buffer.from(text));
    const [first, second] = [await compressed('br', one), await compressed('br', one)];
    expect(second.body).toBe(first.body);
    expect((await compressed('gzip', one)).body).not.toBe(first.body);
  });
});
