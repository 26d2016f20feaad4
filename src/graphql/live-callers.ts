import { setTimeout as rest } from 'node:timers/promises';
import type { App, Caller, RequestContext } from '../context.ts';
import { findOpenSessions } from '../identity/portal-sessions.ts';
import { monotonicMs } from '../platform/clock.ts';
import { coalesced } from '../platform/coalesce.ts';
import { findRoles, findWorkingKeys, keyTopic } from '../platform/credentials.ts';
import { WakeSignal } from '../platform/queue/wake-signal.ts';

// Whether callers may go on: those of sockets and live fields outlive the request that identified them. Each is looked at once per process and
// interval, all of a kind by one statement, however many sockets and live fields it has.

/** How long a session that ends or a member who is removed can go on. */
const lookMs = 500;

/** How long a key that expires, or a portal session, can go on; a deleted key is hinted. */
const slowLookMs = 5_000;

type Kind = 'key' | 'member' | 'portal';

type Watched = {
  readonly kind: Kind;
  readonly caller: Caller;
  readonly environmentId: string;
  readonly ended: Set<() => void>;
  readonly stopHearing: () => void;
};

/** What tells watched callers apart; null for one that cannot end. */
function nameOf(caller: Caller, environmentId: string): { kind: Kind; name: string } | null {
  if (caller.kind === 'key') return { kind: 'key', name: `${environmentId}:${caller.apiKeyId}` };
  if (caller.kind === 'member')
    return { kind: 'member', name: `${caller.person.sessionId}:${caller.memberId}:${caller.role}` };
  if (caller.kind === 'page' && caller.page === 'portal')
    return { kind: 'portal', name: `${environmentId}:${caller.subjectId}` };
  return null;
}

/** A caller that is watched. */
export type WatchedCaller = {
  /** Whether the caller may go on at this moment. Those who ask side by side share a statement. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Stops watching. */
  readonly leave: () => void;
};

/** One that cannot end. */
const lasting: WatchedCaller = { mayGoOn: async () => true, leave: () => undefined };

/** Which of these callers of one kind may go on as they are. One statement. */
async function findGoingOn(
  { database, wall }: App,
  kind: Kind,
  watched: readonly Watched[],
): Promise<readonly boolean[]> {
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

/** The callers of a process that sockets and live fields act for. */
export class LiveCallers {
  readonly #app: App;
  readonly #watched = new Map<string, Watched>();
  readonly #signal = new WakeSignal();
  readonly #due = new Set<Kind>();
  readonly #mayGoOn: (watched: Watched) => Promise<boolean>;
  #isRunning = false;

  constructor(app: App) {
    this.#app = app;
    this.#mayGoOn = coalesced((watched) => this.#findGoingOn(watched));
  }

  /**
   * Calls `ended` once when the caller of a context may not go on: its key is deleted or has expired, its session has ended, its member was removed
   * or has another role.
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
      mayGoOn: () => this.#mayGoOn(watched),
      leave: () => {
        if (watched.ended.delete(ended) && watched.ended.size === 0) this.#forget(name, watched);
      },
    };
  }

  /** Which of these callers may go on, whatever their kinds: one statement for each kind. */
  async #findGoingOn(watched: readonly Watched[]): Promise<boolean[]> {
    const going = new Set<Watched>();
    for (const [kind, ofKind] of Map.groupBy(watched, (each) => each.kind)) {
      const goOn = await findGoingOn(this.#app, kind, ofKind);
      for (const [index, each] of ofKind.entries()) if (goOn[index] === true) going.add(each);
    }
    return watched.map((each) => going.has(each));
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
        // A database that is busy or restarts ends nobody; it is asked again.
        this.#app.log.warn({ err: error }, 'The callers of live fields could not be looked up.');
        await rest(lookMs);
      }
    }
    this.#isRunning = false;
  }

  /** Looks at the callers of the kinds that are due, and ends those that may not go on. */
  async #check(): Promise<void> {
    const kinds = new Set(this.#due);
    this.#due.clear();
    const due = [...this.#watched].filter(([, { kind }]) => kinds.has(kind));
    const goOn = await this.#findGoingOn(due.map(([, watched]) => watched)).catch((error: unknown) => {
      for (const kind of kinds) this.#due.add(kind);
      throw error;
    });
    for (const [index, [name, watched]] of due.entries()) if (goOn[index] !== true) this.#end(name, watched);
  }

  #end(name: string, watched: Watched): void {
    this.#forget(name, watched);
    for (const ended of [...watched.ended]) ended();
    watched.ended.clear();
  }
}

const callers = new WeakMap<App, LiveCallers>();

/** The watched callers of a process. */
export const liveCallers = (app: App): LiveCallers =>
  callers.getOrInsertComputed(app, () => new LiveCallers(app));
