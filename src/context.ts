import { type QuittanceError, specificError } from './domain/errors.ts';
import type {} from './domain/stored-types.ts';
import type { ComputeTax } from './domain/tax.ts';
import type { Auth, Person } from './identity/auth.ts';
import { renewCatalogVersion } from './outbox/write.ts';
import { type Clock, fixedClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { type EnvironmentDetails, findEnvironment } from './platform/credentials.ts';
import type { Database, Query, Transaction } from './platform/db/pool.ts';
import { type TenantClient, tenantClient } from './platform/db/tenant.ts';
import type { Log } from './platform/log.ts';
import type { Mail } from './platform/mail.ts';
import type { PubSub } from './platform/pubsub.ts';
import type { Allowance } from './platform/rate-limit.ts';
import type { Secrets } from './platform/secrets.ts';
import type { Gateways } from './providers/provider.ts';

/** What one process holds and every request shares. */
export type App = {
  readonly config: Config;
  readonly database: Database;
  readonly pubsub: PubSub;
  readonly secrets: Secrets;
  readonly gateways: Gateways;
  readonly tax: ComputeTax;
  readonly auth: Auth;
  readonly mail: Mail;
  readonly log: Log;
  /** Operational time: keys, idempotency, rate windows, leases. */
  readonly wall: Clock;
};

/** Permissions of an API key (PLT-13). */
export const scopes = ['read', 'write', 'finance', 'keys'] as const;
export type Scope = (typeof scopes)[number];

/** Roles of people in an organization, the one with the fewest rights first (PLT-6). */
export const roles = ['member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** The hosted pages whose tokens may call some operations. */
export type Page = 'checkout' | 'invoice' | 'method' | 'pay' | 'portal' | 'pricing' | 'recover';

/**
 * Where an operation that asks someone outside notes, with each command that does, what is under way, so that the same request made again
 * goes on with it instead of beginning again.
 */
export type ResumeLog = {
  /** What an earlier execution left under way, for its command and those before it, which are done; null for the commands after it. */
  readonly left: readonly string[] | null;
  /** Notes what the present command has under way by the open transaction's `query`. */
  readonly note: (query: Query, ids: readonly string[]) => Promise<void>;
  /** Goes on to the next command of the operation. */
  readonly next: () => void;
};

/** Who asks. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'key'; readonly apiKeyId: string; readonly scopes: readonly string[] }
  | { readonly kind: 'page'; readonly page: string; readonly subjectId: string; readonly token: string }
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'member'; readonly person: Person; readonly memberId: string; readonly role: Role }
  | SystemCaller;

/** The process itself: at its regular work, in a run of the test clock, or on the message of a provider, whose id is that of the actor. */
export type SystemCaller = {
  readonly kind: 'system';
  readonly source: 'worker' | 'clock' | 'provider';
  readonly actorId: string | null;
};

/** The process at its regular work. */
const worker: SystemCaller = { kind: 'system', source: 'worker', actorId: null };

/** What every request has, with or without a caller. */
export type AnonymousContext = {
  readonly app: App;
  readonly requestId: string;
  readonly log: Log;
  readonly wall: Clock;
  /** The API version of the request (PLT-63). */
  readonly version: string;
  readonly caller: Caller;
  /** One value per key and context, made on first use: batched loaders and the like. */
  readonly once: <T>(key: string, make: () => T) => T;
  /** Drops what `once` kept: after a write it may be stale. */
  readonly forget: () => void;
  /** Null where nothing has to be resumed: without an idempotency key, and inside the transaction that keeps answer and effect together. */
  readonly resumeLog: ResumeLog | null;
};

/**
 * What resolvers and services receive: one caller in one environment at one time. `db` and `sql` reach that environment only. Inside
 * `inTransaction` there is a TransactionContext, and only that may be used.
 */
export type EnvironmentContext = AnonymousContext & {
  /** Throws while nobody is authenticated; operations declare in `access` who may call them, so none sees that. */
  readonly environment: EnvironmentDetails;
  readonly livemode: boolean;
  /** Business time; inside a transaction of a sandbox it stands at the locked test clock. */
  readonly clock: Clock;
  readonly db: TenantClient;
  /** A statement on the driver whose $1 is the environment; further parameters follow as $2, $3, … */
  readonly sql: Query;
  /** Present inside a transaction only. */
  readonly transaction: OpenTransaction | null;
};

/** The context most functions take. */
export type Context = EnvironmentContext;

/** What a function takes that writes with others in one transaction. */
export type TransactionContext = EnvironmentContext & { readonly transaction: OpenTransaction };

export type OpenTransaction = Transaction & {
  readonly afterCommit: (work: () => void) => void;
  /** Gives the catalog of the environment another version when the transaction ends. */
  readonly changesCatalog: () => void;
  /** Runs `work` in a savepoint where this is an outer transaction; null in the transaction of an operation itself. */
  readonly nested: (<T>(work: () => Promise<T>) => Promise<T>) | null;
};

/** The current version of the interface (PLT-63). */
export const currentVersion = '2026-08-27';

/** A context whose caller can still be found out: how a request begins. */
export class RequestContext implements Context {
  readonly app: App;
  readonly requestId: string;
  version = currentVersion;
  resumeLog: ResumeLog | null = null;
  /** The page token sent beside a key, for operations of pages; it was not read yet. */
  bearer: string | null = null;
  /** Where the window of the caller stands; null before the request was counted. */
  allowance: Allowance | null = null;
  /** Counts the request once more, in another window of the address it came from. Throws where that is used up; nothing counts what the process does itself. */
  countSender: (bucket: 'purchases') => Promise<void> = () => Promise.resolve();
  /** Whether answers to operations of GraphQL say what those cost. */
  showsCost = false;
  #hasActed = false;
  #caller: Caller = { kind: 'anonymous' };
  #environment: EnvironmentDetails | null = null;
  #db: TenantClient | null = null;
  #log: Log | null = null;
  #kept = new Map<string, unknown>();

  constructor(app: App, requestId: string) {
    this.app = app;
    this.requestId = requestId;
  }

  get log(): Log {
    this.#log ??= this.app.log.child({ requestId: this.requestId });
    return this.#log;
  }

  get wall(): Clock {
    return this.app.wall;
  }
  get transaction(): null {
    return null;
  }
  get caller(): Caller {
    return this.#caller;
  }
  get isAuthenticated(): boolean {
    return this.#environment !== null;
  }
  get environment(): EnvironmentDetails {
    if (this.#environment === null)
      throw new Error('The request has no environment: its caller is not authenticated.');
    return this.#environment;
  }
  get livemode(): boolean {
    return this.environment.livemode;
  }
  get clock(): Clock {
    return businessClock(this.environment, this.app.wall);
  }
  get db(): TenantClient {
    const { id } = this.environment;
    this.#db ??= tenantClient(this.app.database.prisma, id, () =>
      renewCatalogVersion(this.app.database.query, id),
    );
    return this.#db;
  }
  get sql(): Query {
    return scopedQuery(this.app.database.query, this.environment.id);
  }
  once<T>(key: string, make: () => T): T {
    return keep(this.#kept, key, make);
  }
  forget(): void {
    // Others may share what was kept.
    this.#kept = new Map();
  }

  /**
   * Settles who asks. A request keeps its first caller: another one afterwards is rejected with `unauthorized`. Only a page may take the place of
   * a key or a member in whose name nothing was done yet. What `once` makes from now on is put into `kept`.
   */
  become(caller: Caller, environment: EnvironmentDetails, kept = new Map<string, unknown>()): void {
    const isTakenOver = caller.kind === 'page' && this.#caller.kind !== 'page' && !this.#hasActed;
    if (this.#environment !== null && !isTakenOver && !isSameCaller(this.#caller, caller))
      throw unauthorized();
    this.#caller = caller;
    this.#environment = environment;
    this.#db = null;
    this.#kept = kept;
  }

  /** Notes that something is done in the name of the caller, who stays the same from then on. */
  act(): void {
    this.#hasActed = true;
  }

  /** Settles that a person asks who belongs to no organization, or to none that was named. It has no environment. */
  becomePerson(person: Person): void {
    this.#caller = { kind: 'person', person };
  }
}

/** The value kept under a key, made on first use. */
export function keep<T>(kept: Map<string, unknown>, key: string, make: () => T): T {
  if (!kept.has(key)) kept.set(key, make());
  // Only `make` of the same key writes it.
  return kept.get(key) as T;
}

const isSameCaller = (a: Caller, b: Caller): boolean =>
  (a.kind === 'system' && b.kind === 'system') ||
  (a.kind === 'key' && b.kind === 'key' && a.apiKeyId === b.apiKeyId) ||
  (a.kind === 'page' && b.kind === 'page' && a.token === b.token) ||
  (a.kind === 'member' && b.kind === 'member' && a.memberId === b.memberId);

const businessClock = (environment: EnvironmentDetails, wall: Clock): Clock =>
  environment.simulatedTime === null ? wall : fixedClock(environment.simulatedTime);

/** The statements of an environment: its id goes before their parameters. */
export const scopedQuery =
  (query: Query, environmentId: string): Query =>
  (text, params = [], rowOf) =>
    query(text, [environmentId, ...params], rowOf);

/** The one rejection for a missing, unknown, deleted or expired key and for a token that does not fit (PLT-12). */
export const unauthorized = (): QuittanceError => specificError('unauthorized', 'api_key_missing');

/** A context of the process itself for an environment; null where there is none, and in an archived organization. */
export async function findSystemContext(
  app: App,
  environmentId: string,
  requestId = 'system',
  caller = worker,
): Promise<RequestContext | null> {
  const environment = await findEnvironment(app.database, environmentId);
  if (environment === null) return null;
  const ctx = new RequestContext(app, requestId);
  ctx.become(caller, environment);
  return ctx;
}

/** The same of an environment that must exist: the worker, start-up, tests. Throws where it does not. */
export async function systemContext(
  app: App,
  environmentId: string,
  requestId = 'system',
  caller = worker,
): Promise<RequestContext> {
  const ctx = await findSystemContext(app, environmentId, requestId, caller);
  if (ctx === null) throw new Error(`Environment ${environmentId} does not exist.`);
  return ctx;
}
