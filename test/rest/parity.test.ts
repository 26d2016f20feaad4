import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../src/rest/routes.ts';
import { withStoredKinds } from '../support/event-kinds.ts';
import { otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { isLiveOnly, liveShop } from '../support/payouts.ts';
import { routeName, routes, textOf, variablesFor } from '../support/queries.ts';
import { addressOf, type Request, requests } from '../support/requests.ts';
import { isAsked } from '../support/sample.ts';

// Each route returns the same data as its GraphQL field. Reads run on the same objects. Writes run in two equal
// organizations at the same instant, one over REST and one over GraphQL. Values that always differ (IDs,
// tokens, secrets) are masked.

const now = new Date('2026-01-31T10:00:00.000Z');

let t: TestApp;
let viaRest: Shop;
let viaGraphql: Shop;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
  viaRest = await otherShop(t, 'Over REST');
  viaGraphql = await otherShop(t, 'Over GraphQL');
});
afterAll(() => t.close());

const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/(ck_sandbox|ck_live|whsec)_[\w+/=-]+/g, '<key>')
      .replaceAll(/\/claim\/[\w-]+/g, '/claim/<token>')
      .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
      .replaceAll(/\/checkout\/[\w.-]+/g, '/checkout/<token>')
      .replaceAll(/\b([a-z]{2,5})_[0-9A-Za-z]{20,}\b/g, '<$1>'),
  );

/** Converts a GraphQL value to REST's form: GraphQL must return null for fields that REST omits. */
function withoutAbsent(graphql: unknown, rest: unknown): unknown {
  if (Array.isArray(graphql) && Array.isArray(rest))
    return graphql.map((item, index) => withoutAbsent(item, rest[index]));
  if (typeof graphql !== 'object' || graphql === null || typeof rest !== 'object' || rest === null)
    return graphql;
  const entries = Object.entries(graphql).filter(([name, value]) => value !== null || name in rest);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, withoutAbsent(value, (rest as Record<string, unknown>)[name])]),
  );
}

type Page = { edges: { node: unknown }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };

/** Wraps a field's value in the envelope of REST. */
function enveloped({ shape }: Route, value: unknown): unknown {
  if (shape === 'object') return value;
  if (shape === 'list') return { object: 'list', data: value, hasMore: false };
  const { edges, pageInfo } = value as Page;
  const next = pageInfo.hasNextPage ? { nextCursor: pageInfo.endCursor } : {};
  return { object: 'list', data: edges.map(({ node }) => node), hasMore: pageInfo.hasNextPage, ...next };
}

async function requestFor(route: Route, shop: Shop): Promise<Request> {
  const request = await requests[routeName(route)]?.(shop);
  if (request === undefined) throw new Error('No request is known.');
  return request;
}

const overRest = (route: Route, shop: Shop, request: Request) =>
  shop.rest<unknown>(route.method, addressOf(route.path, request), request.body);

async function overGraphql(route: Route, shop: Shop, request: Request): Promise<unknown> {
  const data = await t.graphql(textOf(route), variablesFor(route, request), {
    key: shop.key,
    headers: route.isIdempotent ? { 'idempotency-key': randomUUID() } : {},
  });
  return enveloped(route, withStoredKinds(data[route.field.name]));
}

/**
 * Reads over both interfaces. The worker can write in between, so this repeats until REST returns the same
 * before and after.
 */
async function readOverBoth(route: Route, request: Request) {
  for (;;) {
    const rest = await overRest(route, viaRest, request);
    const graphql = await overGraphql(route, viaRest, request);
    const after = await overRest(route, viaRest, request);
    if (isDeepStrictEqual(rest, after)) return { rest, graphql };
  }
}

const named = (list: readonly Route[]) => list.map((route) => [routeName(route), route] as const);
const asked = routes.filter((route) => isAsked(routeName(route)));
const reads = named(asked.filter(({ kind }) => kind === 'query'));
const writes = named(asked.filter(({ kind, rest }) => kind === 'mutation' && rest.status !== 410));

test.each(reads)('%s returns the same data as its GraphQL field', async (_name, route) => {
  const request = await requestFor(route, viaRest);
  // Creates the same objects in the second organization, so that both have the same counters.
  await requestFor(route, viaGraphql);
  const { rest, graphql } = await readOverBoth(route, request);
  expect(rest.status).toBe(200);
  expect(rest.body).toEqual(withoutAbsent(graphql, rest.body));
});

test.each(writes)('%s has the same effect and response as its GraphQL field', async (_name, route) => {
  const [one, other] = isLiveOnly(routeName(route))
    ? [await liveShop(t), await liveShop(t)]
    : [viaRest, viaGraphql];
  const { status, body } = await overRest(route, one, await requestFor(route, one));
  expect(status).toBeLessThan(300);
  const value = await overGraphql(route, other, await requestFor(route, other));
  expect(masked(body)).toEqual(masked(withoutAbsent(value, body)));
});

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
    const { status, body } = await overRest(route, viaRest, request);
    const { errors } = await t.graphqlFailure(textOf(route), variablesFor(route, request), {
      key: viaRest.key,
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
    const { status, body } = await viaRest.rest<{ error: { code: string } }>('POST', '/customers', input);
    const operation = 'mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { id } }';
    const { errors } = await t.graphqlFailure(operation, { input }, { key: viaRest.key });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(errors.map(({ extensions }) => [extensions['status'], extensions['code']])).toEqual([
      [400, 'validation_error'],
    ]);
  });
});

/**
 * Unifies input names: REST uses `limit` and `cursor` for `first` and `after`, and GraphQL prefixes members
 * with `input.`.
 */
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
