import { getNullableType, isEnumType, isScalarType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleOf } from '../../src/graphql/declare/rules.ts';
import type { Route } from '../../src/rest/routes.ts';
import { otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { routeName, routes } from '../support/queries.ts';
import { addressOf, type Request, requests } from '../support/requests.ts';

// Tests that unusual values are either returned unchanged or rejected, and never cause a server error.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Creates a new organization for a group of tests, because earlier groups have used up the unique values. */
const inOwnShop = () =>
  beforeAll(async () => {
    shop = await otherShop(t);
  });

const writes = routes.filter((route) => route.isIdempotent && route.wholeBody === null);

/** A route's body fields that have one of these scalar types and no pattern or format. */
function membersOf({ inputs }: Route, ...scalars: readonly string[]): string[] {
  return inputs.flatMap(({ name, place, definition }) => {
    const type = getNullableType(definition.type);
    const { pattern, format } = ruleOf(definition);
    if (place !== 'body' || isEnumType(type) || !isScalarType(type) || !scalars.includes(type.name))
      return [];
    // Excludes references, because responses contain the referenced object's ID.
    const isReference = name.endsWith('Id') && name !== 'externalId';
    return pattern === undefined && format === undefined && !isReference ? [name] : [];
  });
}

type Outcome = { readonly status: number; readonly body: Record<string, unknown> };

/**
 * Replaces fields in an accepted request. Expects no server error. If the request is accepted, expects unchanged values in the response.
 */
async function expectExactOrRejected(
  route: Route,
  request: Request,
  changes: Record<string, unknown>,
): Promise<Outcome> {
  const body = { ...request.body, ...changes };
  const { status, body: answer } = await shop.rest<Record<string, unknown>>(
    route.method,
    addressOf(route.path, request),
    body,
  );
  expect({ changes, status }).toEqual({ changes, status: expect.toSatisfy((code: number) => code < 500) });
  if (status >= 400) return { status, body: answer };
  const echoed = Object.entries(changes).filter(([name]) => typeof answer[name] === typeof changes[name]);
  expect(Object.fromEntries(echoed.map(([name]) => [name, answer[name]]))).toEqual(
    Object.fromEntries(echoed),
  );
  return { status, body: answer };
}

async function requestFor(route: Route): Promise<Request> {
  const request = await requests[routeName(route)]?.(shop);
  if (request === undefined) throw new Error('No request is known.');
  return request;
}

/** Routes that return the response of the first request if the same object is changed again. */
const repeating = new Set(['POST /usage/events/{id}/void']);

const texts = [
  '🧾💶 zażółć',
  'مرحبا ‏بالعالم',
  'x'.repeat(200),
  ' \t ',
  '\'; DROP TABLE "Customer"; --',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
];
const numbers = [0, -1, 0.5, 2 ** 53 - 1, 2 ** 53];

describe('a string in any script, of any length, and with any content', () => {
  inOwnShop();
  const taking = writes
    .map((route) => [routeName(route), route, membersOf(route, 'String')] as const)
    .filter(([, , names]) => names.length > 0);

  test.each(taking)('is returned unchanged by %s, or rejected', async (routed, route, names) => {
    let request = await requestFor(route);
    for (const [index, text] of texts.entries()) {
      if (index > 0 && repeating.has(routed)) request = await requestFor(route);
      await expectExactOrRejected(route, request, Object.fromEntries(names.map((name) => [name, text])));
    }
  });
});

describe('a number at or beyond its limits', () => {
  inOwnShop();
  const taking = writes
    .map((route) => [routeName(route), route, membersOf(route, 'SafeInt', 'Int')] as const)
    .filter(([, , names]) => names.length > 0);

  test.each(taking)('is returned unchanged by %s, or rejected', async (_name, route, names) => {
    const request = await requestFor(route);
    for (const number of numbers) {
      const { status } = await expectExactOrRejected(
        route,
        request,
        Object.fromEntries(names.map((name) => [name, number])),
      );
      if (!Number.isSafeInteger(number)) expect([number, status]).toEqual([number, 400]);
    }
  });
});

type Rejected = {
  readonly error: { readonly code: string; readonly param: string; readonly message: string };
};

describe('a date at or beyond its limits', () => {
  inOwnShop();
  const beyond = ['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'];
  const within = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];
  const dated = routes.flatMap((route) =>
    route.inputs
      .filter(({ definition }) => String(definition.type).startsWith('DateTime'))
      .map(({ name, place }) => [routeName(route), name, route, place] as const),
  );

  test('is tested for lists and for 20 other operations', () => {
    const lists = dated.filter(([, , route]) => route.shape === 'page');
    expect(lists.length).toBeGreaterThan(4);
    expect(new Set(dated.filter((each) => !lists.includes(each)).map(([name]) => name)).size).toBe(20);
  });

  const made = new Map<Route, Promise<Request>>();

  test.each(dated)(
    'is rejected by %s in %s outside the years 1 to 9999, without a server error',
    async (_name, name, route, place) => {
      const request = await made.getOrInsertComputed(route, requestFor);
      for (const text of [...beyond, ...within]) {
        const query = place === 'query' ? { ...request.query, [name]: text } : request.query;
        const body = place === 'body' ? { ...request.body, [name]: text } : request.body;
        const address = addressOf(route.path, { ...request, ...(query === undefined ? {} : { query }) });
        const { status, body: answer } = await shop.rest<Rejected>(route.method, address, body);
        if (within.includes(text))
          expect([text, status]).toEqual([text, expect.toSatisfy((code: number) => code < 500)]);
        else
          expect([status, answer.error]).toEqual([
            400,
            expect.objectContaining({
              code: 'validation_error',
              param: name,
              message: `${name}: must be between the years 1 and 9999 (UTC).`,
            }),
          ]);
      }
    },
  );

  test.each(beyond)('is rejected in an event of a batch: %s', async (timestamp) => {
    const events = [{ customerId: 'none', featureCode: 'none', timestamp }];
    const { status, body } = await shop.rest<Rejected>('POST', '/usage/events/batch', { events });
    expect([status, body.error.code, body.error.param]).toEqual([
      400,
      'validation_error',
      'events.0.timestamp',
    ]);
  });

  test.each([
    [
      'offerCreate',
      'mutation { offerCreate(input: { name: "x", phases: [], startsAt: "0000-06-01T00:00:00Z" }) { id } }',
    ],
    [
      'usageSeries',
      '{ usageSeries(featureId: "f", from: "0001-01-01T00:00:00+14:00", to: "2026-01-01T00:00:00Z") { from } }',
    ],
  ])('is rejected as a literal in a query for %s', async (_name, text) => {
    const { status, errors } = await t.graphqlFailure(text);
    expect([status, errors[0]?.extensions['code']]).toEqual([400, 'validation_error']);
  });
});

