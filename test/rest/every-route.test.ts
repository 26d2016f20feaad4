import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopesOf } from '../../src/graphql/declare/access.ts';
import { type OpenApiDocument, openApiOf } from '../../src/rest/openapi.ts';
import { errorSchema } from '../../src/rest/openapi-responses.ts';
import { requestExamples } from '../../src/rest/request-examples.ts';
import type { Route } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema.ts';
import { asIn, isOnlyIn, keysIn, leastRole } from '../support/access-callers.ts';
import { backgroundSettled } from '../support/background.ts';
import { answerShape, isList, nameOf, operations, problemsOf, successStatuses } from '../support/contract.ts';
import { sendDocumented } from '../support/documented-command.ts';
import { everyFew } from '../support/every-few.ts';
import { type Shop, shopOf } from '../support/factories.ts';
import { type RootField, rootFields } from '../support/fields.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { sharedPrefixes, storedPrefixes } from '../support/id-prefixes.ts';
import { problemsIn } from '../support/json-schema.ts';
import {
  combinedText,
  enveloped,
  masked,
  referenceText,
  unsigned,
  withoutAbsent,
  withoutReference,
} from '../support/parity.ts';
import { isLiveOnly } from '../support/payouts.ts';
import { memberOf } from '../support/people.ts';
import { routeName, routes, textOf, variablesFor } from '../support/queries.ts';
import { addressOf, type Request, requests } from '../support/requests.ts';

// Calls every route over REST and its field over GraphQL once. Compares the two responses with each other, the contract, the OpenAPI
// document, and the GraphQL reference. Reads use the same objects. Writes use two equal organizations at the same time. REST is called with
// a key that has only the required scopes, and GraphQL as a member with the minimum role.

const now = new Date('2026-01-31T10:00:00.000Z');
const document = openApiOf(schema, 'https://billing.example');
const problems = problemsIn(document);

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
});
afterAll(() => t.close());

/** An organization's environment, with callers that have just enough access for an operation. */
type World = {
  readonly shop: Shop;
  readonly keyFor: (field: RootField) => Promise<string>;
  readonly memberFor: (field: RootField) => Promise<Readonly<Record<string, string>>>;
};

async function openWorld(environment: 'live' | 'sandbox' = 'sandbox'): Promise<World> {
  const { organizationId, liveKey, liveId, sandboxKey, sandboxId } = await t.otherTenant();
  const shop = environment === 'live' ? shopOf(t, liveKey, liveId) : shopOf(t, sandboxKey, sandboxId);
  const keys = keysIn(t);
  const people = new Map<string, ReturnType<typeof memberOf>>();
  return {
    shop,
    keyFor: async (field) =>
      'scope' in field.access ? keys(shop.environmentId, scopesOf(field.access)) : shop.key,
    memberFor: async (field) => {
      const role = leastRole(field);
      const member = people.getOrInsertComputed(role, () => memberOf(t, organizationId, role));
      return { ...asIn(environment, await member), 'x-organization': organizationId };
    },
  };
}

/**
 * Organizations for the calls: two equal organizations whose REST and GraphQL responses are compared, and a separate organization for
 * documented commands.
 */
type Worlds = { readonly rest: World; readonly graphql: World; readonly documented: World };

async function openWorlds(environment?: 'live'): Promise<Worlds> {
  return {
    rest: await openWorld(environment),
    graphql: await openWorld(environment),
    documented: await openWorld(environment),
  };
}

async function requestFor(route: Route, { shop }: World): Promise<Request> {
  const request = await requests[routeName(route)]?.(shop);
  if (request === undefined) throw new Error('No request is known.');
  await backgroundSettled(t.app.database.query);
  return request;
}

async function overRest(route: Route, field: RootField, world: World, request: Request) {
  const options = { key: await world.keyFor(field) };
  const address = addressOf(route.path, request);
  return world.shop.rest<unknown>(route.method, address, request.body, options);
}

