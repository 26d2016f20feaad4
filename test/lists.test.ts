import { type GraphQLObjectType, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Handler } from '../src/http/handler.ts';
import type { Query, RowOf } from '../src/platform/db/pool.ts';
import type { App } from '../src/request/context.ts';
import type { Route } from '../src/rest/routes.ts';
import { schema } from '../src/schema.ts';
import { openSurface } from '../src/server.ts';
import { clockSettled, firstShop, type Shop } from './support/factories.ts';
import { askHandler, openRestHandler } from './support/handler.ts';
import { startApp, type TestApp } from './support/harness.ts';
import { multiplyRows } from './support/multiply.ts';
import { routeName, routes } from './support/queries.ts';
import { addressOf, type Request, requests } from './support/requests.ts';

// Reads lists with 400 rows. A large page must use as many statements as a small page, and must read only a few more rows than it shows.

const children = 400;
const [small, large] = [2, 50];

/** Number of statements that a call executes, and number of rows that they read. */
type Reading = { statements: number; rows: number };

let t: TestApp;
let shop: Shop;
let counted: { app: App; reading: Reading };
const made = new Map<string, Request>();
const pages = routes.filter(({ shape }) => shape === 'page');
const lots = 'GET /customers/{id}/lots';
const commitments = 'GET /subscriptions/{id}/commitments';

/** Lists whose rows are also created for other lists. Their own rows are created last, because only the newest row is copied. */
const sharedRows = [lots, commitments];
const isShared = (route: Route): boolean => sharedRows.includes(routeName(route));

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  for (const route of pages.toSorted((a, b) => Number(isShared(a)) - Number(isShared(b)))) {
    const request = await requests[routeName(route)]?.(shop);
    if (request === undefined) throw new Error(`No request for ${routeName(route)} is known.`);
    made.set(routeName(route), request);
  }
  // Both lists contain the newest lot if the customer is the same.
  const subscription = await shop.rest<{ customerId: string }>(
    'GET',
    `/subscriptions/${made.get(commitments)?.path?.['id']}`,
  );
  made.set(lots, { path: { id: subscription.body.customerId } });
  await clockSettled(shop);
  await multiplyRows(t.app.database.query, shop.environmentId, children);
  counted = counting(t.app);
}, 120_000);
afterAll(() => t.close());

/** Returns an application that counts reads through the driver and Prisma. */
function counting(app: App): { app: App; reading: Reading } {
  const reading: Reading = { statements: 0, rows: 0 };
  const count = <T>(result: T): T => {
    reading.statements++;
    if (Array.isArray(result)) reading.rows += result.length;
    return result;
  };
  const query: Query = async <Row>(text: string, params?: readonly unknown[], rowOf?: RowOf) => {
    const rows = await app.database.query<Row>(text, params, rowOf);
    // Doesn't count the update that records the use of an API key.
    return text.startsWith('UPDATE') ? rows : count(rows);
  };
  const prisma = app.database.prisma.$extends({
    query: { $allOperations: async ({ args, query: run }) => count(await run(args)) },
  }) as unknown as App['database']['prisma'];
  return { app: { ...app, database: { ...app.database, query, prisma } }, reading };
}

/** Runs a request twice. Returns the second response with its numbers of statements and rows. */
async function measured<T>(call: () => Promise<T>): Promise<{ answer: T; reading: Reading }> {
  // The first call isn't measured, because it compiles the operation and records the use of the API key.
  await call();
  counted.reading.statements = 0;
  counted.reading.rows = 0;
  const answer = await call();
  return { answer, reading: { ...counted.reading } };
}

/** Lists for which one organization can't have enough rows, with the reason for each. */
const few: Readonly<Record<string, string>> = {
  'GET /active-addons': 'A subscription has an add-on once.',
  'GET /addons': 'A feature is sold by one add-on.',
  'GET /usage/quota/all': 'A customer has one allowance of a feature.',
  'GET /feature-access': 'A plan has the features it has.',
  'GET /metrics/mrr/changes': 'A customer has one change a day and currency.',
  'GET /subscriptions': 'A customer has one subscription that is not over.',
};

