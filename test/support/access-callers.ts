import { expect } from 'vitest';
import { type Role, roles } from '../../src/domain/limits/member-roles.ts';
import { type Scope, scopes } from '../../src/domain/limits/permissions.ts';
import { roleOf, scopesOf } from '../../src/graphql/declare/access.ts';
import { mintKey } from '../../src/modules/organization/api-keys/mint.ts';
import { findEnvironment } from '../../src/platform/credentials.ts';
import { createCustomer, createSubscription, firstShop, openPortal, type Shop, shopOf } from './factories.ts';
import { needsLiveKey, type Operation, type RootField } from './fields.ts';
import type { Tenant, TestApp } from './harness.ts';
import { liveClient } from './live.ts';
import { refuseExamples } from './operations/example-shop.ts';
import { memberOf, type Session, signUp } from './people.ts';
import { addressOf, type Request } from './requests.ts';

// Callers with and without access to operations, and their calls over every interface.

/** Response that a caller received: the status, the error code or `null`, and the whole body as text. */
export type Emitted = { readonly status: number; readonly code: string | null; readonly text: string };

export type Headers = Readonly<Record<string, string>>;

export type Callers = Readonly<Record<string, Headers>>;

/** Request that the operation accepts, with the objects that it needs. */
export type Made = Awaited<ReturnType<RootField['make']>>;

type EnvironmentName = 'live' | 'sandbox';

/** Organization with a caller of each type. */
export type Home = Tenant & {
  readonly shop: Shop;
  /** API keys of another organization. */
  readonly stranger: { readonly sandboxKey: string; readonly liveKey: string };
  /** Token of a checkout page, and token of a portal session. */
  readonly pageToken: string;
  readonly portalToken: string;
  /** Signed-in users: one per role, an admin who authenticated an hour ago, and a user without an organization. */
  readonly people: Readonly<Record<Role | 'stale' | 'outsider', Session>>;
  readonly expiredKey: string;
  /** Returns an API key with exactly these scopes, in an environment that allows the operation. */
  readonly keyWith: (field: RootField, only: readonly Scope[]) => Promise<string>;
};

async function mint(
  t: TestApp,
  environmentId: string,
  only: readonly Scope[],
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

/** Returns an environment's API key with exactly these scopes. Creates each key once. */
export function keysIn(t: TestApp): (environmentId: string, only: readonly Scope[]) => Promise<string> {
  const keys = new Map<string, Promise<string>>();
  return (environmentId, only) =>
    keys.getOrInsertComputed(`${environmentId} ${only.join(' ')}`, () => mint(t, environmentId, only));
}

async function peopleOf(t: TestApp, organizationId: string, outsider: Session): Promise<Home['people']> {
  const admin = await memberOf(t, organizationId, 'admin');
  await t.app.database.prisma.session.updateMany({
    where: { userId: admin.userId },
    data: { provenAt: new Date(t.app.wall.now().getTime() - 3_600_000) },
  });
  return {
    member: await memberOf(t, organizationId, 'member'),
    admin: await memberOf(t, organizationId, 'admin'),
    owner: await memberOf(t, organizationId, 'owner'),
    stale: admin,
    outsider,
  };
}

/** Creates organizations with a caller of each type. Creates the user without an organization only once. */
export async function homesIn(t: TestApp): Promise<() => Promise<Home>> {
  const outsider = await signUp(t);
  return async () => {
    const tenant = await t.otherTenant();
    const keys = keysIn(t);
    const shop = firstShop({ ...t, ...tenant });
    const { sandboxKey, sandboxId, liveKey } = await t.otherTenant();
    // Makes example runs in the other organization fail immediately. Otherwise, they would continue in the
    // background.
    await refuseExamples(shopOf(t, sandboxKey, sandboxId));
    return {
      ...tenant,
      shop,
      stranger: { sandboxKey, liveKey },
      pageToken: (await createSubscription(shop)).token ?? '',
      portalToken: await openPortal(shop, (await createCustomer(shop)).id),
      people: await peopleOf(t, tenant.organizationId, outsider),
      expiredKey: await mint(t, tenant.sandboxId, scopes, new Date('2020-01-01T00:00:00.000Z')),
      keyWith: (field, only) => keys(needsLiveKey(field) ? tenant.liveId : tenant.sandboxId, only),
    };
  };
}

async function overRest(t: TestApp, { route }: RootField, request: Request, headers: Headers) {
  if (route === null) throw new Error('The field has no route.');
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const address = `${t.url}/api/v1${addressOf(route.path, request)}`;
  const response = await fetch(address, { method: route.method, headers, ...body });
  const text = await response.text();
  const parsed = JSON.parse(text) as { error?: { code: string } } | null;
  return { status: response.status, code: parsed?.error?.code ?? null, text };
}

type Rejection = { readonly extensions: Emitted };

type GraphqlResult = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly Rejection[];
};