async function overGraphql(
  route: Route,
  field: RootField,
  world: World,
  text: string,
  variables: Record<string, unknown>,
): Promise<unknown> {
  const idempotency = route.isIdempotent ? { 'idempotency-key': randomUUID() } : {};
  const headers = { ...(await world.memberFor(field)), ...idempotency };
  return (await t.graphql(text, variables, { key: null, headers }))[field.name];
}

/** A route's responses: over REST, over GraphQL in REST format, and to the example command in the documentation. */
type Answers = {
  readonly rest: Answer<unknown>;
  readonly graphql: unknown;
  readonly documented: Awaited<ReturnType<typeof sendDocumented>>;
};

const sampleOf = ({ path, method }: Route): string => {
  const [sample] = document.paths[path]?.[method.toLowerCase()]?.['x-codeSamples'] ?? [];
  return sample?.source ?? '';
};

const documentedIn = ({ shop }: World, route: Route, request: Request) =>
  sendDocumented(sampleOf(route), route, request, { url: t.url, key: shop.key });

/**
 * Calls a route that reads data over all interfaces. Repeats the calls until the REST response stays the same, because the worker can write
 * in between.
 */
async function readAnswers(route: Route, field: RootField, world: World): Promise<Answers> {
  const request = await requestFor(route, world);
  const variables = variablesFor(route, request);
  const graphql = (text: string) => overGraphql(route, field, world, text, variables);
  for (;;) {
    const rest = await overRest(route, field, world, request);
    const value = enveloped(route, await graphql(textOf(route)));
    const isSame = isDeepStrictEqual(rest.body, withoutAbsent(value, rest.body));
    const isStable = isSame || isDeepStrictEqual(rest, await overRest(route, field, world, request));
    if (!isStable) continue;
    await graphql(referenceText(route, Object.keys(variables)));
    return { rest, graphql: value, documented: await documentedIn(world, route, request) };
  }
}

async function writeAnswers(route: Route, field: RootField, worlds: Worlds): Promise<Answers> {
  const rest = await overRest(route, field, worlds.rest, await requestFor(route, worlds.rest));
  const variables = variablesFor(route, await requestFor(route, worlds.graphql));
  const text = combinedText(route, Object.keys(variables));
  const value = await overGraphql(route, field, worlds.graphql, text, variables);
  const request = await requestFor(route, worlds.documented);
  return {
    rest,
    graphql: enveloped(route, withoutReference(value)),
    documented: await documentedIn(worlds.documented, route, request),
  };
}

/** Returns the schema of a route's success response with this status. */
function schemaOf(route: Route, status: number): object {
  const { responses } = document.paths[route.path]?.[route.method.toLowerCase()] ?? {};
  const response = (responses as OpenApiDocument['paths'][string][string]['responses'])?.[String(status)];
  const content = response?.['content'] as { 'application/json': { schema: object } } | undefined;
  return content?.['application/json'].schema ?? {};
}

/** Expects the contract's status, headers, and body. For routes that aren't in the contract, checks only the headers. */
function expectContract(route: Route, { status, headers, body }: Answer<unknown>): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    expect(headers.get(name), name).toMatch(/^\d+$/);
  const operation = operations.find((each) => nameOf(each) === routeName(route));
  if (operation === undefined) return;
  expect(status).toBe(successStatuses(operation).at(-1));
  expect(problemsOf(answerShape(operation), body)).toEqual([]);
  const { data, object } = (body ?? {}) as { data?: unknown[]; object?: unknown };
  if (isList(operation)) expect(data?.length).toBeGreaterThan(0);
  if (operation.returnsObject !== undefined) expect(object).toBe(operation.returnsObject);
}

const named = (list: readonly Route[]) => list.map((route) => [routeName(route), route] as const);
const offered = routes.filter(({ rest }) => rest.status !== 410);
const [reads, writes] = [
  offered.filter(({ kind }) => kind === 'query'),
  offered.filter(({ kind }) => kind === 'mutation'),
];

const fieldOf = (route: Route): RootField => {
  const field = rootFields.find(({ name }) => name === route.field.name);
  if (field === undefined) throw new Error(`${route.field.name} is no root field.`);
  return field;
};

