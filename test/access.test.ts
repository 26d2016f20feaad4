import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleOf, scopesOf } from '../src/graphql/declare/access.ts';
import { mintKey } from '../src/modules/organization/api-keys/mint.ts';
import { findEnvironment } from '../src/platform/credentials.ts';
import { type Role, roles, type Scope, scopes } from '../src/request/context.ts';
import { watchChanges } from './support/changes.ts';
import { clockAtNoon } from './support/clock-at-noon.ts';
import { idsIn } from './support/dump.ts';
import {
  clockSettled,
  createCustomer,
  createSubscription,
  firstShop,
  openPortal,
  type Shop,
  shopOf,
} from './support/factories.ts';
import { needsLiveKey, type Operation, type RootField, rootFields } from './support/fields.ts';
import { startApp, type Tenant, type TestApp } from './support/harness.ts';
import { exampleSettled, refuseExamples } from './support/operations/example-shop.ts';
import { unrouted } from './support/operations/index.ts';
import { memberOf, type Session, signUp } from './support/people.ts';
import { routes } from './support/queries.ts';
import { addressOf, type Request } from './support/requests.ts';
import { isAsked, isSampled } from './support/sample.ts';

// Calls every operation over every interface with every type of unauthorized caller. Expects the correct
// error, no changes, and no data in the response.

/** Response to a caller: error code, or null, and the whole body as text. */
type Emitted = { readonly status: number; readonly code: string | null; readonly text: string };

type Headers = Readonly<Record<string, string>>;

let t: TestApp;
/** Organization under test, and its sandbox. */
let home: Tenant;
let shop: Shop;
let unknownRecord: Shop;
let unknownRecordLiveKey: string;
let pageToken: string;
let expiredKey: string;
/** API keys of the organization under test, by environment and scopes. */
let keys = new Map<string, Promise<string>>();
let portalCustomer: string;
/**
 * Signed-in people: one per role, an owner who authenticated an hour ago, and a person without an
 * organization.
 */
const people = {} as Record<Role | 'stale' | 'outsider', Session>;

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' }, wall: clockAtNoon() });
  people.outsider = await signUp(t);
  await openHome();
});
afterAll(() => t.close());

/**
 * Number of operations tested per organization. Advancing its clock renews all subscriptions that earlier
 * operations created.
 */
const operationsPerHome = 20;
let asked = 0;

/** Counts an operation. Switches to a new organization after every 20 operations. */
async function openHome(): Promise<void> {
  if (asked++ % operationsPerHome !== 0) return;
  home = await t.otherTenant();
  shop = firstShop({ ...t, ...home });
  // Switches the other organization too, because earlier requests may have created objects with the same
  // codes.
  const unknownTenant = await t.otherTenant();
  unknownRecord = shopOf(t, unknownTenant.sandboxKey, unknownTenant.sandboxId);
  unknownRecordLiveKey = unknownTenant.liveKey;
  // An example run that was started in the other organization would continue in the background.
  await refuseExamples(unknownRecord);
  pageToken = (await createSubscription(shop)).token ?? '';
  expiredKey = await mint(shop.environmentId, scopes, new Date('2020-01-01T00:00:00.000Z'));
  keys = new Map();
  for (const role of roles) people[role] = await memberOf(t, home.organizationId, role);
  people.stale = await memberOf(t, home.organizationId, 'admin');
  await t.app.database.prisma.session.updateMany({
    where: { userId: people.stale.userId },
    data: { provenAt: new Date(t.app.wall.now().getTime() - 3_600_000) },
  });
  portalCustomer = (await createCustomer(shop)).id;
}

/** API key with exactly these scopes, in an environment in which the operation is allowed. */
const keyWith = (field: RootField, only: readonly Scope[]): Promise<string> => {
  const id = needsLiveKey(field) ? home.liveId : home.sandboxId;
  return keys.getOrInsertComputed(`${id} ${only.join(' ')}`, () => mint(id, only));
};

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

/** First event of a stream. Closes the stream. */
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

