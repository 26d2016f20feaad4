import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  asIn,
  type Callers,
  type Emitted,
  emitAll,
  emitOnce,
  expectEmitted,
  type Home,
  homesIn,
  isOnlyIn,
  leastRole,
  lesser,
  type Made,
  overGraphql,
  passed,
  scopesNeeded,
  withToken,
} from './support/access-callers.ts';
import { declared } from './support/access-table.ts';
import { backgroundSettled } from './support/background.ts';
import { watchChanges } from './support/changes.ts';
import { clockAtNoon } from './support/clock-at-noon.ts';
import { everyFew } from './support/every-few.ts';
import { createSubscription } from './support/factories.ts';
import { type RootField, rootFields } from './support/fields.ts';
import { startApp, type TestApp } from './support/harness.ts';

// Calls one operation for each type of declared access over every interface, with all types of credentials. The result doesn't depend on
// the operation, because credentials are checked first.

let t: TestApp;
let home: Home;
let openHome: () => Promise<Home>;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall: clockAtNoon() });
  openHome = await homesIn(t);
});
afterAll(() => t.close());
beforeEach(
  everyFew(40, async () => {
    home = await openHome();
  }),
);

/** Returns an operation's declared access and type, as in the access table. */
const kindOf = ({ access, kind }: RootField): string => `${declared(access)}, ${kind}`;

/**
 * One operation for each combination of access and type. Operations with a REST route are preferred, because they can be called over REST
 * too.
 */
const oneOfEach = (fields: readonly RootField[]): (readonly [string, RootField])[] =>
  [...Map.groupBy(fields, kindOf)].flatMap(([kind, alike]) => {
    const field = alike.find(({ route }) => route !== null) ?? alike[0];
    return field === undefined ? [] : [[`${kind} (${field.name})`, field] as const];
  });

async function madeFor(field: RootField): Promise<Made> {
  const made = await field.make(home.shop);
  await backgroundSettled(t.app.database.query);
  return made;
}

const wrongKey = 'ck_sandbox_0000000000000000000000000000000000';

/** Request headers with unusable credentials, which every operation rejects unless it's public. */
const unusable = ({ expiredKey, pageToken, people: { owner } }: Home): Callers => ({
  nobody: {},
  'an empty key': { 'x-api-key': '' },
  'an unknown key': { 'x-api-key': wrongKey },
  'a malformed key': { 'x-api-key': 'secret' },
  'an expired key': { 'x-api-key': expiredKey },
  'a page token as key': { 'x-api-key': pageToken },
  'a session without its header': { cookie: owner.headers['cookie'] ?? '' },
  'a member who names another organization': { ...owner.headers, 'x-organization': 'org_none' },
});

describe.each(oneOfEach(rootFields.filter(({ access }) => 'scope' in access)))(
  'an operation with %s access',
  (_kind, field) => {
    const isSandboxOnly = isOnlyIn(field, 'sandbox');

    test('returns 401 for unusable credentials and 403 for lower roles over every interface, and changes no data', async () => {
      const { pageToken, portalToken, people } = home;
      const made = await madeFor(field);
      const strangers = {
        ...unusable(home),
        'a page token': { authorization: `Bearer ${pageToken}` },
        'a portal session': { authorization: `Bearer ${portalToken}` },
        'a person of no organization': people.outsider.headers,
      };
      const forbidden = {
        'a key without scopes': { 'x-api-key': await home.keyWith(field, []) },
        ...lesser(field, 'sandbox', people),
        ...(isSandboxOnly ? {} : lesser(field, 'live', people)),
      };
      const changes = await watchChanges(t.app.database.query);
      expectEmitted(await emitAll(t, field, made, strangers, true), 'unauthorized', 401);
      expectEmitted(await emitAll(t, field, made, forbidden, true), 'forbidden', 403);
      expect(await changes()).toEqual([]);
    });

    test('accepts a key with only the required scopes, and members with the minimum role', async () => {
      const key = await home.keyWith(field, scopesNeeded(field));
      const emitted = await emitOnce(t, field, await madeFor(field), { 'x-api-key': key });
      expect(passed(field.name)).toContain(emitted.code);
      const member = asIn(isOnlyIn(field, 'live') ? 'live' : 'sandbox', home.people[leastRole(field)]);
      const { code } = await overGraphql(t, field, (await madeFor(field)).operation, member);
      expect(passed(field.name)).toContain(code);
    });
  },
);

