import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

// Repeated operations are compiled. Compilation must not change their responses.

let shop: TestApp;
beforeAll(async () => {
  shop = await startApp();
  await shop.rest('POST', '/customers', { email: 'ada@example.com', externalId: 'ada' });
});
afterAll(() => shop.close());

const raw = async (
  query: string,
  variables: Record<string, unknown>,
): Promise<{ status: number; body: string }> => {
  const response = await fetch(`${shop.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': shop.sandboxKey },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as {
    data?: unknown;
    errors?: { extensions: Record<string, unknown> }[];
  };
  const shown = errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId: 'any' } }));
  return { status: response.status, body: JSON.stringify({ data, errors: shown }) };
};

it.each([
  [
    'data',
    'query ($id: ID!) { customer(id: $id) { externalId email metadata address { line1 } invoices(first: 2) { edges { cursor } } } }',
    { id: 'ada' },
    200,
  ],
  [
    'a rejection with its location',
    'query ($id: ID!) {\n  customer(id: $id) { id }\n}',
    { id: 'nobody' },
    200,
  ],
  [
    'two fields, one of them rejected',
    '{ a: customer(id: "ada") { externalId } b: customer(id: "nobody") { id } }',
    {},
    200,
  ],
  [
    'a broken rule',
    'mutation ($email: String!) { customerCreate(input: { email: $email }) { id } }',
    { email: 'none' },
    200,
  ],
])(
  'a repeated operation returns the same response each time for %s',
  async (_title, query, variables, status) => {
    const first = await raw(query, variables);
    expect(first.status).toBe(status);
    expect(await raw(query, variables)).toEqual(first);
    expect(await raw(query, variables)).toEqual(first);
  },
);

it('a repeated operation with a mistyped variable is rejected with 400 each time', async () => {
  const ask = () =>
    raw('query ($first: Int) { customers(first: $first) { edges { cursor } } }', { first: 'many' });
  for (let time = 0; time < 3; time++) {
    const { status, body } = await ask();
    expect(status).toBe(400);
    expect(body).toContain('"code":"validation_error"');
  }
});