/** Converts a GraphQL result to the format that all interfaces share. Expects a rejected field to be `null`. */
function emittedOf(name: string, { data, errors }: GraphqlResult, text: string): Emitted {
  const rejection = errors?.[0]?.extensions;
  if (rejection !== undefined && data !== null && data !== undefined) expect(data[name]).toBeNull();
  return { status: rejection?.status ?? 200, code: rejection?.code ?? null, text };
}

/** Returns the first event of an event stream, and closes the stream. */
async function firstEvent(response: Response): Promise<string> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, data] = /^data: ?(\{.*\})$/m.exec(text) ?? [];
    if (data !== undefined) return data;
  }
  return text;
}

/** Calls an operation over GraphQL. A live field responds with a stream; only its first event is read. */
export async function overGraphql(
  t: TestApp,
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
  return emittedOf(name, JSON.parse(text) as GraphqlResult, text);
}

/** Payload with which a socket authenticates as the caller. `null` if the caller uses a cookie. */
function payloadOf(headers: Headers): Record<string, string> | null {
  if ('cookie' in headers) return null;
  const [, token] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
  const apiKey = headers['x-api-key'];
  return { ...(apiKey === undefined ? {} : { apiKey }), ...(token === undefined ? {} : { token }) };
}

const isRejection = (error: unknown): error is readonly Rejection[] => Array.isArray(error);

/** Calls an operation over a socket. A socket that closes with 4403 has rejected the caller's credentials. */
async function overSocket(
  t: TestApp,
  { name }: RootField,
  { text: query, variables }: Operation,
  payload: Record<string, string>,
): Promise<Emitted> {
  const client = liveClient(t.url, payload);
  try {
    const { value } = await client.iterate({ query, variables }).next();
    const result = value as GraphqlResult;
    return emittedOf(name, result, JSON.stringify(result));
  } catch (error) {
    if (isRejection(error)) return emittedOf(name, { errors: error }, JSON.stringify(error));
    const { code } = error as { code?: unknown };
    if (code !== 4403) throw error;
    return { status: 401, code: 'unauthorized', text: '' };
  } finally {
    await client.dispose();
  }
}

/** Returns the request for a page operation with another page's token. */
export function withToken(made: Made, token: string): Made {
  const { variables } = made.operation;
  const { input } = variables as { input?: object };
  const changed = input === undefined ? { ...variables, token } : { input: { ...input, token } };
  return { ...made, operation: { ...made.operation, variables: changed } };
}

/** Calls an operation over REST if it has a route, otherwise over GraphQL. */
export const emitOnce = (t: TestApp, field: RootField, made: Made, headers: Headers): Promise<Emitted> =>
  field.route === null
    ? overGraphql(t, field, made.operation, headers)
    : overRest(t, field, made.request ?? {}, headers);

/**
 * Calls an operation as each caller over REST and GraphQL. If `withSockets` is set, also calls it over a socket. Returns the responses. The
 * requests run concurrently, because rejected requests don't affect each other.
 */
