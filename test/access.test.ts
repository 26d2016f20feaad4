import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, scopes } from '../src/context.ts';
import { findEnvironment } from '../src/infra/credentials.ts';
import { mintKey } from '../src/modules/api-keys/mint.ts';
import { dump } from './support/dump.ts';
import { createSubscription, firstShop, otherShop, type Shop } from './support/factories.ts';
import { type Operation, type RootField, rootFields, unrouted } from './support/fields.ts';
import { startApp, type TestApp } from './support/harness.ts';
import { routes } from './support/queries.ts';
import { addressOf, type Request } from './support/requests.ts';

// Every operation, through every door it has, with every kind of caller who may not: the right refusal, nothing changed, nothing shown.

/** What a caller was told: the code of the refusal, or null, and all of the answer as text. */
type Told = { readonly status: number; readonly code: string | null; readonly text: string };

type Headers = Readonly<Record<string, string>>;

let t: TestApp;
let shop: Shop;
let pageToken: string;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  pageToken = (await createSubscription(shop)).token ?? '';
});
afterAll(() => t.close());

async function mint(environmentId: string, only: readonly Scope[] = scopes, expiresAt: Date | null = null): Promise<string> {
  const environment = await findEnvironment(t.app.database.query, environmentId);
  if (environment === null) throw new Error('No such environment.');
  const minted = await t.app.database.transaction((transaction) =>
    mintKey(transaction, environment, { name: 'access', scopes: only, expiresAt }, t.app.wall.now()),
  );
  if (minted === null) throw new Error('The secret is taken.');
  return minted.secret;
}

async function overRest({ route }: RootField, request: Request, headers: Headers): Promise<Told> {
  if (route === null) throw new Error('The field has no route.');
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const response = await fetch(`${t.url}/api/v1${addressOf(route.path, request)}`, { method: route.method, headers, ...body });
  const text = await response.text();
  const parsed = JSON.parse(text) as { error?: { code: string } } | null;
  return { status: response.status, code: parsed?.error?.code ?? null, text };
}

type GraphqlResult = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: Told }[];
};

/** The first event of a stream, which then is left. */
async function firstEvent(response: Response): Promise<string> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, data] = /^data: ?(\{.*\})$/m.exec(text) ?? [];
    if (data !== undefined) return data;
  }
  return text;
}

async function overGraphql({ name, kind }: RootField, { text: query, variables }: Operation, headers: Headers): Promise<Told> {
  const abort = new AbortController();
  const accept = kind === 'live' ? 'text/event-stream' : 'application/json';
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? await firstEvent(response) : await response.text();
  abort.abort();
  const { data, errors } = JSON.parse(text) as GraphqlResult;
  const refusal = errors?.[0]?.extensions;
  if (refusal !== undefined && data !== null && data !== undefined) expect(data[name]).toBeNull();
  return { status: refusal?.status ?? 200, code: refusal?.code ?? null, text };
}

type Made = Awaited<ReturnType<RootField['make']>>;

const fixtures = new Map<string, Promise<Made>>();

/** What a field's call needs, made once: refused callers leave it as it is. */
function fixtureOf(field: RootField): Promise<Made> {
  const made = fixtures.get(field.name) ?? field.make(shop);
  fixtures.set(field.name, made);
  return made;
}

/** Runs calls that must be refused with a code and leave no trace, through each door the field has. */
async function expectRefused(field: RootField, code: string, status: number, callers: Readonly<Record<string, Headers>>): Promise<void> {
  const { request, operation } = await fixtureOf(field);
  const expected = Object.fromEntries(Object.keys(callers).map((caller) => [caller, { code, status }]));
  const before = await dump(t.app.database.query);
  for (const door of [overRest, overGraphql] as const) {
    if (door === overRest && field.route === null) continue;
    const told: Record<string, Pick<Told, 'code' | 'status'>> = {};
    for (const [caller, headers] of Object.entries(callers)) {
      const answer = door === overRest ? await overRest(field, request ?? {}, headers) : await overGraphql(field, operation, headers);
      told[caller] = { code: answer.code, status: answer.status };
    }
    expect(told, door.name).toEqual(expected);
  }
  // A run of the test clock that a fixture started goes on by itself.
  if (!field.name.startsWith('testClock')) expect(await dump(t.app.database.query)).toEqual(before);
}

test('every root field without a route is listed with its reason, and no other', () => {
  const routed = new Set(routes.map((route) => route.field.name));
  expect(Object.keys(unrouted).sort()).toEqual(
    rootFields
      .map(({ name }) => name)
      .filter((name) => !routed.has(name))
      .sort(),
  );
});

const forKeys = rootFields.filter(({ access }) => 'scope' in access).map((field) => [field.name, field] as const);
const forPages = rootFields.filter(({ access }) => 'page' in access).map((field) => [field.name, field] as const);
const sandboxOnly = forKeys.filter(([, { access }]) => 'environment' in access);

const scopeOf = ({ access }: RootField): Scope => {
  if (!('scope' in access)) throw new Error('The field is not for keys.');
  return access.scope;
};

