import { afterEach, describe, expect, test } from 'vitest';
import { type CallOptions, startApp, type TestApp } from './support/harness.ts';
import { openInitialised, openSocket } from './support/socket.ts';

// Rate limits on all interfaces. Each request, each additional operation in a batch, and each operation over a socket counts as one
// request.

let t: TestApp;
afterEach(() => t.close());

const limit = 12;
const start = async (): Promise<void> => {
  t = await startApp({ env: { RATE_LIMIT_PER_MINUTE: String(limit) } });
};

type Emitted = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly errors?: readonly { readonly extensions: object }[] };
};

async function post(body: unknown, { key = t.sandboxKey }: CallOptions = {}): Promise<Emitted> {
  const headers = { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) };
  const response = await fetch(`${t.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Emitted['body'],
  };
}

const typename = { query: '{ __typename }' };
const batch = (size: number) => Array.from({ length: size }, () => typename);

/** Sends one more operation over a socket and returns its outcome. */
async function overSocket(
  { send, next }: Awaited<ReturnType<typeof openSocket>>,
  id: string,
): Promise<string> {
  send({ type: 'subscribe', id, payload: typename });
  const { type, payload } = await next();
  if (type !== 'error') {
    expect(await next()).toEqual({ type: 'complete', id });
    return 'answered';
  }
  const [error] = payload as { extensions: { code: string; retryAfter: number } }[];
  expect(error?.extensions.retryAfter).toBeGreaterThan(0);
  return error?.extensions.code ?? '';
}

describe("an API key's rate limit window", () => {
  test('counts every operation in a batch', async () => {
    await start();
    expect((await post(batch(limit - 2))).status).toBe(200);
    // The last of the three operations exceeds the limit, so none of them is executed.
    const limited = await post(batch(3));
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get('ratelimit-limit')).toBe(String(limit));
    expect(limited.body).toMatchObject({ errors: [{ extensions: { code: 'rate_limited', status: 429 } }] });
    expect((await post(typename)).status).toBe(429);
  });

  test('counts operations over a socket, and keeps the socket open when the limit is reached', async () => {
    await start();
    expect((await post(batch(limit - 4))).status).toBe(200);
    const raw = await openInitialised(t);
    const emitted = [];
    for (let index = 0; index < 6; index++) emitted.push(await overSocket(raw, String(index)));
    expect(emitted).toEqual(['answered', 'answered', 'answered', 'answered', 'rate_limited', 'rate_limited']);
    raw.send({ type: 'ping' });
    expect(await raw.next()).toEqual({ type: 'pong' });
    expect((await post(typename)).status).toBe(429);
    // Requests without a key have a separate window per client address.
    expect((await post(typename, { key: null })).status).toBe(200);
    raw.socket.close();
  });

  test('counts operations over sockets without a key by client address', async () => {
    await start();
    const raw = await openSocket(t);
    raw.send({ type: 'connection_init' });
    expect(await raw.next()).toEqual({ type: 'connection_ack' });
    const emitted = [];
    for (let index = 0; index < limit + 1; index++) emitted.push(await overSocket(raw, String(index)));
    expect(emitted).toEqual([...Array.from({ length: limit }, () => 'answered'), 'rate_limited']);
    expect((await post(typename, { key: null })).status).toBe(429);
    expect((await post(typename)).status).toBe(200);
    raw.socket.close();
  });
});

describe('the rate limit for rejected credentials', () => {
  const wrongKey = 'ck_sandbox_0000000000000000000000000000000000';

  /** Returns the number of key lookups in the database while `work` runs. */
  async function lookUps(work: () => Promise<void>): Promise<number> {
    const { database } = t.app;
    const { query } = database;
    let count = 0;
    const counting: typeof query = (text, params, rowOf) => {
      if (text.includes('"ApiKeyHash"')) count++;
      return query(text, params, rowOf);
    };
    Object.assign(database, { query: counting });
    await work().finally(() => Object.assign(database, { query }));
    return count;
  }

  test('counts rejected keys by client address over every interface, and looks up no keys after the limit is reached', async () => {
    await start();
    // Valid keys that were used recently remain usable.
    expect((await post(typename)).status).toBe(200);
    const rejected: number[] = [];
    expect(
      await lookUps(async () => {
        for (let index = 0; index < limit / 3; index++) {
          rejected.push((await post(typename, { key: `${wrongKey}${index}` })).status);
          rejected.push((await t.rest('GET', '/plans', undefined, { key: `${wrongKey}${index}` })).status);
          const raw = await openSocket(t);
          raw.send({ type: 'connection_init', payload: { apiKey: wrongKey } });
          rejected.push((await raw.closed).code);
        }
      }),
    ).toBe(limit);
    expect(rejected).toEqual(Array.from({ length: limit / 3 }, () => [401, 401, 4403]).flat());

    const limited: number[] = [];
    const looked = await lookUps(async () => {
      const overGraphql = await post(typename, { key: wrongKey });
      const overRest = await t.rest<{ error: { code: string } }>('GET', '/plans', undefined, {
        key: wrongKey,
      });
      limited.push(overGraphql.status, overRest.status);
      expect(overGraphql.body).toMatchObject({ errors: [{ extensions: { code: 'rate_limited' } }] });
      expect(overRest.body.error.code).toBe('rate_limited');
      for (const { headers } of [overGraphql, overRest])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      // At the limit, the process doesn't look up unknown keys, even if they're valid.
      limited.push((await post(typename, { key: t.liveKey })).status);
      const raw = await openSocket(t);
      raw.send({ type: 'connection_init', payload: { apiKey: wrongKey } });
      limited.push((await raw.closed).code);
    });
    expect({ limited, looked }).toEqual({ limited: [429, 429, 429, 4403], looked: 0 });

    expect((await post(typename)).status).toBe(200);
    expect((await post(typename, { key: null })).status).toBe(200);
    expect((await t.rest('GET', '/plans')).status).toBe(200);
  });

  test('counts concurrent requests before the key lookup (PLT-61)', async () => {
    await start();
    const guesses = Array.from({ length: 3 * limit }, (_, index) => `${wrongKey}${index}`);
    const statuses = await Promise.all(guesses.map(async (key) => (await post(typename, { key })).status));
    expect(statuses.filter((status) => status === 401)).toHaveLength(limit);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * limit);
  });

  test("doesn't count valid keys in concurrent requests (PLT-61)", async () => {
    await start();
    const keys = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const made = await t.rest<{ apiKey: string }>('POST', '/api-keys', { name: `Key ${index}` });
        return made.body.apiKey;
      }),
    );
    // 36 lookups of six keys unknown to this process, with a limit of 12.
    const statuses = await Promise.all(
      keys.flatMap((key) => Array.from({ length: 6 }, async () => (await post(typename, { key })).status)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    // All reservations for valid requests have been released, so wrong keys can use the whole limit.
    const guesses = Array.from({ length: limit + 1 }, (_, index) => `${wrongKey}${index}`);
    const guessed = await Promise.all(guesses.map(async (key) => (await post(typename, { key })).status));
    expect(guessed.filter((status) => status === 401)).toHaveLength(limit);
  });
});
