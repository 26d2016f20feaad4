import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startApp({ own: true });
});
afterAll(() => shop.close());

const rejection = async (query: string): Promise<{ code: unknown; message: string; data: unknown }> => {
  const { errors, data, status } = await shop.graphqlFailure(query);
  expect(status).toBe(400);
  return { code: errors[0]?.extensions['code'], message: errors[0]?.message ?? '', data: data ?? null };
};

describe('the operation limits', () => {
  it('rejects an operation above the cost limit before execution', async () => {
    const inner =
      '{ edges { node { invoices(first: 100) { edges { node { lineItems { amount description } } } } } } }';
    const answer = await rejection(`{ customers(first: 100) ${inner} }`);
    expect(answer).toMatchObject({ code: 'validation_error', data: null });
    expect(answer.message).toMatch(/costs \d+\. Up to 50000/);
  });

  it('rejects an operation above the depth limit', async () => {
    const nest = (levels: number): string =>
      levels === 0 ? 'id' : `subscription { customer { ${nest(levels - 1)} } }`;
    expect((await rejection(`{ customer(id: "x") { ${nest(12)} } }`)).message).toMatch(
      /more than 20 levels deep/,
    );
  });

  it('rejects an operation with too many aliases', async () => {
    const fields = Array.from({ length: 51 }, (_, index) => `a${index}: customer(id: "x") { id }`).join(' ');
    expect(await rejection(`{ ${fields} }`)).toMatchObject({ code: 'validation_error', data: null });
  });

  it('rejects an operation that is too long', async () => {
    expect(await rejection(`{ ${'__typename '.repeat(4_001)} }`)).toMatchObject({ code: 'validation_error' });
  });

  it('rejects batches of more than 10 operations', async () => {
    const call = (size: number) =>
      fetch(`${shop.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': shop.sandboxKey },
        body: JSON.stringify(Array.from({ length: size }, () => ({ query: '{ __typename }' }))),
      });
    expect((await call(11)).status).toBe(400);
    const ten = await call(10);
    expect(ten.status).toBe(200);
    expect(await ten.json()).toHaveLength(10);
  });

  it("allows a dashboard page's query", async () => {
    const page = `{ customers(first: 25) { edges { node { email subscription { status plan { name } }
      invoices(first: 5) { edges { node { total lineItems { amount } } } } } } } }`;
    expect(await shop.graphql(page)).toEqual({ customers: { edges: [] } });
  });

  it('allows a full introspection query', async () => {
    const { __schema } = await shop.graphql<{ __schema: { subscriptionType: { name: string } } }>(
      '{ __schema { subscriptionType { name } types { name fields { name args { name type { name ofType { name ofType { name ofType { name } } } } } } } } }',
    );
    expect(__schema.subscriptionType.name).toBe('Live');
  });
});

describe('the GraphQL endpoint', () => {
  it('returns 401 without a key, and rejects an invalid key before execution', async () => {
    const without = await shop.graphqlFailure('{ customers { edges { cursor } } }', {}, { key: null });
    expect(without.status).toBe(401);
    expect(without.errors[0]?.extensions).toMatchObject({
      code: 'unauthorized',
      type: 'authentication_error',
      status: 401,
    });
    const wrong = await shop.graphqlFailure('{ __typename }', {}, { key: 'ck_sandbox_nobody' });
    expect(wrong.status).toBe(401);
    expect(wrong.errors[0]?.extensions).toMatchObject({ code: 'unauthorized' });
  });

  it('returns the request ID in the header and in every error', async () => {
    const response = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': shop.sandboxKey },
      body: JSON.stringify({ query: '{ customer(id: "nobody") { id } }' }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: Record<string, unknown> }[] };
    expect(response.status).toBe(200);
    expect(errors[0]?.extensions).toEqual({
      type: 'not_found_error',
      code: 'customer_not_found',
      param: 'id',
      doc_url: `${shop.url}/docs/api-reference/2026-08-27/errors/customer_not_found.md`,
      status: 404,
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('serves GraphiQL without loading files from another server', async () => {
    const page = await (await fetch(`${shop.url}/graphql`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('Quittance');
    expect(page).not.toMatch(/<script[^>]+src="?https?:/);
  });

  it('streams live fields as server-sent events', async () => {
    const response = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-key': shop.sandboxKey,
      },
      body: JSON.stringify({
        query: 'subscription { eventStream(types: [customer_created]) { event data } }',
      }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) throw new Error('The answer has no body.');
    let text = (await reader.read()).value ?? '';
    await shop.rest('POST', '/customers', { email: 'sse@example.com', externalId: 'sse' });
    while (!text.includes('customer_created')) text += (await reader.read()).value ?? '';
    expect(text).toContain('"externalId":"sse"');
    await reader.cancel();
  });
});

describe('the server', () => {
  it('reports liveness, readiness, and metrics', async () => {
    expect(await (await fetch(`${shop.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${shop.url}/readyz`)).json()).toEqual({ status: 'ready' });
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    expect(metrics).toMatch(
      /quittance_http_request_duration_seconds_count\{surface="rest",status="201"\} 1\n/,
    );
  });

  it('returns the error envelope for unknown paths', async () => {
    const response = await fetch(`${shop.url}/nowhere`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: {
        type: 'not_found_error',
        code: 'not_found',
        message: 'No resource exists at /nowhere. Check the URL.',
        doc_url: `${shop.url}/docs/api-reference/2026-08-27/errors/not_found.md`,
      },
    });
  });
});

describe('a malformed request', () => {
  type Emitted = { readonly status: number; readonly code: unknown; readonly message: string };

  async function emitted(path: string, init: RequestInit = {}): Promise<Emitted> {
    const headers = { accept: 'application/json', ...init.headers };
    const response = await fetch(`${shop.url}/graphql${path}`, { ...init, headers });
    const { errors } = (await response.json()) as {
      errors: { message: string; extensions: { code: string; status: number } }[];
    };
    expect(errors[0]?.extensions.status).toBe(response.status);
    return { status: response.status, code: errors[0]?.extensions.code, message: errors[0]?.message ?? '' };
  }

  const json = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-api-key': shop.sandboxKey },
  });
  const form = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const create = 'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { metadata } }';
  const withMetadata = (metadata: string): string =>
    `{"query":${JSON.stringify(create)},"variables":{"input":{"email":"deep@example.com","metadata":${metadata}}}}`;

  it.each([
    ['variables in the URL', '?query=%7B__typename%7D&variables=%7B', {}],
    ['extensions in the URL', '?query=%7B__typename%7D&extensions=%5B', {}],
    ['variables in a form', '', form('query=%7B__typename%7D&variables=%7B')],
  ])('is rejected with 400 for %s that are not JSON', async (_title, path, init) => {
    const errors: unknown[] = [];
    const { log } = shop.app;
    const { error } = log;
    Object.assign(log, { error: (...said: unknown[]) => errors.push(said) });
    const answer = await emitted(path, init).finally(() => Object.assign(log, { error }));
    expect(answer).toEqual({
      status: 400,
      code: 'validation_error',
      message: 'variables and extensions must be JSON.',
    });
    expect(errors).toEqual([]);
  });

  it.each([
    [
      'variables with 3,000 levels',
      () => withMetadata(nested(3_000)),
      /variables can.t be nested more than 64 levels deep/,
    ],
    [
      'variables with 200,000 levels',
      () => withMetadata('['.repeat(200_000) + ']'.repeat(200_000)),
      /variables can.t be nested more than 64 levels deep/,
    ],
    ['a body of 100,000 lists', () => '['.repeat(100_000) + ']'.repeat(100_000), /must be an object/],
    ['a body of 100,000 objects', () => nested(100_000), /./],
    [
      'an operation name of 100,000 lists',
      () => `{"query":"{ __typename }","operationName":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /operationName must be a string/,
    ],
    ['a query of 100,000 lists', () => `{"query":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /./],
    [
      'extensions with 3,000 levels',
      () => `{"query":"{ __typename }","extensions":${nested(3_000)}}`,
      /extensions can.t be nested more than 64 levels deep/,
    ],
    ['null', () => 'null', /./],
    ['invalid JSON', () => '{', /./],
  ])('is rejected with 400 for %s', async (_title, body, message) => {
    const answer = await emitted('', json(body()));
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toMatch(message);
  });

  it('is rejected at the same nesting depth as over REST, both as a variable and as a literal', async () => {
    const rest = (levels: number) =>
      shop.rest('POST', '/customers', {
        email: `r${levels}@example.com`,
        metadata: JSON.parse(nested(levels)),
      });
    const variable = async (levels: number) =>
      (await fetch(`${shop.url}/graphql`, json(withMetadata(nested(levels)).replace('deep@', `v${levels}@`))))
        .status;
    expect([(await rest(63)).status, (await rest(64)).status]).toEqual([201, 400]);
    expect([await variable(63), await variable(64)]).toEqual([200, 400]);
    const literal = (levels: number) =>
      `mutation { customerCreate(input: { email: "l${levels}@example.com", metadata: ${'{ a: '.repeat(levels)}1${'}'.repeat(levels)} }) { id } }`;
    expect(await shop.graphql(literal(63))).toMatchObject({ customerCreate: { id: expect.any(String) } });
    expect(await rejection(literal(65))).toMatchObject({ code: 'validation_error', data: null });
  });

  it('is rejected with 413 if the body is too long, with and without a declared length', async () => {
    const small = await startApp({ env: { BODY_LIMIT_BYTES: '2048' } });
    const body = JSON.stringify({ query: '{ __typename }', variables: { text: 'x'.repeat(3_000) } });
    const stream = () => new Blob([body]).stream();
    const ask = (init: object) =>
      fetch(`${small.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...init,
      });
    for (const response of [await ask({ body }), await ask({ body: stream(), duplex: 'half' })]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'validation_error', status: 413 } }],
      });
    }
    await small.close();
  });

  it('is rejected with 405 for methods other than GET and POST, and for a mutation sent with GET', async () => {
    const put = await fetch(`${shop.url}/graphql`, {
      method: 'PUT',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST']);
    const mutation = `?query=${encodeURIComponent('mutation { planDelete(input: { id: "x" }) { deletedId } }')}`;
    expect(await emitted(mutation)).toMatchObject({ status: 405, code: 'validation_error' });
  });
});