describe('a name with several lines', () => {
  inOwnShop();
  test.each([
    ['POST', '/customers', 'fullName', { email: 'a@example.com', fullName: 'Ada\r\nBcc: all@example.com' }],
    ['POST', '/plans', 'name', { code: 'lines', name: 'Pro\nPlus' }],
    ['POST', '/provision', 'name', { name: 'Shop\r\nX-Injected: 1', country: 'US', businessType: 'company' }],
    ['POST', '/features', 'name', { code: 'lines', name: 'Seats\u0085', type: 'seats' }],
  ])('is rejected by %s %s', async (method, path, param, body) => {
    const { status, body: answer } = await shop.rest<Rejected>(method, path, body);
    const message = `${param}: must be one line without control characters.`;
    expect([status, answer.error]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_error', param, message }),
    ]);
  });

  test('is rejected in a batch item, but a description can have several lines', async () => {
    const customers = [{ email: 'b@example.com', fullName: 'Ada\nLovelace' }];
    const { body } = await shop.rest('POST', '/customers/batch', { customers });
    expect(body).toMatchObject({
      successful: [],
      failed: [{ index: 0, error: 'fullName: must be one line without control characters.' }],
    });
    const description = 'First line\n\tsecond line';
    const made = await shop.rest('POST', '/plans', { code: 'described', name: 'Described', description });
    expect([made.status, made.body['description']]).toEqual([201, description]);
  });
});

describe('a URL', () => {
  inOwnShop();
  test.each(['http:/\\evil', ' https://a.b', 'https://user:pass@a.b', 'https://a.b/\n'])(
    'is rejected as a success URL if malformed: %j',
    async (successUrl) => {
      const { status, body } = await shop.rest<Rejected>('POST', '/payments', {
        amount: 1_000,
        currency: 'usd',
        description: 'Setup',
        successUrl,
      });
      expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_error', 'successUrl']);
    },
  );

  test("can contain a password if it's a webhook URL", async () => {
    const url = 'https://user:pass@hooks.example/quittance';
    const { status, body } = await shop.rest('POST', '/webhooks', { url, events: ['customer.created'] });
    expect([status, body['url']]).toEqual([201, url]);
  });
});

describe('free-form metadata', () => {
  inOwnShop();
  const taking = writes
    .filter((route) => membersOf(route, 'Json').includes('metadata'))
    .map((route) => [routeName(route), route] as const);
  const nested = Object.fromEntries(
    Array.from({ length: 50 }, (_none, index) => [
      `key ${index} 🗝`,
      { list: [index, null, 'ש'], deep: { deeper: { '': index / 3 } } },
    ]),
  );

  test.each(taking)('is returned unchanged with 50 nested keys by %s', async (_name, route) => {
    const { status, body } = await expectExactOrRejected(route, await requestFor(route), {
      metadata: nested,
    });
    expect([status < 300, body['metadata']]).toEqual([true, nested]);
  });
});

test('a request with an ID of 200 characters or in any script returns not found', async () => {
  shop = await otherShop(t);
  for (const id of ['x'.repeat(200), '🧾', 'عميل', '0', '-1', '../plans', '%']) {
    const { status } = await shop.rest('GET', `/customers/${encodeURIComponent(id)}`);
    expect([id, status]).toEqual([id, 404]);
  }
});

test.each(['toString', 'constructor', 'hasOwnProperty', '__proto__'])(
  'a phase type is rejected if it equals the built-in object property %s',
  async (type) => {
    shop = await otherShop(t);
    const phases = [JSON.parse(`{"type":${JSON.stringify(type)},"durationDays":5}`)];
    const { status, body } = await shop.rest<Rejected>('POST', '/offers', { name: 'Strange', phases });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'validation_error', 'phases.0.type']);
    expect((await shop.rest<{ data: unknown[] }>('GET', '/offers')).body.data).toEqual([]);
  },
);