export async function emitAll(
  t: TestApp,
  field: RootField,
  { request, operation }: Made,
  callers: Callers,
  withSockets = false,
): Promise<Record<string, Emitted>> {
  const calls = Object.entries(callers).flatMap(([caller, headers]) => {
    const payload = withSockets && field.kind !== 'mutation' ? payloadOf(headers) : null;
    const doors: Record<string, Promise<Emitted>> = {
      ...(field.route === null ? {} : { REST: overRest(t, field, request ?? {}, headers) }),
      GraphQL: overGraphql(t, field, operation, headers),
      ...(payload === null ? {} : { socket: overSocket(t, field, operation, payload) }),
    };
    return Object.entries(doors).map(async ([door, emitted]) => [`${caller}, ${door}`, await emitted]);
  });
  return Object.fromEntries(await Promise.all(calls));
}

/** Expects the same error in the responses to all callers. */
export function expectEmitted(
  emitted: Readonly<Record<string, Emitted>>,
  code: string,
  status: number,
): void {
  const details = Object.entries(emitted).map(([caller, answer]) => [caller, answer.code, answer.status]);
  expect(details.length).toBeGreaterThan(0);
  expect(details).toEqual(Object.keys(emitted).map((caller) => [caller, code, status]));
}

/** Returns the minimum role that a member needs for the field. */
export const leastRole = ({ access }: RootField): Role => {
  if ('member' in access) return access.member === 'any' ? 'member' : access.member;
  return 'scope' in access ? roleOf(access) : 'member';
};

/** True if members must have authenticated recently. */
export const needsProof = ({ access }: RootField): boolean => 'proof' in access && access.proof === true;

/** True if the operation is allowed only in this environment. */
export const isOnlyIn = ({ access }: RootField, environment: EnvironmentName): boolean =>
  'environment' in access && access.environment === environment;

/** Returns a signed-in user's request headers in an environment. */
export const asIn = (environment: EnvironmentName, { headers }: Session): Headers => ({
  ...headers,
  'x-environment': environment,
});

/** Returns the request headers, in an environment, of members whose role is too low. */
export const lesser = (
  field: RootField,
  environment: EnvironmentName,
  people: Home['people'],
): Record<string, Headers> =>
  Object.fromEntries(
    roles
      .slice(0, roles.indexOf(leastRole(field)))
      .map((role) => [`${role} in ${environment}`, asIn(environment, people[role])]),
  );

/** Returns API keys that have all but one of the required scopes. */
export async function lacking(
  field: RootField,
  needed: readonly Scope[],
  { keyWith }: Home,
): Promise<Record<string, Headers>> {
  const callers: Record<string, Headers> = {};
  for (const scope of needed) {
    const others = scopes.filter((other) => other !== scope);
    callers[`a key without ${scope}`] = { 'x-api-key': await keyWith(field, others) };
  }
  return callers;
}

/** Returns the scopes that an API key needs for the operation. */
export function scopesNeeded({ access }: RootField): readonly Scope[] {
  if (!('scope' in access)) throw new Error('The field is not for keys.');
  return scopesOf(access);
}

/**
 * Acceptable error codes for an authorized caller: archived routes, live-only features in the sandbox, and an organization that has an
 * owner.
 */
const beyondAccess: readonly unknown[] = [
  null,
  'endpoint_deprecated',
  'payouts_not_available_in_sandbox',
  'organization_already_claimed',
];

/**
 * Operations whose sample requests are rejected because of their input. For example, a reset without confirmation is rejected, so it
 * deletes no data.
 */
const rejectedInput: Readonly<Record<string, string>> = { sandboxReset: 'validation_error' };

/** Returns the error codes that an authorized caller of the operation may receive. */
export const passed = (name: string): readonly unknown[] =>
  name in rejectedInput ? [rejectedInput[name]] : beyondAccess;
