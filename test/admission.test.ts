import { afterEach, describe, expect, test } from 'vitest';
import { type CallOptions, startApp, type TestApp } from './support/harness.ts';
import { openInitialised, openSocket } from './support/socket.ts';

// How often may be asked, at every door: a request, each further operation of a batch and each operation over a socket count the same.

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

/** What sockets are told for one more operation. */
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

describe('the window of a key', () => {
  test('counts every operation of a batch', async () => {
    await start();
    expect((await post(batch(limit - 2))).status).toBe(200);
    // Three more are one too many, and none of them is run.
    const limited = await post(batch(3));
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get('ratelimit-limit')).toBe(String(limit));
    expect(limited.body).toMatchObject({ errors: [{ extensions: { code: 'rate_limited', status: 429 } }] });
    expect((await post(typename)).status).toBe(429);
  });

  test('counts operations over a socket, which lives on when it is used up', async () => {
    await start();
    expect((await post(batch(limit - 4))).status).toBe(200);
    const raw = await openInitialised(t);
    const emitted = [];
    for (let index = 0; index < 6; index++) emitted.push(await overSocket(raw, String(index)));
    expect(emitted).toEqual(['answered', 'answered', 'answered', 'answered', 'rate_limited', 'rate_limited']);
    raw.send({ type: 'ping' });
    expect(await raw.next()).toEqual({ type: 'pong' });
    expect((await post(typename)).status).toBe(429);
    // Anyone who has no key counts by address, in a window of its own.
    expect((await post(typename, { key: null })).status).toBe(200);
    raw.socket.close();
  });

  test('of an address counts operations over sockets without a key', async () => {
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

describe('rejected credentials', () => {
  const wrongKey = 'ck_sandbox_0000000000000000000000000000000000';

  /** Counts how often keys are looked up in the database meanwhile. */
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

  test('count by address at every door, and nothing is looked up once the window is used up', async () => {
    await start();
    // A key that worked shortly before goes on working.
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
      // One that was never used here is not looked up either.
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
});