/** Returns a request for a route without optional filters. */
function unfiltered(route: Route): Request {
  const { path = {}, query = {} } = made.get(routeName(route)) ?? {};
  const needed = route.inputs
    .filter(({ place, definition }) => place === 'query' && isNonNullType(definition.type))
    .map(({ name }) => name);
  return { path, query: Object.fromEntries(Object.entries(query).filter(([name]) => needed.includes(name))) };
}

describe('a list over REST', () => {
  let handler: Handler;
  beforeAll(() => {
    handler = openRestHandler(counted.app, schema);
  });

  async function list(route: Route, limit: number): Promise<{ data: unknown[]; hasMore: boolean }> {
    const request = unfiltered(route);
    const address = addressOf(route.path, { ...request, query: { ...request.query, limit: String(limit) } });
    const sent = new Request(`https://billing.example/api/v1${address}`, {
      headers: { 'x-api-key': shop.key },
    });
    const response = await askHandler(handler, sent);
    expect(response.status).toBe(200);
    return (await response.json()) as { data: unknown[]; hasMore: boolean };
  }

  test.each(pages.map((route) => [routeName(route), route] as const))(
    "reads only the requested page's rows: %s",
    async (name, route) => {
      const little = await measured(() => list(route, small));
      const much = await measured(() => list(route, large));
      expect(much.answer.data.length === large && much.answer.hasMore).toBe(!(name in few));
      expect(much.reading.statements).toBe(little.reading.statements);
      // In addition to the page's rows, the request reads one extra row to determine whether a next page exists, and a few related rows.
      expect(much.reading.rows).toBeLessThan(children / 2);
    },
  );
});

type Level = { readonly name: string; readonly node: GraphQLObjectType };

/** Returns a type's connection fields that have no required arguments. */
function connectionsOf(type: GraphQLObjectType): Level[] {
  return Object.values(type.getFields()).flatMap(({ name, args, type: provided }) => {
    const connection = getNamedType(provided);
    const needsMore = args.some(
      (argument) => isNonNullType(argument.type) && argument.defaultValue === undefined,
    );
    if (!isObjectType(connection) || !connection.name.endsWith('Connection') || needsMore) return [];
    const edge = getNamedType(connection.getFields()['edges']?.type ?? connection);
    const node = isObjectType(edge) ? getNamedType(edge.getFields()['node']?.type ?? edge) : edge;
    return isObjectType(node) ? [{ name, node }] : [];
  });
}

/** Paths from a root list through nested lists. Each path contains a list at most once. */
function pathsFrom(type: GraphQLObjectType, above: readonly string[] = []): string[][] {
  return connectionsOf(type)
    .filter(({ name }) => !above.includes(name) && above.length < 3)
    .flatMap(({ name, node }) => [[...above, name], ...pathsFrom(node, [...above, name])]);
}

const query = schema.getQueryType();
const ways = query === null || query === undefined ? [] : pathsFrom(query).filter(({ length }) => length > 1);

describe('a nested list over GraphQL', () => {
  let surface: ReturnType<typeof openSurface>;
  beforeAll(() => {
    surface = openSurface(counted.app);
  });

  /** Requests a page of the root list with three rows from each nested list. */
  async function ask([root = '', ...nested]: readonly string[], first: number): Promise<string> {
    const below = nested.reduceRight(
      (inner, name) => `${name}(first: 3) { edges { cursor node { __typename ${inner} } } }`,
      '',
    );
    const text = `{ ${root}(first: ${first}) { edges { node { __typename ${below} } } } }`;
    const request = new Request('https://billing.example/graphql', {
      method: 'POST',
      headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
    });
    const answer = await (await askHandler(surface, request)).text();
    expect(answer).not.toContain('"errors"');
    return answer;
  }

  test('exists below customers, plans, plan groups, subscriptions, or invoices', () => {
    expect(ways.length).toBeGreaterThan(2);
  });

  test.each(ways.map((way) => [way.join(' → '), way] as const))(
    'uses one statement per level, and reads only a few more rows than it shows: %s',
    async (_name, way) => {
      const little = await measured(() => ask(way, small));
      const much = await measured(() => ask(way, large));
      expect(much.reading.statements).toBe(little.reading.statements);
      expect(much.reading.rows).toBeLessThan(children / 2);
    },
  );
});
