import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const customers = async () => (await app.context()).db.customer.count({});

const create =
  'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { id email createdAt } }';

type Result = {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: Record<string, unknown> }[];
};

async function ask(
  key: string,
  query: string,
  variables: Record<string, unknown> = {},
  apiKey: string | null = app.sandboxKey,
): Promise<Result> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Result;
}

describe('a GraphQL mutation with an idempotency key', () => {
  test('runs once, and a repetition returns the same response', async () => {
    const before = await customers();
    const replies = await Promise.all(
      [1, 2, 3].map(() => ask('once', create, { input: { email: 'a@example.com' } })),
    );
    expect(replies[0]?.errors).toBeUndefined();
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await customers()).toBe(before + 1);
    expect(await ask('once', create, { input: { email: 'a@example.com' } })).toEqual(replies[0]);
  });

  test("is rejected if it's repeated with different variables", async () => {
    await ask('other', create, { input: { email: 'a@example.com' } });
    const before = await customers();
    const { errors } = await ask('other', create, { input: { email: 'b@example.com' } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'idempotency_key_mismatch', status: 409 });
    expect(await customers()).toBe(before);
  });

  test('returns a final rejection again', async () => {
    const update = 'mutation { customerUpdate(input: { id: "nobody-yet" }) { id } }';
    const first = await ask('rejection', update);
    expect(first.errors?.[0]?.extensions).toMatchObject({
      code: 'customer_not_found',
      status: 404,
      param: 'id',
    });
    await app.rest('POST', '/customers', { email: 'n@example.com', id: 'nobody-yet' });
    expect(await ask('rejection', update)).toEqual(first);
    expect((await ask('refusal-2', update)).errors).toBeUndefined();
  });

  test('is rejected if it has more than one field', async () => {
    const before = await customers();
    const two =
      'mutation { a: customerCreate(input: { email: "a@example.com" }) { id } b: customerCreate(input: { email: "b@example.com" }) { id } }';
    const { errors } = await ask('two', two);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'Idempotency-Key' });
    expect(await customers()).toBe(before);
  });

  test('requires authentication before the key is checked', async () => {
    const { errors } = await ask('nobody', create, { input: { email: 'a@example.com' } }, null);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'unauthorized' });
    expect((await ask('nobody', create, { input: { email: 'a@example.com' } })).errors).toBeUndefined();
  });
});

test('a GraphQL query ignores the idempotency key', async () => {
  const query = '{ customers(first: 1) { edges { node { id } } } }';
  expect((await ask('query', query)).errors).toBeUndefined();
  expect((await ask('query', '{ customers(first: 2) { edges { node { id } } } }')).errors).toBeUndefined();
});

test('the OpenAPI document and the API docs are served', async () => {
  const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
    openapi: string;
    servers: { url: string }[];
  };
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: `${app.url}/api/v1` }]);
  const docs = await fetch(`${app.url}/docs`);
  expect(docs.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const { body } = await app.rest<{ error: { doc_url: string } }>('GET', '/customers/nobody');
  const page = await fetch(body.error.doc_url);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/^# customer_not_found\n/);
  const missing = await fetch(`${app.url}/docs/nothing`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});
