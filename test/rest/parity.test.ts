import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { routeName, routes, textOf, variablesFor } from '../support/queries.ts';
import { addressOf, type Request } from '../support/requests.ts';

// Rejections are equal over REST and GraphQL. every-route.test.ts compares the responses to accepted requests.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

describe('a rejection', () => {
  const rejected: readonly (readonly [string, Request])[] = [
    ['GET /customers/{id}', { path: { id: 'cus_none' } }],
    ['POST /customers', { body: { email: 'nowhere', id: '' } }],
    ['GET /customers', { query: { limit: '101', cursor: 'none' } }],
    ['DELETE /plans/{id}', { path: { id: 'pln_none' } }],
    ['POST /subscriptions', { body: { customerId: 'cus_none', planId: 'a', planCode: 'b' } }],
    ['POST /subscriptions/{id}/cancel', { path: { id: 'sub_none' } }],
    ['POST /test-clock/process-billing', {}],
  ];

  test.each(rejected)('has the same code and details over REST and GraphQL: %s', async (name, request) => {
    const route = routes.find((candidate) => routeName(candidate) === name);
    if (route === undefined) throw new Error(`There is no ${name}.`);
    const { status, body } = await shop.rest(route.method, addressOf(route.path, request), request.body);
    const { errors } = await t.graphqlFailure(textOf(route), variablesFor(route, request), {
      key: shop.key,
    });
    const [error] = errors;
    const { requestId, ...extensions } = error?.extensions ?? {};
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const { error: emitted } = body as { error: { message: string; details?: { field: string }[] } };
    const { message, ...details } = emitted;
    expect(withInputNames({ ...details, status })).toEqual(withInputNames(extensions));
    expect(message.length).toBeGreaterThan(5);
  });
});

describe('a value of the wrong type', () => {
  const mistakes = [
    { timezone: 'Mars/Olympus' },
    { email: 3 },
    { metadata: 3 },
    { nonsense: 1 },
    { email: null },
  ];

  test.each(mistakes)('fails with validation_error over REST and GraphQL: %o', async (mistake) => {
    const input = { email: 'ada@shop.test', ...mistake };
    const { status, body } = await shop.rest<{ error: { code: string } }>('POST', '/customers', input);
    const operation = 'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { id } }';
    const { errors } = await t.graphqlFailure(operation, { input }, { key: shop.key });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(errors.map(({ extensions }) => [extensions['status'], extensions['code']])).toEqual([
      [400, 'validation_error'],
    ]);
  });
});

/** Unifies input names. REST uses `limit` and `cursor` for `first` and `after`, and GraphQL prefixes fields with `input.`. */
function withInputNames(details: Readonly<Record<string, unknown>>): unknown {
  const text = JSON.stringify(details, (name, value: unknown) => {
    if ((name !== 'field' && name !== 'param') || typeof value !== 'string') return value;
    return value
      .replace(/^input\./, '')
      .replace(/^first$/, 'limit')
      .replace(/^after$/, 'cursor');
  });
  return JSON.parse(text);
}
