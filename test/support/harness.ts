import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { mintKey } from '../../src/modules/organization/api-keys/mint.ts';
import { createOrganization } from '../../src/modules/organization/organizations/create.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import type { Gateways } from '../../src/providers/provider.ts';
import { type App, type Context, systemContext } from '../../src/request/context.ts';
import { type Running, start } from '../../src/start.ts';
import { undeclaredErrors } from './declared-errors.ts';
import { expectDeclaredPayloads } from './event-payloads.ts';
import { emptyDatabase, leaseDatabase } from './reused.ts';
import { openStripe } from './stripe.ts';

/** Response with a parsed body. */
export type Answer<T = Record<string, unknown>> = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
};

export type GraphqlFailure = {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, unknown>;
};

/** Options of a request. If `key` is `null`, no API key is sent. */
export type CallOptions = { readonly key?: string | null; readonly headers?: Record<string, string> };

/** Complete product with a separate database. Tests use its public interfaces. */
export type TestApp = {
  readonly app: App;
  readonly url: string;
  readonly sandboxKey: string;
  readonly liveKey: string;
  readonly sandboxId: string;
  readonly liveId: string;
  readonly organizationId: string;
  /** Sends a REST request below /api/v1 with a JSON body. Writes have a new Idempotency-Key unless `headers` contain one. */
  readonly rest: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ) => Promise<Answer<T>>;
  /** Executes a GraphQL operation and returns its data. Errors fail the test. */
  readonly graphql: <T = Record<string, unknown>>(
    query: string,
    variables?: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<T>;
  /** Executes a GraphQL operation that must fail. Returns its errors and partial data. */
  readonly graphqlFailure: (
    query: string,
    variables?: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<{ status: number; errors: GraphqlFailure[]; data: unknown }>;
  /**
   * Changes organization settings with a live key. `environmentId` selects the organization. The default is the application's own
   * organization.
   */
  readonly settings: (input: object, environmentId?: string) => Promise<unknown>;
  /** The sandbox's system context, for access to internal state. */
  readonly context: () => Promise<Context>;
  /** Creates another organization with both environments and an API key for each environment. */
  readonly otherTenant: () => Promise<Tenant>;
  readonly close: () => Promise<void>;
};

export type Settings = {
  /** Starts a separate instance, for tests that inspect or change the instance's state: metrics, limits, or memory. */
  readonly own?: true;
  /** Serves the dashboard, and accepts any number of sign-ins. */
  readonly dashboard?: true;
  /** Skips the check of stored events, for tests that write events with made-up data. */
  readonly writesEvents?: true;
  readonly env?: Record<string, string>;
  readonly wall?: Clock;
  readonly gateways?: (opened: Gateways) => Gateways;
  /** Wraps or replaces the database of the instance. */
  readonly database?: (opened: Database) => Database;
};

/** Organization with both environments and an API key for each environment. */
export type Tenant = {
  readonly organizationId: string;
  readonly sandboxKey: string;
  readonly liveKey: string;
  readonly sandboxId: string;
  readonly liveId: string;
};

async function mintTestKey(
  app: App,
  environment: { readonly id: string; readonly livemode: boolean },
): Promise<string> {
  const minted = await app.database.transaction((transaction) =>
    mintKey(transaction, environment, { name: 'Test key' }, app.wall.now()),
  );
  if (minted === null) throw new Error('A random secret was drawn twice.');
  return minted.secret;
}

/** Creates an organization with a full-access key for each environment. */
export async function newTenant(app: App, name: string): Promise<Tenant> {
  const { organization, sandbox, live } = await createOrganization(app, { name });
  return {
    organizationId: organization.id,
    sandboxKey: await mintTestKey(app, sandbox),
    liveKey: await mintTestKey(app, live),
    sandboxId: sandbox.id,
    liveId: live.id,
  };
}

const writes = new Set(['POST', 'PUT', 'PATCH']);

type Started = { readonly running: Running; readonly close: () => Promise<void> };

/** Starts the product on an empty database, with a real HTTP server and worker. */
async function startOwn(settings: Settings): Promise<Started> {
  const { database, release } = await leaseDatabase();
  // Starts a fake Stripe API, because tests never call the real one.
  const stripe = await openStripe();
  const config = parseConfig({
    DATA_DIR: 'memory:',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DASHBOARD: 'off',
    // A write wakes the workers. Searching for work more often takes processor time from the tests.
    WORKER_POLL_MS: '250',
    // Runs housekeeping only at startup, because later deletions would look like effects of the test.
    HOUSEKEEPING_MS: '86400000',
    RATE_LIMIT_PER_MINUTE: '0',
    PURCHASES_PER_MINUTE: '0',
    // Records of requests would look like effects of the test.
    REQUEST_LOG_DAYS: '0',
    STRIPE_URL: stripe.url,
    ...(settings.dashboard === true ? { DASHBOARD: 'on', SIGN_INS_PER_MINUTE: '0' } : {}),
    ...settings.env,
  });
  const { env: _env, own: _own, dashboard: _dashboard, database: replace, ...parts } = settings;
  const running = await start(config, { ...parts, database: replace?.(database) ?? database });
  const close = async (): Promise<void> => {
    await running.close();
    await stripe.close();
    await release();
  };
  return { running, close };
}

/** Instance of the product, and the path of the test file that currently uses it. */
type Shared = { running: Promise<Running> | null; user: string | null };

/** Instances that the test files in a Vitest worker share unless they need special settings: without and with the dashboard. */
const shared: Readonly<Record<'plain' | 'dashboard', Shared>> = {
  plain: { running: null, user: null },
  dashboard: { running: null, user: null },
};

/**
 * Settings of shared instances. Their time is the system's time, so nearly all work becomes due with a write, which wakes the workers. An idle
 * instance would use a twentieth of a CPU if it searched four times a second.
 */
const sharedSettings = { WORKER_POLL_MS: '1000' };

/** Tables that the shared instance also caches in memory: settings, including its secret, and scheduled tasks. */
const cachedTables = ['Setting', 'ScheduledTask'];

/**
 * Empties a shared instance's database and assigns the instance to the current test file. Returns `null` if that file already uses the
 * instance. If another file is still recorded as the user, it failed and has ended.
 */
async function takeShared(settings: Pick<Settings, 'dashboard'>): Promise<Started | null> {
  const instance = shared[settings.dashboard === true ? 'dashboard' : 'plain'];
  const user = expect.getState().testPath ?? null;
  if (user === null || instance.user === user) return null;
  instance.user = user;
  instance.running ??= startOwn({ ...settings, env: sharedSettings }).then(({ running }) => running);
  const running = await instance.running;
  await emptyDatabase(running.app.database, cachedTables);
  return {
    running,
    close: async () => {
      instance.user = null;
    },
  };
}

/**
 * Starts the product with a new organization in an empty database. Files without special settings share one instance per Vitest worker, and
 * so do files that only need the dashboard. Any other setting, including `own`, starts a separate instance.
 */
export async function startApp(settings: Settings = {}): Promise<TestApp> {
  const isPlain = Object.keys(settings).every((name) => ['dashboard', 'writesEvents'].includes(name));
  const { running, close } = (isPlain ? await takeShared(settings) : null) ?? (await startOwn(settings));
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

  /** API keys for live environments by environment ID, cached for later requests. */
  const settingsKeys = new Map<string, Promise<string>>();
  const liveKeyFor = async (environmentId: string): Promise<string> => {
    const { prisma } = app.database;
    const { organizationId } = await prisma.environment.findUniqueOrThrow({ where: { id: environmentId } });
    const { id } = await prisma.environment.findFirstOrThrow({ where: { organizationId, mode: 'live' } });
    return mintTestKey(app, { id, livemode: true });
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
    settings: async (input, environmentId = own.sandboxId) => {
      const key = await settingsKeys.getOrInsertComputed(environmentId, () => liveKeyFor(environmentId));
      const { body } = await post(
        'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
        { input },
        { key },
      );
      if (body.errors !== undefined)
        throw new Error(`Settings were rejected: ${JSON.stringify(body.errors)}`);
      return body.data;
    },
    context: () => systemContext(app, own.sandboxId),
    otherTenant: () => newTenant(app, 'Another organization'),
    close: async () => {
      try {
        if (settings.writesEvents !== true) await expectDeclaredPayloads(app.database);
      } finally {
        await close();
      }
    },
  };
}
