import { type QuittanceError, specificError } from '../domain/errors/errors.ts';
import type { KeyPolicy } from '../domain/limits/key-policy.ts';
import type { MemberRole, Role } from '../domain/limits/member-roles.ts';
import type {} from '../domain/stored-types.ts';
import type { ChangeSet } from '../domain/subscription/state/aggregate.ts';
import type { ComputeTax } from '../domain/tax/tax.ts';
import type { Auth, Person } from '../identity/auth.ts';
import { type OutboxEvent, renewCatalogVersion } from '../outbox/write.ts';
import { type Clock, fixedClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { type EnvironmentDetails, findEnvironment } from '../platform/credentials.ts';
import type { Database, Query, Transaction } from '../platform/db/pool.ts';
import { queryWithin } from '../platform/db/share.ts';
import { type TenantClient, tenantClient } from '../platform/db/tenant.ts';
import { WaitBudget } from '../platform/db/wait-budget.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail.ts';
import type { PubSub } from '../platform/pubsub.ts';
import type { Visits } from '../platform/queue/visits.ts';
import type { Allowance } from '../platform/rate-limit.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Gateways } from '../providers/provider.ts';
import type { ApprovedRun } from './approved-run.ts';
import type { RequestRecorder } from './log/entry.ts';
import { noteWrite, readerOf, sharedQuery } from './reads.ts';
import type { ResumeLog } from './resume-log.ts';

/** State of the process, which all requests share. */
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
  /** Real time. Used for API keys, idempotency keys, rate limits, and leases. */
  readonly wall: Clock;
  /** Work of the background loops in this process. */
  readonly visits: Visits;
  /** Number of errors that this process returned, by error code. */
  readonly rejections: Map<string, number>;
  /** Runs an operation within the limits of its caller. */
  readonly guard: Guard;
  /** Records the requests of API keys and members. */
  readonly requestLog: RequestRecorder;
};

/** Operation of an API key or a member. `role` is the lowest role of members who can call the operation. */
export type GuardedOperation = {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly movesMoney: boolean;
  /** False if the changes of the operation can't be rolled back, because it calls a service or records usage. */
  readonly isPreviewable: boolean;
  readonly role: Role;
  readonly args: object;
};

/** Runs an operation within the limits of its caller. Throws `forbidden` if a limit or a policy rejects the operation. */
export type Guard = <T>(
  ctx: Context,
  operation: GuardedOperation,
  run: (ctx: Context) => Promise<T>,
) => Promise<T>;

/** Receives the changes of an operation while it runs. */
export type Effects = {
  /** True if the changes are rolled back. */
  readonly isPreview: boolean;
  /** Receives the name and the arguments of a mutation. */
  readonly noteOperation: (name: string, args: object) => void;
  /** Receives events that don't belong to a decision. */
  readonly noteEvents: (events: readonly OutboxEvent[]) => void;
  /** Receives decisions before they're written. Throws if the caller must not make them. */
  readonly noteChanges: (tx: TransactionContext, sets: readonly ChangeSet[]) => Promise<void>;
  /** Receives money that isn't part of a decision. `amount` is in minor units. */
  readonly noteMoney: (
    tx: TransactionContext,
    money: { readonly id: string; readonly currency: string; readonly amount: bigint },
  ) => void;
};

/** Hosted pages whose tokens authenticate operations. */
export type Page = 'checkout' | 'invoice' | 'method' | 'pay' | 'portal' | 'pricing' | 'recover';

/** Caller of an operation, as identified by the request's credentials. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'key';
      readonly apiKeyId: string;
      readonly scopes: readonly string[];
      /** Permissions by area. Absent if the scopes apply to all areas. */
      readonly permissions?: readonly string[];
      /** Absent if the key has no policy. */
      readonly policy?: KeyPolicy;
    }
  | { readonly kind: 'page'; readonly page: string; readonly subjectId: string; readonly token: string }
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'member'; readonly person: Person; readonly memberId: string; readonly role: MemberRole }
  | SystemCaller;