const forPeople = rootFields.filter(
  ({ access }) => 'member' in access || 'person' in access || 'authenticated' in access,
);

test.each(oneOfEach(forPeople))(
  'an operation with %s access returns 401 for unusable credentials, and changes no data',
  async (_kind, field) => {
    const made = await madeFor(field);
    const changes = await watchChanges(t.app.database.query);
    const strangers = {
      ...unusable(home),
      'a page token': { authorization: `Bearer ${home.pageToken}` },
      ...('authenticated' in field.access ? {} : { 'a live key': { 'x-api-key': home.liveKey } }),
    };
    expectEmitted(await emitAll(t, field, made, strangers, true), 'unauthorized', 401);
    expect(await changes()).toEqual([]);
  },
);

const forPages = oneOfEach(rootFields.filter(({ access }) => 'page' in access));

test.each(forPages)(
  'an operation with %s access returns 401 for credentials other than its token, and changes no data',
  async (_kind, field) => {
    const { shop, pageToken } = home;
    const made = await madeFor(field);
    const changes = await watchChanges(t.app.database.query);
    const bearer = { authorization: `Bearer ${pageToken}` };
    const emitted: Record<string, Emitted> = {
      ...(await emitAll(t, field, made, {
        'a wrong key beside the token': { 'x-api-key': wrongKey },
        'another token as bearer': bearer,
        'another token as bearer beside a key': { ...bearer, 'x-api-key': shop.key },
      })),
      ...(await emitAll(t, field, withToken(made, 'none'), {
        'a key without a token': { 'x-api-key': shop.key },
      })),
      ...(await emitAll(t, field, withToken(made, `${pageToken.slice(0, -4)}AAAA`), {
        'a token with a broken signature': {},
      })),
    };
    expectEmitted(emitted, 'unauthorized', 401);
    expect(await changes()).toEqual([]);
  },
);

test.each(forPages)(
  'an operation with %s access accepts its token along with any valid API key',
  async (_kind, field) => {
    const made = await madeFor(field);
    // Calls a mutation only once, because the call uses up the created objects.
    const keys = [home.stranger.sandboxKey, home.liveKey, home.shop.key].slice(
      0,
      field.kind === 'mutation' ? 1 : 3,
    );
    for (const key of keys)
      expect(await overGraphql(t, field, made.operation, { 'x-api-key': key })).toMatchObject({
        code: null,
        status: 200,
      });
  },
);

test('a public operation returns the same response with and without a valid key, and 401 for an invalid key', async () => {
  for (const field of rootFields.filter(({ access }) => 'anonymous' in access)) {
    const ask = async (headers: Record<string, string>) => {
      const idempotency = { 'idempotency-key': crypto.randomUUID() };
      const { operation } = await madeFor(field);
      const { code, status } = await overGraphql(t, field, operation, { ...idempotency, ...headers });
      return { name: field.name, code, status };
    };
    expect(await ask({ 'x-api-key': home.shop.key })).toEqual(await ask({}));
    expect(await ask({ 'x-api-key': 'ck_sandbox_wrong' })).toEqual({
      name: field.name,
      code: 'unauthorized',
      status: 401,
    });
  }
});

test('a request with a page field and an API key field executes only the API key field', async () => {
  const token = (await createSubscription(home.shop)).token ?? '';
  const changes = await watchChanges(t.app.database.query);
  const query =
    'query ($token: String!) { checkout(token: $token) { status } customers(first: 1) { pageInfo { hasNextPage } } }';
  const { status, errors, data } = await t.graphqlFailure(query, { token }, { key: home.shop.key });
  expect({ status, data, code: errors[0]?.extensions['code'] }).toEqual({
    status: 200,
    data: { checkout: null, customers: { pageInfo: { hasNextPage: true } } },
    code: 'unauthorized',
  });
  expect(await changes()).toEqual([]);
});
