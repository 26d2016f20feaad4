import { type App, type Caller, type Context, RequestContext } from '../context.ts';
import type { Feed } from '../outbox/feed.ts';
import type { EventRow } from '../outbox/read.ts';
import { Tail } from '../outbox/tail.ts';
import { isTemporary } from './errors.ts';
import { liveCallers, type WatchedCaller } from './live-callers.ts';

const tails = new WeakMap<App, Tail>();

const tailOf = (app: App): Tail =>
  tails.getOrInsertComputed(
    app,
    () => new Tail({ database: app.database, pubsub: app.pubsub, log: app.log }),
  );

/** The present of an environment as one version of its feed shows it: read once, for all live fields. */
type Present = {
  readonly version: number;
  /** A context of the process itself, whose batched loaders are shared. */
  readonly ctx: RequestContext;
  /** What the contexts of callers keep, for each kind of caller. */
  readonly kept: Map<string, Map<string, unknown>>;
};

const presents = new WeakMap<Feed, Present>();

function presentOf(app: App, feed: Feed): Present {
  const known = presents.get(feed);
  if (known?.version === feed.version) return known;
  const ctx = new RequestContext(app, 'live');
  ctx.become({ kind: 'system', source: 'worker', actorId: null }, feed.environment);
  const present = { version: feed.version, ctx, kept: new Map() };
  presents.set(feed, present);
  return present;
}

/** Callers with the same rights, who may share what is read for them. */
function kindOf(caller: Caller): string {
  if (caller.kind === 'key') return `key:${[...caller.scopes].sort().join()}`;
  if (caller.kind === 'member') return `member:${caller.role}`;
  return caller.kind === 'page' ? `page:${caller.page}:${caller.subjectId}` : caller.kind;
}

/** How long a live field rests after the database could not answer it. */
const restMs = 250;

/** What `read` answers; null where the database could not, whereupon the feed wakes everybody again a moment later. */
export async function patient<T>(feed: Feed, read: () => Promise<T>): Promise<{ readonly value: T } | null> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isTemporary(error)) throw error;
    setTimeout(() => feed.look(), restMs).unref();
    return null;
  }
}

type Options = {
  /** Whether it shows what may change without an event. */
  readonly isRefreshed: boolean;
  /** Whether new events, none where something else may have changed, are a reason to wake it. */
  readonly wakes: (events: readonly EventRow[]) => boolean;
};

/** One live field on the feed of its environment. */
export class Follower {
  readonly feed: Feed;
  readonly #ctx: Context;
  readonly #leave: () => void;
  readonly #caller: WatchedCaller;
  readonly #firstLook: number;
  #isOver: boolean;
  #isWoken = false;
  #wake: (() => void) | null = null;

  constructor(ctx: Context, stop: AbortSignal, { isRefreshed, wakes }: Options) {
    this.#ctx = ctx;
    this.#isOver = stop.aborted;
    this.feed = tailOf(ctx.app).feed(ctx.environment.id);
    this.#leave = this.feed.join({
      isRefreshed,
      heard: (events) => {
        if (this.feed.isGone) this.#end();
        else if (wakes(events)) this.#raise();
      },
    });
    this.#firstLook = isRefreshed ? this.feed.look() : 0;
    this.#caller = liveCallers(ctx.app).watch(ctx, () => this.#end());
    stop.addEventListener('abort', () => this.#end(), { once: true });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #end(): void {
    this.#isOver = true;
    this.#raise();
  }

  #raise(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Waits until something new concerns it, and no longer than until its reader leaves or its caller may not go on. */
  async wait(): Promise<void> {
    if (!this.#isWoken && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    this.#isWoken = false;
  }

  /** Waits for a look at the environment: the first one, or one that begins after it joined. */
  async placed(): Promise<void> {
    while (!this.feed.hasLooked(this.#firstLook) && !this.#isOver) await this.wait();
  }

  /** The context of the process in which the present is read, once for all. */
  get present(): RequestContext {
    return presentOf(this.#ctx.app, this.feed).ctx;
  }

  /**
   * Looks whether the caller may go on, and ends if not; else has its context show the present: what its fields read from now on is as new as what was
   * heard. Answers whether there is something to go on with.
   */
  async renew(): Promise<boolean> {
    const ctx = this.#ctx;
    if (!(ctx instanceof RequestContext)) return !this.#isOver;
    const answer = await patient(this.feed, () => this.#caller.mayGoOn());
    if (answer === null) return false;
    if (!answer.value) this.#end();
    if (this.#isOver) return false;
    const { kept } = presentOf(ctx.app, this.feed);
    const { caller } = ctx;
    ctx.become(
      caller,
      this.feed.environment,
      kept.getOrInsertComputed(kindOf(caller), () => new Map()),
    );
    return true;
  }

  leave(): void {
    this.#leave();
    this.#caller.leave();
  }
}
