import { permissionsOf } from '../../domain/limits/permissions.ts';
import type { Feed } from '../../outbox/feed.ts';
import type { EventRow } from '../../outbox/read.ts';
import { Tail } from '../../outbox/tail.ts';
import { isTemporary } from '../../platform/db/temporary.ts';
import { type App, type Caller, type Context, RequestContext } from '../../request/context.ts';
import { liveCallers, type WatchedCaller } from './live-callers.ts';

const tails = new WeakMap<App, Tail>();

const tailOf = (app: App): Tail =>
  tails.getOrInsertComputed(
    app,
    () => new Tail({ database: app.database, pubsub: app.pubsub, log: app.log }),
  );

/** Cached state of an environment at one version of its feed, shared by all live fields. */
type Present = {
  readonly version: number;
  /** System context whose batch loaders all live fields share. */
  readonly ctx: RequestContext;
  /** Caches that callers with the same permissions share, by cache key. */
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

/** Returns a cache key for callers that have the same permissions and can therefore share cached values. */
function kindOf(caller: Caller): string {
  if (caller.kind === 'key') return `key:${permissionsOf(caller).toSorted().join()}`;
  if (caller.kind === 'member') return `member:${caller.role}`;
  return caller.kind === 'page' ? `page:${caller.page}:${caller.subjectId}` : caller.kind;
}

/** Delay before a retry after a transient database error, in milliseconds. */
const restMs = 250;

/**
 * Returns the result of `read`. After a transient database error, returns `null` and wakes all live fields in the environment after a short
 * delay.
 */
export async function unlessUnavailable<T>(
  feed: Feed,
  read: () => Promise<T>,
): Promise<{ readonly value: T } | null> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isTemporary(error)) throw error;
    setTimeout(() => feed.look(), restMs).unref();
    return null;
  }
}

type Options = {
  /** True if the live field shows values that can change without an event. */
  readonly isRefreshed: boolean;
  /** Returns true if the events affect the live field. An empty list means that other data may have changed. */
  readonly wakes: (events: readonly EventRow[]) => boolean;
};

/** Follows an environment's feed for a live field. */
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

  /** Waits until the feed has relevant changes, the subscriber disconnects, or the caller loses access. */
  async wait(): Promise<void> {
    if (!this.#isWoken && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    this.#isWoken = false;
  }

  /**
   * Waits until the environment has been read. For fields that can change without an event, the read must have started after this follower
   * was created.
   */
  async placed(): Promise<void> {
    while (!this.feed.hasLooked(this.#firstLook) && !this.#isOver) await this.wait();
  }

  /** System context at the current version of the feed. All followers of the environment share this context. */
  get present(): RequestContext {
    return presentOf(this.#ctx.app, this.feed).ctx;
  }

  /**
   * Checks the caller's access and updates the context to the current version of the feed, so that fields are at least as recent as the
   * received events. Returns false if the live field has ended, or if access can't be checked at the moment.
   */
  async renew(): Promise<boolean> {
    const ctx = this.#ctx;
    if (!(ctx instanceof RequestContext)) return !this.#isOver;
    const answer = await unlessUnavailable(this.feed, () => this.#caller.hasAccess());
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
