import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Role, roles, type Scope, scopes } from '../src/context.ts';
import { mintKey } from '../src/modules/api-keys/mint.ts';
import { findEnvironment } from '../src/platform/credentials.ts';
import { watchChanges } from './support/changes.ts';
import { idsIn } from './support/dump.ts';
import {
  clockSettled,
  createCustomer,
  createSubscription,
  firstShop,
  openPortal,
  otherShop,
  type Shop,
} from './support/factories.ts';
import { type Operation, type RootField, rootFields } from './support/fields.ts';
import { startApp, type Tenant, type TestApp } from './support/harness.ts';
import { standingNoon } from './support/noon.ts';
import { exampleSettled, refuseExamples } from './support/operations/example-shop.ts';
import { unrouted } from './support/operations/index.ts';
import { memberOf, type Session, signUp } from './support/people.ts';
import { routes } from './support/queries.ts';
import { addressOf, type Request } from './support/requests.ts';
import { isAsked, isSampled } from './support/sample.ts';

// Every operation, through every door it has, with every kind of caller who may not: the right rejection, nothing changed, nothing shown.

/** What a caller was told: the code of the rejection, or null, and all of the answer as text. */
type Emitted = { readonly status: number; readonly code: string | null; readonly text: string };

type Headers = Readonly<Record<string, string>>;

let t: TestApp;
/** The organization operations are asked in, and its sandbox. */
let home: Tenant;
let shop: Shop;
let unknownRecord: Shop;
let pageToken: string;
let expiredKey: string;
/** By scope, a key that has it alone and a key that has all the others. */
const keys = {} as Record<Scope, { readonly alone: string; readonly others: string }>;
let portalCustomer: string;
/** Signed-in people: one of each role, and one who belongs to no organization. */
const people = {} as Record<Role | 'outsider', Session>;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall: standingNoon() });
  people.outsider = await signUp(t);
  await openHome();
});
afterAll(() => t.close());

/** How many operations are asked in one organization. What moves the clock of its sandbox renews all subscriptions that others left there. */
const operationsPerHome = 20;
let asked = 0;

/** Counts an operation, and gives it another organization when this one has had its share. */
async function openHome(): Promise<void> {
  if (asked++ % operationsPerHome !== 0) return;
  home = await t.otherTenant();
  shop = firstShop({ ...t, ...home });
  // A new one as well: what it was sent before may be named as what is made here.
  unknownRecord = await otherShop(t);
  // It may load an example shop of its own, which would be filled while others are asked.
  await refuseExamples(unknownRecord);
  pageToken = (await createSubscription(shop)).token ?? '';
  expiredKey = await mint(shop.environmentId, scopes, new Date('2020-01-01T00:00:00.000Z'));
  for (const scope of scopes) {
    const others = scopes.filter((other) => other !== scope);
    keys[scope] = {
      alone: await mint(shop.environmentId, [scope]),
      others: await mint(shop.environmentId, others),
    };
  }
  for (const role of roles) people[role] = await memberOf(t, home.organizationId, role);
  portalCustomer = (await createCustomer(shop)).id;
}

async function mint(
  environmentId: string,
  only: readonly Scope[] = scopes,
  expiresAt: Date | null = null,
): Promise<string> {
  const environment = await findEnvironment(t.app.database, environmentId);
  if (environment === null) throw new Error('No such environment.');
  const minted = await t.app.database.transaction((transaction) =>
    mintKey(transaction, environment, { name: 'access', scopes: only, expiresAt }, t.app.wall.now()),
  );
  if (minted === null) throw new Error('The secret is taken.');
  return minted.secret;
}

async function overRest({ route }: RootField, request: Request, headers: Headers): Promise<Emitted> {
  if (route === null) throw new Error('The field has no route.');
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const response = await fetch(`${t.url}/api/v1${addressOf(route.path, request)}`, {
    method: route.method,
    headers,
    ...body,
  });
  const text = await response.text();
  const parsed = JSON.parse(text) as { error?: { code: string } } | null;
  return { status: response.status, code: parsed?.error?.code ?? null, text };
}

type GraphqlResult = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions: Emitted }[];
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

async function overGraphql(
  { name, kind }: RootField,
  { text: query, variables }: Operation,
  headers: Headers,
): Promise<Emitted> {
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
  const rejection = errors?.[0]?.extensions;
  if (rejection !== undefined && data !== null && data !== undefined) expect(data[name]).toBeNull();
  return { status: rejection?.status ?? 200, code: rejection?.code ?? null, text };
}