/**
 * Caller for work of the process itself: scheduled work, a test clock run, or a provider's webhook event. For a webhook event, `actorId` is the event
 * ID.
 */
type SystemCaller = {
  readonly kind: 'system';
  readonly source: 'worker' | 'clock' | 'provider';
  readonly actorId: string | null;
};

/** Caller of scheduled work. */
const worker: SystemCaller = { kind: 'system', source: 'worker', actorId: null };

/** Part of the request context that exists before authentication. */
export type AnonymousContext = {
  readonly app: App;
  readonly requestId: string;
  readonly log: Log;
  readonly wall: Clock;
  /** API version of the request (PLT-63). */
  readonly version: string;
  readonly caller: Caller;
  /** Returns the value cached under the key, or creates it. Used for batch loaders, for example. */
  readonly once: <T>(key: string, make: () => T) => T;
  /** Clears the values cached by `once`, which may be stale after a write. */
  readonly forget: () => void;
  /** Log for resuming interrupted work. `null` if the request has no idempotency key, or if the open transaction also stores the response. */
  readonly resumeLog: ResumeLog | null;
  /** Receives the changes of the operation. `null` if nothing needs them. */
  readonly effects: Effects | null;
  /** ID of the approval that the request names. `null` if it names none. */
  readonly approvalId: string | null;
  /** Execution of the approved call. `null` if the operation isn't an approved call that Quittance makes. */
  readonly approvedRun: ApprovedRun | null;
};

/**
 * Context for resolvers and services. `db` and `sql` only access the caller's environment. Inside a callback of `inTransaction`, use the transaction
 * context that it passes.
 */
type EnvironmentContext = AnonymousContext & {
  /** Environment of the caller. Throws if the caller isn't authenticated. The `access` setting of an operation rejects such callers earlier. */
  readonly environment: EnvironmentDetails;
  readonly livemode: boolean;
  /** The environment's time. Inside a sandbox transaction, the time of the locked test clock. */
  readonly clock: Clock;
  readonly db: TenantClient;
  /** Runs an SQL statement. `$1` is the environment ID; the parameters start at `$2`. */
  readonly sql: Query;
  /** Runs an SQL statement of a list or a metric like `sql`, but possibly on a read replica, whose data can be some seconds old. */
  readonly reads: Query;
  /** Transaction that is open in this context. `null` if no transaction is open. */
  readonly transaction: OpenTransaction | null;
};

export type Context = EnvironmentContext;

/** Context for functions that must run inside a transaction. */
export type TransactionContext = EnvironmentContext & { readonly transaction: OpenTransaction };

export type OpenTransaction = Transaction & {
  readonly afterCommit: (work: () => void) => void;
  /** Requests a new catalog version for the environment, which is written at the end of the transaction. */
  readonly changesCatalog: () => void;
  /** Runs `work` in a savepoint of an outer transaction. `null` in an operation's own transaction. */
  readonly nested: (<T>(work: () => Promise<T>) => Promise<T>) | null;
};

/** Latest API version (PLT-63). */
export const currentVersion = '2026-08-27';

const anonymous: Caller = { kind: 'anonymous' };

export class RequestContext implements Context {
  readonly app: App;
  readonly requestId: string;
  readonly wall: Clock;
  readonly transaction = null;
  /** Caller of the request. Set by `become` and `becomePerson`. */
  caller: Caller = anonymous;
  version = currentVersion;
  resumeLog: ResumeLog | null = null;
  effects: Effects | null = null;
  approvalId: string | null = null;
  approvedRun: ApprovedRun | null = null;
  /** Time that the request may still wait for the database. `null` if the time isn't limited, as for background work and live fields. */
  waits: WaitBudget | null = null;
  /** Unverified page token that was sent with an API key. Used by hosted page operations. */
  bearer: string | null = null;
  /** State of the caller's rate limit window. `null` before the request is counted. */
  allowance: Allowance | null = null;
  /**
   * Counts the request in an additional rate limit window for its IP address. Throws RateLimitedError if that limit is exceeded. Does nothing for
   * requests from the process itself.
   */
  countSender: (bucket: 'purchases' | 'password') => Promise<void> = () => Promise.resolve();
  /** True if the GraphQL response includes the cost of the operation. */
  showsCost = false;
  /** True if the caller performed an action. The caller can't be replaced after that. */
  hasActed = false;
  #environment: EnvironmentDetails | null = null;
  #db: TenantClient | null = null;
  #log: Log | null = null;
  #kept = new Map<string, unknown>();

