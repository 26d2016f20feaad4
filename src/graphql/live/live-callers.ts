import { setTimeout as rest } from 'node:timers/promises';
import { findOpenSessions } from '../../identity/portal-sessions.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { coalesced } from '../../platform/coalesce.ts';
import { findRoles, findWorkingKeys, keyTopic } from '../../platform/credentials.ts';
import { WakeSignal } from '../../platform/queue/wake-signal.ts';
import type { App, Caller, RequestContext } from '../../request/context.ts';

// Access checks for callers of sockets and live fields, which outlive the request that authenticated the caller. Each
// process checks a caller once per interval, regardless of how many live fields the caller has. One SQL statement
// checks all callers of the same type.

/** Maximum delay in milliseconds between the end of a session or membership and the end of access. */
const lookMs = 500;

/**
 * Maximum delay in milliseconds between the expiration of an API key or portal session and the end of access. Deleted keys lose access immediately.
 */
const slowLookMs = 5_000;

type Kind = 'key' | 'member' | 'portal';

type Watched = {
  readonly kind: Kind;
  readonly caller: Caller;
  readonly environmentId: string;
  readonly ended: Set<() => void>;
  readonly stopHearing: () => void;
};

/** Returns a unique key for a caller. `null` if the caller's access never ends. */
function nameOf(caller: Caller, environmentId: string): { kind: Kind; name: string } | null {
  if (caller.kind === 'key') return { kind: 'key', name: `${environmentId}:${caller.apiKeyId}` };
  if (caller.kind === 'member')
    return { kind: 'member', name: `${caller.person.sessionId}:${caller.memberId}:${caller.role}` };
  if (caller.kind === 'page' && caller.page === 'portal')
    return { kind: 'portal', name: `${environmentId}:${caller.subjectId}` };
  return null;
}

export type WatchedCaller = {
  /** Returns true if the caller still has access. Concurrent checks share an SQL statement. */
  readonly hasAccess: () => Promise<boolean>;
  /** Stops checking the caller's access. */
  readonly leave: () => void;
};

/** Access check for callers whose access never ends. */
const lasting: WatchedCaller = { hasAccess: async () => true, leave: () => undefined };

/** Checks which callers still have access. All callers must be of the same type. Executes one SQL statement on a single server. */
async function findAccess(
  { database, wall }: App,
  kind: Kind,
  watched: readonly Watched[],
): Promise<readonly (boolean | Promise<boolean>)[]> {
  const { query } = database;
  const now = wall.now();
  if (kind === 'key') {
    const keys = watched.map(({ environmentId, caller }) => ({
      environmentId,
      apiKeyId: caller.kind === 'key' ? caller.apiKeyId : '',
    }));
    return findWorkingKeys(database, keys, now);
  }
  if (kind === 'portal') {
    const sessions = watched.map(({ environmentId, caller }) => ({
      environmentId,
      id: caller.kind === 'page' ? caller.subjectId : '',
    }));
    return findOpenSessions(database, sessions, now);
  }
  const members = watched.flatMap(({ caller }) => (caller.kind === 'member' ? [caller] : []));
  const roles = await findRoles(
    query,
    members.map(({ person, memberId }) => ({ sessionId: person.sessionId, memberId })),
    now,
  );
  return members.map(({ role }, index) => roles[index] === role);
}

/** Callers of the sockets and live fields in this process. */
export class LiveCallers {
  readonly #app: App;
  readonly #watched = new Map<string, Watched>();
  readonly #signal = new WakeSignal();
  readonly #due = new Set<Kind>();
  readonly #hasAccess: (watched: Watched) => Promise<boolean>;
  #isRunning = false;

  constructor(app: App) {
    this.#app = app;
    this.#hasAccess = coalesced((watched) => this.#findAccess(watched));
  }

  /**
   * Calls `ended` once when the caller loses access: its API key was deleted or expired, its session ended, or the member was removed or
   * got another role.
   */
  watch(
    { caller, environment }: Pick<RequestContext, 'caller' | 'environment'>,
    ended: () => void,
  ): WatchedCaller {
    const named = nameOf(caller, environment.id);
    if (named === null) return lasting;
    const name = `${named.kind}:${named.name}`;
    const watched = this.#watched.getOrInsertComputed(name, () => ({
      kind: named.kind,
      caller,
      environmentId: environment.id,
      ended: new Set(),
      stopHearing:
        caller.kind === 'key'
          ? this.#app.pubsub.onHint(keyTopic(caller.apiKeyId), () => this.#look('key'))
          : () => undefined,
    }));
    watched.ended.add(ended);
    if (!this.#isRunning) void this.#run();
    return {
      hasAccess: () => this.#hasAccess(watched),
      leave: () => {
        if (watched.ended.delete(ended) && watched.ended.size === 0) this.#forget(name, watched);
      },
    };
  }

  /** Checks which callers still have access. Executes one SQL statement per type of caller on a single server. */
  async #findAccess(watched: readonly Watched[]): Promise<(boolean | Promise<boolean>)[]> {
    const found = new Map<Watched, boolean | Promise<boolean>>();
    for (const [kind, ofKind] of Map.groupBy(watched, (each) => each.kind)) {
      const goOn = await findAccess(this.#app, kind, ofKind);
      for (const [index, each] of ofKind.entries()) found.set(each, goOn[index] ?? false);
    }
    return watched.map((each) => found.get(each) ?? false);
  }

  #look(kind: Kind): void {
    this.#due.add(kind);
    this.#signal.raise();
  }

  #forget(name: string, watched: Watched): void {
    if (this.#watched.get(name) !== watched) return;
    watched.stopHearing();
    this.#watched.delete(name);
    if (this.#watched.size === 0) this.#signal.raise();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let slowAt = monotonicMs() + slowLookMs;
    while (this.#watched.size > 0) {
      if (!(await this.#signal.wait(lookMs))) {
        this.#due.add('member');
        if (monotonicMs() >= slowAt) {
          slowAt = monotonicMs() + slowLookMs;
          this.#due.add('key').add('portal');
        }
      }
      try {
        await this.#check();
      } catch (error) {
        // Callers keep their access if the database is unavailable. The check is retried later.
        this.#app.log.warn({ err: error }, 'The callers of live fields could not be looked up.');
        await rest(lookMs);
      }
    }
    this.#isRunning = false;
  }

  /** Checks callers of all types whose check is due. Ends the sockets and live fields of callers without access. */
  async #check(): Promise<void> {
    const kinds = new Set(this.#due);
    this.#due.clear();
    const due = [...this.#watched].filter(([, { kind }]) => kinds.has(kind));
    const goOn = await this.#findAccess(due.map(([, watched]) => watched)).catch((error: unknown) => {
      for (const kind of kinds) this.#due.add(kind);
      throw error;
    });
    const answers = await Promise.allSettled(goOn);
    for (const [index, [name, watched]] of due.entries()) {
      const answer = answers[index];
      if (answer?.status === 'fulfilled' && !answer.value) this.#end(name, watched);
    }
    const failed = answers.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  #end(name: string, watched: Watched): void {
    this.#forget(name, watched);
    for (const ended of [...watched.ended]) ended();
    watched.ended.clear();
  }
}

const callers = new WeakMap<App, LiveCallers>();

export const liveCallers = (app: App): LiveCallers =>
  callers.getOrInsertComputed(app, () => new LiveCallers(app));