/**
 * Responses to each caller over each interface. Requests are concurrent, because rejected requests don't
 * affect each other.
 */
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

/** Expects the same error for all callers. */
function expectEmitted(emitted: Readonly<Record<string, Emitted>>, code: string, status: number): void {
  const details = Object.entries(emitted).map(([caller, answer]) => [caller, answer.code, answer.status]);
  expect(details.length).toBeGreaterThan(0);
  expect(details).toEqual(Object.keys(emitted).map((caller) => [caller, code, status]));
}

test('the list of root fields without a route is complete and gives a reason for each', () => {
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

/** Minimum member role for the field. */
const leastRole = ({ access }: RootField): Role => {
  if ('member' in access) return access.member;
  return 'scope' in access ? roleOf(access) : 'member';
};

/** True if members must have authenticated recently. */
const needsProof = ({ access }: RootField): boolean => 'proof' in access && access.proof === true;

/** Request headers for a signed-in person in an environment. */
const asIn = (environment: 'live' | 'sandbox', { headers }: Session): Headers => ({
  ...headers,
  'x-environment': environment,
});

/** Members with a lower role than required, in an environment. */
const lesser = (field: RootField, environment: 'live' | 'sandbox'): Record<string, Headers> =>
  Object.fromEntries(
    roles
      .slice(0, roles.indexOf(leastRole(field)))
      .map((role) => [`${role} in ${environment}`, asIn(environment, people[role])]),
  );

const scopesNeeded = ({ access }: RootField): readonly Scope[] => {
  if (!('scope' in access)) throw new Error('The field is not for keys.');
  return scopesOf(access);
};

/** API keys that each lack one of the required scopes and have all others. */
const lacking = async (field: RootField): Promise<Record<string, Headers>> => {
  const callers: Record<string, Headers> = {};
  for (const scope of scopesNeeded(field)) {
    const others = scopes.filter((other) => other !== scope);
    callers[`a key without ${scope}`] = { 'x-api-key': await keyWith(field, others) };
  }
  return callers;
};

/** Creates the objects that a call needs, and waits until background work in the sandbox is done. */
async function madeFor(field: RootField): Promise<Made> {
  const made = await field.make(shop);
  await clockSettled(shop);
  await exampleSettled(shop);
  return made;
}

/** Watches changes in the whole database. */
const everything = () => watchChanges(t.app.database.query);

/** Watches changes in the environment under test. */
const ours = () => watchChanges(t.app.database.query, shop.environmentId);

/**
 * Expects that responses to other callers contain no IDs of this environment other than known ones, and that
 * requests for its objects fail with a not-found error.
 */
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

/** Operations that return data to callers of other environments, with the reasons. */
const shownToUnknownRecords: Readonly<Record<string, string>> = {
  aiModel: 'The catalog of AI models is one for all.',
  eventStream: 'A stream of everything shows strangers their own, and waits where there is none.',
  eventDigest: 'The same, counted.',
  payoutChanged: 'The same, of payouts.',
};

/**
 * Acceptable error codes for an authorized caller: archived routes, live-only features in the sandbox, and an
 * organization that has an owner.
 */
const beyondAccess: readonly unknown[] = [
  null,
  'endpoint_deprecated',
  'payouts_not_available_in_sandbox',
  'organization_already_claimed',
];

/** Operations whose sample requests are rejected for their input. A reset without confirmation deletes no data. */
const rejectedInput: Readonly<Record<string, string>> = { sandboxReset: 'validation_error' };

/** Acceptable error codes for an authorized caller of the operation. */
const passed = (name: string): readonly unknown[] =>
  name in rejectedInput ? [rejectedInput[name]] : beyondAccess;

describe.each(forKeys)('the API key operation %s', (name, field) => {
  const isSandboxOnly = 'environment' in field.access && field.access.environment === 'sandbox';
  let made: Made;
  let session: string;
  beforeAll(async () => {
    await openHome();
    session = await openPortal(shop, portalCustomer);
    made = await madeFor(field);
  });

  test('returns 401 without a usable key, returns 403 if any access requirement is not met, and changes no data', async () => {
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
    const forbidden = {
      ...(await lacking(field)),
      ...lesser(field, 'sandbox'),
      ...(isSandboxOnly ? {} : lesser(field, 'live')),
      ...(needsLiveKey(field) ? { 'a sandbox key': { 'x-api-key': shop.key } } : {}),
    };
    const changes = await everything();
    expectEmitted(await emitAll(field, made, unusable), 'unauthorized', 401);
    expectEmitted(await emitAll(field, made, forbidden), 'forbidden', 403);
    if (needsProof(field))
      expectEmitted(
        await emitAll(field, made, { 'an admin who signed in an hour ago': asIn('live', people.stale) }),
        'reauthentication_required',
        403,
      );
    if (isSandboxOnly)
      expectEmitted(
        await emitAll(field, made, { 'a live key': { 'x-api-key': home.liveKey } }),
        'sandbox_only',
        403,
      );
    expect(await changes()).toEqual([]);
  });

  test.skipIf(Object.hasOwn(shownToUnknownRecords, name))(
    "returns no data and changes nothing for a key of another environment, even with this environment's IDs",
    async () => {
      const ids = await idsIn(t.app.database.query, shop.environmentId);
      const changes = await ours();
      const emit = (caller: string, key: string) => emitAll(field, made, { [caller]: { 'x-api-key': key } });
      const others = needsLiveKey(field) ? unknownRecordLiveKey : unknownRecord.key;
      expectNothing(made, ids, await emit('another tenant', others), []);
      // A live key of the same organization may see the organization's ID.
      if (!isSandboxOnly)
        expectNothing(made, ids, await emit('the live key of the same organization', home.liveKey), [
          home.organizationId,
        ]);
      expect(await changes()).toEqual([]);
    },
  );

  test('accepts a key with only the required scopes', async () => {
    const headers = { 'x-api-key': await keyWith(field, scopesNeeded(field)) };
    const { operation, request } = made;
    const answer =
      field.route === null
        ? await overGraphql(field, operation, headers)
        : await overRest(field, request ?? {}, headers);
    expect(passed(name)).toContain(answer.code);
  });

  test('allows members with its minimum role', async () => {
    // The previous test has used the created objects, unless the operation is a query.
    const { operation } = field.kind === 'query' ? made : await madeFor(field);
    const isLive = 'environment' in field.access && field.access.environment === 'live';
    const headers = asIn(isLive ? 'live' : 'sandbox', people[leastRole(field)]);
    const { code } = await overGraphql(field, operation, headers);
    expect(passed(name)).toContain(code);
  });
});

test.each(forPeople)(
  '%s returns 401 unless a person is signed in, and 403 for lower roles and outside the live environment',
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
    if (isForMembers && needsProof(field) && access.member !== 'owner')
      expectEmitted(
        await emitAll(field, made, { 'an admin who signed in an hour ago': asIn('live', people.stale) }),
        'reauthentication_required',
        403,
      );
    if (isForMembers && access.environment === 'live')
      expectEmitted(
        await emitAll(field, made, { 'the owner in the sandbox': people.owner.headers }),
        'forbidden',
        403,
      );
    expect(await changes()).toEqual([]);
  },
);

test('the only public operations are provisioning, countries, currencies, tax ID checks and links', () => {
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

describe('the page operation', () => {
  test.each(forPages)(
    '%s returns 401 for an API key without a token and for invalid tokens',
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

  test.each(forPages)('%s accepts its token along with any valid API key', async (_name, field) => {
    for (const key of [shop.key, home.liveKey, unknownRecord.key]) {
      const { operation } = await madeFor(field);
      expect(await overGraphql(field, operation, { 'x-api-key': key })).toMatchObject({
        code: null,
        status: 200,
      });
    }
  });
});

test('a public operation returns the same response with and without a valid key, and 401 for an invalid key', async () => {
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

test('an operation with a page field and an API key field executes each with its own credentials only', async () => {
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
