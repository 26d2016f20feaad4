import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BillingError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  Quittance,
  type QuittanceError,
  RateLimitError,
  requestIdOf,
  TimeoutError,
  ValidationError,
} from '../../../src/packages/sdk/index.ts';
import { namedRoutes } from '../../../src/rest/client-names.ts';
import { parameterExample, requestExampleOf } from '../../../src/rest/curl.ts';
import { codesOf } from '../../../src/rest/operation.ts';
import { parameterName, type Route, routesOf } from '../../../src/rest/routes.ts';
import { schema } from '../../../src/schema.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

let app: TestApp;
let q: Quittance;
beforeAll(async () => {
  app = await startApp();
  q = clientWith();
});
afterAll(() => app.close());

type Options = Partial<ConstructorParameters<typeof Quittance>[0]>;

const clientWith = (options: Options = {}): Quittance =>
  new Quittance({ apiKey: app.sandboxKey, baseUrl: app.url, ...options });

const failureOf = async (promise: PromiseLike<unknown>): Promise<QuittanceError> => {
  const error = await Promise.resolve(promise).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error === null) throw new Error('The call should have failed.');
  return error as QuittanceError;
};

type Methods = Readonly<
  Record<string, Readonly<Record<string, (...parameters: unknown[]) => PromiseLike<unknown>>>>
>;

/** Example parameters of a route's method. */
function examplesOf(route: Route): unknown[] {
  const placed = (place: string) => route.inputs.filter((input) => input.place === place);
  const inPath = route.segments
    .filter((segment) => segment.startsWith('{'))
    .map((segment) => {
      const input = placed('path').find(({ name }) => name === parameterName(segment));
      return input === undefined ? 'unknown' : parameterExample(route, input);
    });
  const query = placed('query').map((input) => [input.name, parameterExample(route, input)] as const);
  const required = Object.fromEntries(query.filter(([, value]) => value !== undefined));
  const hasInput = route.isIdempotent || query.length > 0;
  return [
    ...inPath,
    ...(hasInput ? [route.isIdempotent ? (requestExampleOf(route).body ?? {}) : required] : []),
  ];
}