describe('an operation for keys', () => {
  test.each(forKeys)('%s is 401 without a usable key', async (_name, field) => {
    const expired = await mint(shop.environmentId, scopes, new Date('2020-01-01T00:00:00.000Z'));
    await expectRefused(field, 'unauthorized', 401, {
      nobody: {},
      'an empty key': { 'x-api-key': '' },
      'an unknown key': { 'x-api-key': 'ck_sandbox_0000000000000000000000000000000000' },
      'a malformed key': { 'x-api-key': 'secret' },
      'an expired key': { 'x-api-key': expired },
      'a page token': { authorization: `Bearer ${pageToken}` },
      'a page token as key': { 'x-api-key': pageToken },
    });
  });

  test.each(forKeys)('%s is 403 without its scope', async (_name, field) => {
    const others = scopes.filter((scope) => scope !== scopeOf(field));
    await expectRefused(field, 'forbidden', 403, { 'a key without the scope': { 'x-api-key': await mint(shop.environmentId, others) } });
  });

  test.each(sandboxOnly)('%s is sandbox_only for a live key', async (_name, field) => {
    await expectRefused(field, 'sandbox_only', 403, { 'a live key': { 'x-api-key': t.liveKey } });
  });

  test.each(forKeys)('%s needs no other scope', async (_name, field) => {
    const { request, operation } = await field.make(shop);
    const headers = { 'x-api-key': await mint(shop.environmentId, [scopeOf(field)]) };
    const answer = field.route === null ? await overGraphql(field, operation, headers) : await overRest(field, request ?? {}, headers);
    expect([null, 'endpoint_deprecated']).toContain(answer.code);
  });
});

describe('an operation for pages', () => {
  test.each(forPages)('%s is 401 for keys and for tokens that were not issued here', async (_name, field) => {
    const { operation } = await field.make(shop);
    const withToken = (token: string): Operation => {
      const { input } = operation.variables as { input?: object };
      return { ...operation, variables: input === undefined ? { token } : { input: { ...input, token } } };
    };
    const before = await dump(t.app.database.query);
    const calls = {
      'a key beside the token': await overGraphql(field, operation, { 'x-api-key': shop.key }),
      'a live key beside the token': await overGraphql(field, operation, { 'x-api-key': t.liveKey }),
      'another token as bearer': await overGraphql(field, operation, { authorization: `Bearer ${pageToken}` }),
      'no token': await overGraphql(field, withToken('none'), {}),
      'a token with a broken signature': await overGraphql(field, withToken(`${pageToken.slice(0, -4)}AAAA`), {}),
    };
    for (const [caller, { code, status }] of Object.entries(calls))
      expect({ caller, code, status }).toEqual({ caller, code: 'unauthorized', status: 401 });
    expect(await dump(t.app.database.query)).toEqual(before);
  });
});

/** Ids among the rows of an environment. */
const idsOf = (rows: Awaited<ReturnType<typeof dump>>): string[] => [
  ...new Set(Object.values(rows).flatMap((of) => of.flatMap((row) => row.match(/\b[a-z]{2,5}_[0-9A-Za-z]{20,}\b/g) ?? []))),
];

describe("another environment's key, with this one's ids", () => {
  /** Calls with a stranger's key; nothing here may change, and nothing may be shown that was not sent. */
  async function expectNothing(field: RootField, key: string): Promise<void> {
    const { request, operation } = await fixtureOf(field);
    const sent = JSON.stringify([request, operation.variables]);
    const before = await dump(t.app.database.query, shop.environmentId);
    const secrets = idsOf(before).filter((id) => !sent.includes(id));
    expect(secrets.length).toBeGreaterThan(5);
    const headers = { 'x-api-key': key };
    const answers = [await overGraphql(field, operation, headers)];
    if (field.route !== null) answers.push(await overRest(field, request ?? {}, headers));
    for (const { text, status, code } of answers) {
      expect(secrets.filter((id) => text.includes(id))).toEqual([]);
      // What names a thing of this environment meets nothing there.
      const isAddressed = Object.keys(request?.path ?? {}).length > 0 || 'id' in operation.variables;
      if (isAddressed) expect({ status, code }).toEqual({ status: 404, code: expect.stringMatching(/not_found$/) });
    }
    if (!field.name.startsWith('testClock')) expect(await dump(t.app.database.query, shop.environmentId)).toEqual(before);
  }

  // Streams of everything show the stranger's own, and wait where there is none.
  const strangers = forKeys.filter(([name]) => name !== 'eventStream');

  test.each(strangers)('%s shows and changes nothing for another tenant', async (_name, field) => {
    const stranger = await otherShop(t);
    await expectNothing(field, stranger.key);
  });

  test.each(strangers.filter((entry) => !sandboxOnly.includes(entry)))(
    '%s shows and changes nothing for the live key of the same organization',
    async (_name, field) => {
      await expectNothing(field, t.liveKey);
    },
  );
});
