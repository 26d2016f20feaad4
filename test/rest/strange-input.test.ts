import { getNullableType, isEnumType, isScalarType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleOf } from '../../src/graphql/rules.ts';
import type { Route } from '../../src/rest/routes.ts';
import { otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { routeName, routes } from '../support/queries.ts';
import { addressOf, type Request, requests } from '../support/requests.ts';
import { isSampled } from '../support/sample.ts';

// Unusual values come back exactly as they were sent, or are refused: nothing in between, and no fault of ours.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** A shop of its own for a group of tests, since what is unique is taken by the group before. */
const inOwnShop = () =>
  beforeAll(async () => {
    shop = await otherShop(t);
  });

const writes = routes.filter((route) => route.isIdempotent && route.wholeBody === null && isSampled(routeName(route)));

/** The members of a route's body of one scalar that no rule narrows to certain words. */
function membersOf({ inputs }: Route, scalar: string): string[] {
  return inputs.flatMap(({ name, place, definition }) => {
    const type = getNullableType(definition.type);
    const { pattern, format } = ruleOf(definition);
    if (place !== 'body' || isEnumType(type) || !isScalarType(type) || type.name !== scalar) return [];
    // What names another thing is answered by that thing's id.
    const isReference = name.endsWith('Id') && name !== 'externalId';
    return pattern === undefined && format === undefined && !isReference ? [name] : [];
  });
}

type Outcome = { readonly status: number; readonly body: Record<string, unknown> };

/** Sends an accepted request with some members replaced. Holds the answer to: no fault; on success, what it shows is what was sent. */
async function expectExactOrRefused(route: Route, request: Request, changes: Record<string, unknown>): Promise<Outcome> {
  const body = { ...request.body, ...changes };
  const { status, body: answer } = await shop.rest<Record<string, unknown>>(route.method, addressOf(route.path, request), body);
  expect({ changes, status }).toEqual({ changes, status: expect.toSatisfy((code: number) => code < 500) });
  if (status >= 400) return { status, body: answer };
  const echoed = Object.entries(changes).filter(([name]) => typeof answer[name] === typeof changes[name]);
  expect(Object.fromEntries(echoed.map(([name]) => [name, answer[name]]))).toEqual(Object.fromEntries(echoed));
  return { status, body: answer };
}

async function requestFor(route: Route): Promise<Request> {
  const request = await requests[routeName(route)]?.(shop);
  if (request === undefined) throw new Error('No request is known.');
  return request;
}

const texts = [
  '🧾💶 zażółć',
  'مرحبا ‏بالعالم',
  'x'.repeat(200),
  ' \t ',
  '\'; DROP TABLE "Customer"; --',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
];
const numbers = [0, -1, 0.5, 2 ** 53 - 1, 2 ** 53];

describe('texts of any script, length and intent', () => {
  inOwnShop();
  const taking = writes
    .map((route) => [routeName(route), route, membersOf(route, 'String')] as const)
    .filter(([, , names]) => names.length > 0);

  test.each(taking)('sent to %s come back as they were, or are refused', async (_name, route, names) => {
    const request = await requestFor(route);
    for (const text of texts) await expectExactOrRefused(route, request, Object.fromEntries(names.map((name) => [name, text])));
  });
});

describe('numbers at and beyond the edges', () => {
  inOwnShop();
  const taking = writes
    .map((route) => [routeName(route), route, membersOf(route, 'SafeInt')] as const)
    .filter(([, , names]) => names.length > 0);

  test.each(taking)('sent to %s come back as they were, or are refused', async (_name, route, names) => {
    const request = await requestFor(route);
    for (const number of numbers) {
      const { status } = await expectExactOrRefused(route, request, Object.fromEntries(names.map((name) => [name, number])));
      if (!Number.isSafeInteger(number)) expect([number, status]).toEqual([number, 400]);
    }
  });
});

describe('free data', () => {
  inOwnShop();
  const taking = writes.filter((route) => membersOf(route, 'Json').includes('metadata')).map((route) => [routeName(route), route] as const);
  const nested = Object.fromEntries(
    Array.from({ length: 50 }, (_none, index) => [`key ${index} 🗝`, { list: [index, null, 'ש'], deep: { deeper: { '': index / 3 } } }]),
  );

  test.each(taking)('of 50 nested keys sent to %s comes back as it was', async (_name, route) => {
    const { status, body } = await expectExactOrRefused(route, await requestFor(route), { metadata: nested });
    expect([status < 300, body['metadata']]).toEqual([true, nested]);
  });
});

test('ids of 200 characters and of any script name nothing, and break nothing', async () => {
  shop = await otherShop(t);
  for (const id of ['x'.repeat(200), '🧾', 'عميل', '0', '-1', '../plans', '%']) {
    const { status } = await shop.rest('GET', `/customers/${encodeURIComponent(id)}`);
    expect([id, status]).toEqual([id, 404]);
  }
});