describe('an operation of the client', () => {
  test('sends the request of its route and returns the documented response, for every route', async () => {
    const sent: string[] = [];
    const recording = clientWith({
      maxRetries: 0,
      onRequest: ({ method, url }) => sent.push(`${method} ${new URL(url).pathname}`),
    }) as unknown as Methods;
    for (const { namespace, method, route } of namedRoutes(routesOf(schema))) {
      const call = recording[namespace]?.[method];
      if (call === undefined) throw new Error(`${namespace}.${method} is missing.`);
      sent.length = 0;
      const parameters = examplesOf(route);
      const name = `${namespace}.${method}`;
      // A dry run keeps the objects for the other calls.
      const options = route.kind === 'mutation' && 'scope' in route.access ? [{ dryRun: true }] : [];
      const result = await Promise.resolve(call(...parameters, ...options)).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      const pattern = route.path.replaceAll(/\{\w+\}/g, '[^/]+');
      expect(sent, name).toEqual([expect.stringMatching(`^${route.method} /api/v1${pattern}$`)]);
      if ('error' in result) {
        expect(codesOf(route), `${name}: ${String(result.error)}`).toContain(
          (result.error as QuittanceError).code,
        );
        expect((result.error as QuittanceError).requestId, name).toMatch(/^[0-9a-f-]{36}$/);
      } else if (route.shape !== 'object') expect(result.value, name).toMatchObject({ object: 'list' });
    }
  });

  test('returns the same response as a request without the client', async () => {
    const created = await q.customers.create({ email: 'grace@example.com', externalId: 'grace' });
    expect(await q.customers.get('grace')).toEqual(created);
    expect((await app.rest('GET', '/customers/grace')).body).toEqual(created);
    const updated = await q.customers.update(created.id, { fullName: 'Grace Hopper' });
    expect(updated).toMatchObject({ id: created.id, fullName: 'Grace Hopper' });
    expect(requestIdOf(updated)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('sends lists of values, and special characters in a path', async () => {
    const externalId = 'team/42?#%';
    const { id } = await q.customers.create({ email: 'list-1@example.com', externalId });
    const other = await q.customers.create({ email: 'list-2@example.com' });
    expect((await q.customers.get(externalId)).id).toBe(id);
    const { data } = await q.customers.list({ ids: [id, other.id] });
    expect(data.map((one) => one.id).toSorted()).toEqual([id, other.id].toSorted());
  });

  test.each(['', '.', '..', undefined])('sends no request if a parameter of the path is %j', async (id) => {
    const sent: string[] = [];
    const client = clientWith({ onRequest: ({ url }) => sent.push(url) });
    const failure = await failureOf(client.customers.update(id as string, { fullName: 'Grace' }));
    expect([String(failure), sent]).toEqual([
      `TypeError: The parameter {id} can't be ${JSON.stringify(id ?? '')}.`,
      [],
    ]);
  });

  test('changes nothing as a dry run', async () => {
    const run = await q.customers.create({ email: 'dry@example.com', externalId: 'dry' }, { dryRun: true });
    expect(run).toMatchObject({ email: 'dry@example.com', dryRun: { isSimulated: true } });
    expect((await failureOf(q.customers.get('dry'))).code).toBe('customer_not_found');
  });

  test('reads all pages of a list, and one page if it is awaited', async () => {
    const emails = Array.from({ length: 7 }, (_, index) => `page-${index}@example.com`);
    for (const email of emails) await q.customers.create({ email });
    const found: string[] = [];
    for await (const { email } of q.customers.list({ limit: 3 }))
      if (email?.startsWith('page-') === true) found.push(email);
    expect(found.toSorted()).toEqual(emails);
    const page = await q.customers.list({ limit: 3 });
    expect([page.data.length, page.hasMore]).toEqual([3, true]);
  });

  test('executes GraphQL, and throws the first error', async () => {
    const { testClock } = await q.graphql<{ testClock: object }>('{ testClock { __typename } }');
    expect(testClock).toEqual({ __typename: 'TestClock' });
    const failure = await failureOf(
      q.graphql('query ($id: ID!) { customer(id: $id) { id } }', { id: 'nobody' }),
    );
    expect(failure).toBeInstanceOf(NotFoundError);
    expect(failure.code).toBe('customer_not_found');
  });

  test('throws the error of a GraphQL request that is rejected before its execution', async () => {
    const failure = await failureOf(q.graphql('{ unknownField }'));
    expect(failure).toBeInstanceOf(ValidationError);
    expect(failure).toMatchObject({ status: 400, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(failure.message).toContain('unknownField');
  });

  test('executes several fields of a GraphQL mutation without an idempotency key, and without retries', async () => {
    const document = `mutation {
      one: customerCreate(input: { email: "one@example.com" }) { email }
      two: customerCreate(input: { email: "two@example.com" }) { email }
    }`;
    expect((await failureOf(q.graphql(document))).param).toBe('Idempotency-Key');
    expect(await q.graphql(document, {}, { idempotencyKey: null })).toEqual({
      one: { email: 'one@example.com' },
      two: { email: 'two@example.com' },
    });
    const { fetch: send, keys } = failing(['before']);
    const broken = clientWith({ fetch: send }).graphql(document, {}, { idempotencyKey: null });
    expect(await failureOf(broken)).toBeInstanceOf(ConnectionError);
    expect(keys).toEqual(['']);
  });

  test('sends requests to routes without a method', async () => {
    expect(await q.request('GET', '/customers', { query: { limit: 1 } })).toMatchObject({ object: 'list' });
  });
});

describe('an error of the client', () => {
  test('has the class of its type, and the fields of the response', async () => {
    const invalid = await failureOf(q.customers.create({ email: 'not an address' }));
    expect(invalid).toBeInstanceOf(ValidationError);
    expect(invalid).toMatchObject({
      code: 'validation_error',
      status: 400,
      param: 'email',
      requestId: expect.any(String),
    });
    if (invalid instanceof ValidationError && invalid.code === 'validation_error')
      expect(invalid.details.map(({ field }) => field)).toEqual(['email']);
    const missing = await failureOf(q.plans.get('pln_unknown'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).not.toBeInstanceOf(BillingError);
    expect((await failureOf(clientWith({ apiKey: 'ck_sandbox_wrong' }).customers.list())).status).toBe(401);
  });
});

/** Returns a fetch function that fails for the first attempts, before or after the service receives the request. */
function failing(responses: readonly ('before' | 'after' | Response)[]): {
  fetch: typeof fetch;
  keys: string[];
} {
  const keys: string[] = [];
  const waiting = [...responses];
  return {
    keys,
    fetch: async (url, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key') ?? '');
      const next = waiting.shift();
      if (next instanceof Response) return next;
      if (next === 'before') throw new TypeError('The connection was reset.');
      const response = await fetch(url, init);
      if (next === 'after') throw new TypeError('The connection was reset.');
      return response;
    },
  };
}

const rejection = (
  status: number,
  type: string,
  code: string,
  headers: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify({ error: { type, code, message: 'Try again.' } }), { status, headers });

describe('a retry', () => {
  test.each([
    ['a connection that breaks before the request arrives', ['before'] as const],
    ['a connection that breaks after the change', ['after'] as const],
    ['repeated failures', ['after', rejection(503, 'internal_error', 'internal_error'), 'after'] as const],
    [
      'a rate limit and a request in progress',
      [
        rejection(429, 'rate_limit_error', 'rate_limited', { 'retry-after': '0' }),
        rejection(409, 'conflict_error', 'idempotency_in_progress'),
      ] as const,
    ],
  ])('makes one change under one idempotency key after %s', async (name, responses) => {
    const { fetch: send, keys } = failing(responses);
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const customer = await clientWith({ fetch: send }).customers.create({ email });
    expect(customer.email).toBe(email);
    expect(keys.length).toBe(responses.length + 1);
    expect(new Set(keys).size).toBe(1);
    const all = await Array.fromAsync(q.customers.list({ limit: 100 }));
    expect(all.filter((one) => one.email === email).length).toBe(1);
  });

  test('follows a GraphQL field that fails temporarily, although the status of the response is 200', async () => {
    const extensions = { type: 'rate_limit_error', code: 'rate_limited', status: 429, retryAfter: 0 };
    const body = { data: null, errors: [{ message: 'Try again.', extensions }] };
    const { fetch: send, keys } = failing([Response.json(body)]);
    const client = clientWith({ fetch: send });
    expect(await client.graphql('{ testClock { __typename } }')).toEqual({
      testClock: { __typename: 'TestClock' },
    });
    expect(keys.length).toBe(2);
  });

  test('ends after 3 retries', async () => {
    const { fetch: send, keys } = failing(['before', 'before', 'before', 'before', 'before']);
    expect(await failureOf(clientWith({ fetch: send }).customers.list())).toBeInstanceOf(ConnectionError);
    expect(keys.length).toBe(4);
  });

  test('does not follow a rejection', async () => {
    for (const [status, type, code] of [
      [409, 'conflict_error', 'duplicate'],
      [402, 'billing_error', 'card_declined'],
    ] as const) {
      const { fetch: send, keys } = failing([rejection(status, type, code)]);
      const failure = await failureOf(clientWith({ fetch: send }).customers.list());
      expect([failure.code, keys.length]).toEqual([code, 1]);
    }
    expect(
      new ConflictError({
        type: 'conflict_error',
        code: 'duplicate',
        message: '',
        status: 409,
        requestId: null,
      }),
    ).toBeInstanceOf(ConflictError);
    const long = failing([rejection(429, 'rate_limit_error', 'rate_limited', { 'Retry-After': '61' })]);
    expect(await failureOf(clientWith({ fetch: long.fetch }).customers.list())).toMatchObject({
      retryAfter: 61,
    });
    expect(long.keys.length).toBe(1);
    const limited = failing([rejection(429, 'rate_limit_error', 'rate_limited')]);
    const single = clientWith({ fetch: limited.fetch, maxRetries: 0 });
    expect(await failureOf(single.customers.list())).toBeInstanceOf(RateLimitError);
  });
});

describe('an abort', () => {
  const hanging: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  test('ends the request and its retries with the reason of the caller', async () => {
    const stop = new AbortController();
    const call = clientWith({ fetch: hanging }).customers.list({}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('The page was closed.')), 50);
    expect((await failureOf(call)).message).toBe('The page was closed.');
    const early = AbortSignal.abort(new Error('Too early.'));
    expect((await failureOf(q.customers.list({}, { signal: early }))).message).toBe('Too early.');
  });

  test('throws a TimeoutError if an attempt exceeds its time limit', async () => {
    const call = clientWith({ fetch: hanging, maxRetries: 0, timeoutMs: 50 }).customers.list();
    expect(await failureOf(call)).toBeInstanceOf(TimeoutError);
  });
});