type Made = Awaited<ReturnType<RootField['make']>>;

/** What each caller is told through each door the field has. All ask at once: what is rejected has no order. */
async function emitAll(
  field: RootField,
  made: Made,
  callers: Readonly<Record<string, Headers>>,
): Promise<Record<string, Emitted>> {
  const requested = Object.entries(callers).flatMap(([caller, headers]) => [
    ...(field.route === null
      ? []
      : [
          overRest(field, made.request ?? {}, headers).then(
            (emitted) => [`${caller}, REST`, emitted] as const,
          ),
        ]),
    overGraphql(field, made.operation, headers).then((emitted) => [`${caller}, GraphQL`, emitted] as const),
  ]);
  return Object.fromEntries(await Promise.all(requested));
}

/** Holds what callers are told to one rejection. */
function expectEmitted(emitted: Readonly<Record<string, Emitted>>, code: string, status: number): void {
  const details = Object.entries(emitted).map(([caller, answer]) => [caller, answer.code, answer.status]);
  expect(details.length).toBeGreaterThan(0);
  expect(details).toEqual(Object.keys(emitted).map((caller) => [caller, code, status]));
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

const sampled = rootFields.filter(({ name }) => isSampled(name)).map((field) => [field.name, field] as const);
const forKeys = sampled.filter(([, { access }]) => 'scope' in access);
const forPages = sampled.filter(([, { access }]) => 'page' in access);

const forPeople = rootFields
  .filter(({ name, access }) => isAsked(name) && ('member' in access || 'person' in access))
  .map((field) => [field.name, field] as const);

/** The role a member needs at least. */
const leastRole = ({ access }: RootField): Role => {
  if ('member' in access) return access.member;
  return 'scope' in access ? (access.role ?? (access.scope === 'keys' ? 'admin' : 'member')) : 'member';
};

/** Members of too small a role for a field, in an environment. */
const lesser = (field: RootField, environment: 'live' | 'sandbox'): Record<string, Headers> =>
  Object.fromEntries(
    roles
      .slice(0, roles.indexOf(leastRole(field)))
      .map((role) => [role, { ...people[role].headers, 'x-environment': environment }]),
  );

const scopeOf = ({ access }: RootField): Scope => {
  if (!('scope' in access)) throw new Error('The field is not for keys.');
  return access.scope;
};

/** Makes what a call of the field needs and waits until the sandbox stands still. */
async function madeFor(field: RootField): Promise<Made> {
  const made = await field.make(shop);
  await clockSettled(shop);
  await exampleSettled(shop);
  return made;
}

/** Watches all there is. */
const everything = () => watchChanges(t.app.database.query);

/** Watches what there is of this environment. */
const ours = () => watchChanges(t.app.database.query, shop.environmentId);

/** Holds what strangers are told to nothing of this environment but what they know; what names a thing of it meets nothing there. */
function expectNothing(
  { request, operation }: Made,
  ids: readonly string[],
  emitted: Readonly<Record<string, Emitted>>,
  known: readonly string[],
): void {
  const sent = JSON.stringify([request, operation.variables]);
  const secrets = ids.filter((id) => !sent.includes(id) && !known.includes(id));
  expect(secrets.length).toBeGreaterThan(5);
  const isAddressed = Object.keys(request?.path ?? {}).length > 0 || 'id' in operation.variables;
  for (const [caller, { text, status, code }] of Object.entries(emitted)) {
    expect({ caller, shown: secrets.filter((id) => text.includes(id)) }).toEqual({ caller, shown: [] });
    if (isAddressed)
      expect({ caller, status, code }).toEqual({
        caller,
        status: 404,
        code: expect.stringMatching(/not_found$/),
      });
  }
}

/** Operations that have something to show to strangers, each with what. */
const shownToUnknownRecords: Readonly<Record<string, string>> = {
  aiModel: 'The catalog of AI models is one for all.',
  eventStream: 'A stream of everything shows strangers their own, and waits where there is none.',
  eventDigest: 'The same, counted.',
  payoutChanged: 'The same, of payouts.',
};

/** What an operation that is let through may still answer: routes are retired, it is a sandbox, and its organization has an owner. */
const beyondAccess: readonly unknown[] = [
  null,
  'endpoint_deprecated',
  'payouts_not_available_in_sandbox',
  'organization_already_claimed',
];

/** What is let through and rejected for what it asks: nothing confirms a reset, or the sandbox would be empty. */
const rejectedInput: Readonly<Record<string, string>> = { sandboxReset: 'validation_error' };

/** What an operation may answer a caller it lets through. */
const passed = (name: string): readonly unknown[] =>
  name in rejectedInput ? [rejectedInput[name]] : beyondAccess;

describe.each(forKeys)('%s, an operation for keys,', (name, field) => {
  const isSandboxOnly = 'environment' in field.access;
  let made: Made;
  let session: string;
  beforeAll(async () => {
    await openHome();
    session = await openPortal(shop, portalCustomer);
    made = await madeFor(field);
  });

  test('is 401 without a usable key, 403 without its scope, and sandbox_only where it is, with nothing changed', async () => {
    const unusable = {
      nobody: {},
      'an empty key': { 'x-api-key': '' },
      'an unknown key': { 'x-api-key': 'ck_sandbox_0000000000000000000000000000000000' },
      'a malformed key': { 'x-api-key': 'secret' },
      'an expired key': { 'x-api-key': expiredKey },
      'a page token': { authorization: `Bearer ${pageToken}` },
      'a portal session': { authorization: `Bearer ${session}` },
      'a page token as key': { 'x-api-key': pageToken },
      'a session without its header': { cookie: people.owner.headers['cookie'] ?? '' },
      'a person of no organization': people.outsider.headers,
      'a member who names another organization': { ...people.owner.headers, 'x-organization': 'org_none' },
    };
    const changes = await everything();
    expectEmitted(await emitAll(field, made, unusable), 'unauthorized', 401);
    expectEmitted(
      await emitAll(field, made, { 'a key without the scope': { 'x-api-key': keys[scopeOf(field)].others } }),
      'forbidden',
      403,
    );
    if (leastRole(field) !== 'member')
      expectEmitted(await emitAll(field, made, lesser(field, 'sandbox')), 'forbidden', 403);
    if (isSandboxOnly)
      expectEmitted(
        await emitAll(field, made, { 'a live key': { 'x-api-key': home.liveKey } }),
        'sandbox_only',
        403,
      );
    expect(await changes()).toEqual([]);
  });

  test.skipIf(Object.hasOwn(shownToUnknownRecords, name))(
    "shows and changes nothing for another environment's key that sends this one's ids",
    async () => {
      const ids = await idsIn(t.app.database.query, shop.environmentId);
      const changes = await ours();
      const emit = (caller: string, key: string) => emitAll(field, made, { [caller]: { 'x-api-key': key } });
      expectNothing(made, ids, await emit('another tenant', unknownRecord.key), []);
      // Its organization is no secret to a key of the other environment.
      if (!isSandboxOnly)
        expectNothing(made, ids, await emit('the live key of the same organization', home.liveKey), [
          home.organizationId,
        ]);
      expect(await changes()).toEqual([]);
    },
  );

  test('needs no other scope', async () => {
    const headers = { 'x-api-key': keys[scopeOf(field)].alone };
    const { operation, request } = made;
    const answer =
      field.route === null
        ? await overGraphql(field, operation, headers)
        : await overRest(field, request ?? {}, headers);
    expect(passed(name)).toContain(answer.code);
  });

  test('is open to members from its role on', async () => {
    // What was made has been used by the key, unless it was only read.
    const { operation } = field.kind === 'query' ? made : await madeFor(field);
    const { code } = await overGraphql(field, operation, people[leastRole(field)].headers);
    expect(passed(name)).toContain(code);
  });
});

test.each(forPeople)(
  '%s, for people, is 401 for everybody else and 403 for too small a role and outside live',
  async (_name, field) => {
    await openHome();
    const made = await madeFor(field);
    const changes = await everything();
    const { access } = field;
    const isForMembers = 'member' in access;
    const unknownRecords = {
      nobody: {},
      'a key': { 'x-api-key': shop.key },
      'a live key': { 'x-api-key': home.liveKey },
      'a page token': { authorization: `Bearer ${pageToken}` },
      'a session without its header': { cookie: people.owner.headers['cookie'] ?? '' },
      'a member who names another organization': { ...people.owner.headers, 'x-organization': 'org_none' },
      ...(isForMembers ? { 'a person of no organization': people.outsider.headers } : {}),
    };
    expectEmitted(await emitAll(field, made, unknownRecords), 'unauthorized', 401);
    if (isForMembers && access.member !== 'member')
      expectEmitted(await emitAll(field, made, lesser(field, 'live')), 'forbidden', 403);
    if (isForMembers && access.environment === 'live')
      expectEmitted(
        await emitAll(field, made, { 'the owner in the sandbox': people.owner.headers }),
        'forbidden',
        403,
      );
    expect(await changes()).toEqual([]);
  },
);

test('nothing is open to anybody but provisioning and what a link stands for', () => {
  const open = rootFields.filter(({ access }) => 'anonymous' in access).map(({ name }) => name);
  expect(open.sort()).toEqual([
    'claimLink',
    'countries',
    'currencies',
    'memberInvitation',
    'organizationProvision',
    'portalLogin',
    'portalSessionRequest',
    'taxDocumentCheck',
  ]);
});

describe('an operation for pages', () => {
  test.each(forPages)(
    '%s is 401 for a key alone and for tokens that were not issued here',
    async (_name, field) => {
      await openHome();
      const otherPage = field.name.startsWith('portal') ? pageToken : await openPortal(shop, portalCustomer);
      const made = await madeFor(field);
      const changes = await everything();
      const { variables } = made.operation;
      const withToken = (token: string): Made => {
        const { input } = variables as { input?: object };
        return {
          ...made,
          operation: {
            ...made.operation,
            variables: input === undefined ? { ...variables, token } : { input: { ...input, token } },
          },
        };
      };
      const emitted = {
        ...(await emitAll(field, made, {
          'a wrong key beside the token': { 'x-api-key': 'ck_sandbox_0000000000000000000000000000000000' },
          'another token as bearer': { authorization: `Bearer ${pageToken}` },
          'another token as bearer beside a key': {
            authorization: `Bearer ${pageToken}`,
            'x-api-key': shop.key,
          },
        })),
        ...(await emitAll(field, withToken(otherPage), { 'the token of another page': {} })),
        ...(await emitAll(field, withToken('none'), {
          'no token': {},
          'a key without a token': { 'x-api-key': shop.key },
        })),
        ...(await emitAll(field, withToken(`${pageToken.slice(0, -4)}AAAA`), {
          'a token with a broken signature': {},
        })),
      };
      expectEmitted(emitted, 'unauthorized', 401);
      expect(await changes()).toEqual([]);
    },
  );

  test.each(forPages)('%s answers whatever valid key comes with its token', async (_name, field) => {
    for (const key of [shop.key, home.liveKey, unknownRecord.key]) {
      const { operation } = await madeFor(field);
      expect(await overGraphql(field, operation, { 'x-api-key': key })).toMatchObject({
        code: null,
        status: 200,
      });
    }
  });
});

test('what is open to anybody answers beside a valid key as without one, and is 401 beside a wrong one', async () => {
  const open = rootFields.filter(({ access }) => 'anonymous' in access);
  for (const field of open) {
    const idempotency = { 'idempotency-key': crypto.randomUUID() };
    const anonymous = await overGraphql(field, (await madeFor(field)).operation, idempotency);
    const keyed = await overGraphql(field, (await madeFor(field)).operation, {
      'idempotency-key': crypto.randomUUID(),
      'x-api-key': shop.key,
    });
    expect({ name: field.name, code: keyed.code, status: keyed.status }).toEqual({
      name: field.name,
      code: anonymous.code,
      status: anonymous.status,
    });
    const wrong = await overGraphql(field, (await madeFor(field)).operation, {
      ...idempotency,
      'x-api-key': 'ck_sandbox_wrong',
    });
    expect({ name: field.name, code: wrong.code, status: wrong.status }).toEqual({
      name: field.name,
      code: 'unauthorized',
      status: 401,
    });
  }
});

test('an operation asks in the name of a page or of a key, never of both', async () => {
  const token = (await createSubscription(shop)).token ?? '';
  const changes = await everything();
  const query =
    'query ($token: String!) { checkout(token: $token) { status } customers(first: 1) { pageInfo { hasNextPage } } }';
  const { status, errors, data } = await t.graphqlFailure(query, { token }, { key: shop.key });
  expect({ status, data, code: errors[0]?.extensions['code'] }).toEqual({
    status: 200,
    data: { checkout: null, customers: { pageInfo: { hasNextPage: true } } },
    code: 'unauthorized',
  });
  expect(await changes()).toEqual([]);
});
