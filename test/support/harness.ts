import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type App, type Context, systemContext } from '../../src/context.ts';
import { mintKey } from '../../src/modules/api-keys/mint.ts';
import { createOrganization } from '../../src/modules/organizations/create.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import type { Gateways } from '../../src/providers/provider.ts';
import { type Running, start } from '../../src/start.ts';
import { undeclaredErrors } from './declared-errors.ts';
import { emptyDatabase, leaseDatabase } from './reused.ts';
import { openStripe } from './stripe.ts';

/** An answer of the server, its body parsed. */
export type Answer<T = Record<string, unknown>> = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
};

/** The error of a GraphQL answer. */
export type GraphqlFailure = {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, unknown>;
};

/** Settings of a call: the key (null for none), more headers. */
export type CallOptions = { readonly key?: string | null; readonly headers?: Record<string, string> };

/** A whole product on a database of its own, reached as clients reach it. */
export type TestApp = {
  readonly app: App;
  readonly url: string;
  readonly sandboxKey: string;
  readonly liveKey: string;
  readonly sandboxId: string;
  readonly liveId: string;
  readonly organizationId: string;
  /** Calls REST below /api/v1; a body makes it JSON; writes carry a fresh Idempotency-Key unless headers name one. */
  readonly rest: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ) => Promise<Answer<T>>;
  /** Runs a GraphQL operation and answers its data; fails the test on errors. */
  readonly graphql: <T = Record<string, unknown>>(
    query: string,
    variables?: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<T>;
  /** Runs a GraphQL operation that must fail and answers its errors and what data came with them. */
  readonly graphqlFailure: (
    query: string,
    variables?: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<{ status: number; errors: GraphqlFailure[]; data: unknown }>;
  /** A context of the process for the sandbox, to look behind the doors. */
  readonly context: () => Promise<Context>;
  /** Another organization with its environments and keys. */
  readonly otherTenant: () => Promise<Tenant>;
  readonly close: () => Promise<void>;
};

type Settings = {
  /** Starts a process that no other file uses, for what looks at or changes what a process holds: metrics, limits, memory. */
  readonly own?: true;
  readonly env?: Record<string, string>;
  readonly wall?: Clock;
  readonly gateways?: (opened: Gateways) => Gateways;
  /** What the process gets in place of its database. */
  readonly database?: (opened: Database) => Database;
};

/** An organization with its environments and a key of each. */
export type Tenant = {
  readonly organizationId: string;
  readonly sandboxKey: string;
  readonly liveKey: string;
  readonly sandboxId: string;
  readonly liveId: string;
};

/** An organization with a key of all scopes for each of its environments. */
export async function newTenant(app: App, name: string): Promise<Tenant> {
  const { organization, sandbox, live } = await createOrganization(app, { name });
  const mint = async (environment: typeof sandbox): Promise<string> => {
    const minted = await app.database.transaction((transaction) =>
      mintKey(transaction, environment, { name: 'Test key' }, app.wall.now()),
    );
    if (minted === null) throw new Error('A random secret was drawn twice.');
    return minted.secret;
  };
  return {
    organizationId: organization.id,
    sandboxKey: await mint(sandbox),
    liveKey: await mint(live),
    sandboxId: sandbox.id,
    liveId: live.id,
  };
}

const writes = new Set(['POST', 'PUT', 'PATCH']);

/** The product as it runs, and how it ends. */
type Started = { readonly running: Running; readonly close: () => Promise<void> };

/** Starts the product on an empty database: a real HTTP server, a real worker, nothing mocked. */
async function startOwn(settings: Settings): Promise<Started> {
  const { database, release } = await leaseDatabase();
  // No test talks to Stripe itself.
  const stripe = await openStripe();
  const config = parseConfig({
    DATA_DIR: 'memory:',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DASHBOARD: 'off',
    WORKER_POLL_MS: '100',
    // Once, at the start: what is removed in the midst of a test would look like a trace of it.
    HOUSEKEEPING_MS: '86400000',
    RATE_LIMIT_PER_MINUTE: '0',
    PURCHASES_PER_MINUTE: '0',
    STRIPE_URL: stripe.url,
    ...settings.env,
  });
  const { env: _env, own: _own, database: replace, ...parts } = settings;
  const running = await start(config, { ...parts, database: replace?.(database) ?? database });
  const close = async (): Promise<void> => {
    await running.close();
    await stripe.close();
    await release();
  };
  return { running, close };
}

/** The process all files of a worker use that need nothing special, and the file that uses it now. */
const shared: { running: Promise<Running> | null; user: string | null } = { running: null, user: null };

/** Rows the shared process holds in memory as well: its secret, and what it keeps house by. */
const ofTheProcess = ['Setting', 'ScheduledTask'];

/**
 * Empties the database of the worker's shared process for a file, and answers the process; null where the file has it already. A file that did
 * not give it back, since it failed, has ended.
 */
async function takeShared(): Promise<Started | null> {
  const user = expect.getState().testPath ?? null;
  if (user === null || shared.user === user) return null;
  shared.user = user;
  shared.running ??= startOwn({}).then(({ running }) => running);
  const running = await shared.running;
  await emptyDatabase(running.app.database, ofTheProcess);
  return {
    running,
    close: async () => {
      shared.user = null;
    },
  };
}

/**
 * The product with an organization of its own in an empty database. Files that ask for nothing special use one process per worker, one after the
 * other; settings, or `own`, start another.
 */
export async function startApp(settings: Settings = {}): Promise<TestApp> {
  const isPlain = Object.keys(settings).length === 0;
  const { running, close } = (isPlain ? await takeShared() : null) ?? (await startOwn(settings));
  const { app, url } = running;
  const own = await newTenant(app, 'Test organization');

  const call = async (path: string, init: RequestInit, options: CallOptions): Promise<Answer<unknown>> => {
    const headers = new Headers(init.headers);
    const key = options.key === undefined ? own.sandboxKey : options.key;
    if (key !== null) headers.set('x-api-key', key);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const response = await fetch(`${url}${path}`, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };

  const post = async (query: string, variables: Record<string, unknown>, options: CallOptions) => {
    // What the server answers to a GraphQL request.
    const answer = (await call(
      '/graphql',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      },
      options,
    )) as Answer<{ data?: unknown; errors?: GraphqlFailure[] }>;
    const undeclared = undeclaredErrors(query, answer.body.errors ?? []);
    if (undeclared.length > 0) throw new Error(undeclared.join('\n'));
    return answer;
  };

  return {
    app,
    url,
    sandboxKey: own.sandboxKey,
    liveKey: own.liveKey,
    sandboxId: own.sandboxId,
    liveId: own.liveId,
    organizationId: own.organizationId,
    rest: async <T>(method: string, path: string, body?: unknown, options: CallOptions = {}) => {
      const headers: Record<string, string> = {
        ...(writes.has(method) ? { 'idempotency-key': randomUUID() } : {}),
        ...options.headers,
      };
      if (body !== undefined) headers['content-type'] = 'application/json';
      return (await call(
        `/api/v1${path}`,
        { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
        { ...options, headers },
      )) as Answer<T>;
    },
    graphql: async <T>(query: string, variables = {}, options: CallOptions = {}) => {
      const { body } = await post(query, variables, options);
      if (body.errors !== undefined) throw new Error(`GraphQL failed: ${JSON.stringify(body.errors)}`);
      return body.data as T;
    },
    graphqlFailure: async (query, variables = {}, options = {}) => {
      const { status, body } = await post(query, variables, options);
      if (body.errors === undefined)
        throw new Error(`GraphQL should have failed and answered ${JSON.stringify(body.data)}`);
      return { status, errors: body.errors, data: body.data };
    },
    context: () => systemContext(app, own.sandboxId),
    otherTenant: () => newTenant(app, 'Another organization'),
    close,
  };
}