// Advancing an organization's clock renews the subscriptions from earlier routes.
let worlds: Worlds;
const nextWorlds = everyFew(25, async () => {
  worlds = await openWorlds();
});

async function answersOf(route: Route): Promise<Answers> {
  await nextWorlds();
  const field = fieldOf(route);
  if (route.kind === 'query') return readAnswers(route, field, worlds.documented);
  const own = isLiveOnly(routeName(route)) || isOnlyIn(field, 'live') ? await openWorlds('live') : worlds;
  return writeAnswers(route, field, own);
}

// Writes come first, because reads create objects in only one organization.
describe.each(named([...writes, ...reads]))('the route %s', (_name, route) => {
  let answers: Promise<Answers> | null = null;
  const answered = (): Promise<Answers> => {
    answers ??= answersOf(route);
    return answers;
  };

  test('has the same effect and response as its GraphQL field', async () => {
    const { rest, graphql } = await answered();
    const expected = withoutAbsent(graphql, rest.body);
    if (route.kind === 'query') expect(unsigned(rest.body)).toEqual(unsigned(expected));
    else expect(masked(rest.body)).toEqual(masked(expected));
  });

  test('returns a response that matches the contract and the OpenAPI document', async () => {
    const { rest } = await answered();
    expect({ status: rest.status, body: rest.status < 300 ? 'success' : rest.body }).toEqual({
      status: rest.status,
      body: 'success',
    });
    expectContract(route, rest);
    expect(problems(schemaOf(route, rest.status), rest.body)).toEqual([]);
  });

  test('returns a documented response to its example command', async () => {
    const { ok, status, body } = (await answered()).documented;
    expect(ok ? 'success' : body).toBe('success');
    expect(problems(schemaOf(route, status), body)).toEqual([]);
  });
});

test.each(named(routes.filter((route) => !offered.includes(route))))(
  '%s, which is deprecated, returns the error in the contract',
  async (_name, route) => {
    await nextWorlds();
    const rest = await overRest(
      route,
      fieldOf(route),
      worlds.documented,
      await requestFor(route, worlds.documented),
    );
    expect(rest.body).toMatchObject({ error: { code: 'endpoint_deprecated' } });
    expectContract(route, rest);
    expect(problems(errorSchema, rest.body)).toEqual([]);
  },
);

// access.test.ts checks the prefixes of the objects that operations need; this test also checks those that they create.
test('ID prefixes of all created objects are unique per type (GLO-1)', async () => {
  const found = await storedPrefixes(t.app.database.query);
  expect(found.get('Refund')).toHaveLength(1);
  expect(sharedPrefixes(found)).toEqual({});
});

test('examples belong to existing operations, and every operation with a body or a required query parameter has an example', () => {
  const names = new Set(offered.map(({ field }) => field.name));
  expect(Object.keys(requestExamples).filter((name) => !names.has(name))).toEqual([]);
  const takesInput = offered.filter(({ path, method }) => {
    const { requestBody, parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {};
    return (
      requestBody !== undefined ||
      parameters.some((parameter) => parameter['in'] === 'query' && parameter['required'] === true)
    );
  });
  expect(
    takesInput.map(({ field }) => field.name).filter((name) => requestExamples[name] === undefined),
  ).toEqual([]);
});

test('GET /subscriptions/active returns null if the customer has no active subscription', async () => {
  const { shop } = worlds.rest;
  const { body: customer } = await shop.rest<{ id: string }>('POST', '/customers', {
    email: 'alone@shop.test',
  });
  const { status, body } = await shop.rest('GET', `/subscriptions/active?customerId=${customer.id}`);
  expect({ status, body }).toEqual({ status: 200, body: null });
});

test('POST /customers returns the existing customer with status 200 if the request is repeated', async () => {
  const { shop } = worlds.rest;
  const customer = { email: 'twice@shop.test', externalId: 'twice' };
  const first = await shop.rest('POST', '/customers', customer);
  const second = await shop.rest('POST', '/customers', customer);
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toEqual(first.body);
});