  constructor(app: App, requestId: string) {
    this.app = app;
    this.requestId = requestId;
    this.wall = app.wall;
  }

  /** Limits the time that the request waits for the database. */
  limitWaits(): void {
    this.waits = new WaitBudget(this.app.config.databaseWaitMs);
  }

  get log(): Log {
    this.#log ??= this.app.log.child({ requestId: this.requestId });
    return this.#log;
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
    return businessClock(this.environment, this.wall);
  }
  get db(): TenantClient {
    const { id } = this.environment;
    const { database } = this.app;
    this.#db ??= tenantClient(database.prisma, id, {
      onCatalogChange: () => renewCatalogVersion(queryWithin(database, id), id),
      share: (work) => database.share.run(id, work, { budget: this.waits }),
    });
    return this.#db;
  }
  get sql(): Query {
    const { database } = this.app;
    return sharedQuery(database, database.query, this.environment.id, this.waits);
  }
  get reads(): Query {
    const { database } = this.app;
    return sharedQuery(database, readerOf(database, this), this.environment.id, this.waits);
  }
  /** Notes that the request writes, so that lists of its caller contain the changes. */
  noteWrite(): void {
    noteWrite(this.app.database, this);
  }
  once<T>(key: string, make: () => T): T {
    // The cast is safe because every caller of a key uses the same type.
    return this.#kept.getOrInsertComputed(key, make) as T;
  }
  forget(): void {
    // Replaces the map instead of clearing it, because other contexts may share the map.
    this.#kept = new Map();
  }

  /**
   * Sets the caller. Throws `unauthorized` if the request already has a different caller, except that a page token can replace an API key or member
   * that hasn't performed an action. `kept` becomes the cache of `once`.
   */
  become(caller: Caller, environment: EnvironmentDetails, kept = new Map<string, unknown>()): void {
    const isTakenOver = caller.kind === 'page' && this.caller.kind !== 'page' && !this.hasActed;
    if (this.#environment !== null && !isTakenOver && !isSameCaller(this.caller, caller))
      throw unauthorized();
    this.caller = caller;
    this.#environment = environment;
    this.#db = null;
    this.#kept = kept;
  }

  /** Sets the caller to a signed-in user without an environment: the user has no organization, or the request doesn't name one. */
  becomePerson(person: Person): void {
    this.caller = { kind: 'person', person };
  }
}

/** Returns the cached value of a key. Creates the value on first use. */
export const keep = <T>(kept: Map<string, unknown>, key: string, make: () => T): T =>
  // The cast is safe because every caller of a key uses the same type.
  kept.getOrInsertComputed(key, make) as T;

const isSameCaller = (a: Caller, b: Caller): boolean =>
  (a.kind === 'system' && b.kind === 'system') ||
  (a.kind === 'key' && b.kind === 'key' && a.apiKeyId === b.apiKeyId) ||
  (a.kind === 'page' && b.kind === 'page' && a.token === b.token) ||
  (a.kind === 'member' && b.kind === 'member' && a.memberId === b.memberId);

const businessClock = (environment: EnvironmentDetails, wall: Clock): Clock =>
  environment.simulatedTime === null ? wall : fixedClock(environment.simulatedTime);

/**
 * Returns the same error for all invalid API keys and tokens, so that the error doesn't reveal whether a key exists
 * (PLT-12).
 */
export const unauthorized = (): QuittanceError => specificError('unauthorized', 'api_key_missing');

/** Returns a system context for an environment. `null` if the environment doesn't exist or its organization is archived. */
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

/**
 * Returns a system context for an environment, for workers, start-up and tests. Throws if the environment doesn't exist or its organization is
 * archived.
 */
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
