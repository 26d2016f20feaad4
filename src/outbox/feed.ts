import type { EnvironmentDetails } from '../platform/credentials.ts';
import { type EventFilter, type EventRow, matchesFilter, type Standing } from './read.ts';

/** Subscriber of an environment's feed. */
export type Listener = {
  /** Called with new events. An empty list means that other data may have changed. Must not throw. */
  readonly heard: (events: readonly EventRow[]) => void;
  /** True if the subscriber shows values that can change without an event, such as values that depend on the time. */
  readonly isRefreshed: boolean;
};

/** Events in memory that match a filter. All events up to the position `upTo` were checked. */
export type Reading = { readonly events: readonly EventRow[]; readonly upTo: bigint };

/** Callbacks that a feed uses to notify its reader, the `Tail`. */
type Source = {
  /** Called after the feed's last listener was removed. */
  readonly left: () => void;
  /** Requests another read of the environment's events. */
  readonly look: () => void;
};

/** Recent events and current state of an environment. One reader serves all listeners of the feed. */
export class Feed {
  readonly environmentId: string;
  readonly #source: Source;
  readonly #listeners = new Set<Listener>();
  #events: EventRow[] = [];
  #most = 0;
  #position: bigint | null = null;
  #clockMs: number | null = null;
  #environment: EnvironmentDetails | null = null;
  #version = 0;
  #requested = 0;
  #begun = 0;
  #looked = -1;
  #isGone = false;

  constructor(environmentId: string, source: Source) {
    this.environmentId = environmentId;
    this.#source = source;
  }

  /** True if the environment's outbox position is known. */
  get isPlaced(): boolean {
    return this.#position !== null;
  }

  /**
   * Position of the last event that was read, or the start position of the feed. Throws if the position isn't known
   * yet.
   */
  get position(): bigint {
    if (this.#position === null) throw new Error('The feed has not been placed yet.');
    return this.#position;
  }

  /** Number of changes signaled so far: new events and other notifications. 0 before the first read. */
  get version(): number {
    return this.#version;
  }

  /** State of the environment after the last event that was read. Throws before the first read. */
  get environment(): EnvironmentDetails {
    if (this.#environment === null) throw new Error('The feed has no environment yet.');
    return this.#environment;
  }

  /** True if the environment was deleted. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get isRefreshed(): boolean {
    return this.#listeners.values().some(({ isRefreshed }) => isRefreshed);
  }

  /** Adds a listener and returns a function that removes the listener. */
  join(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#source.left();
    };
  }

  /** Requests another read, after which all listeners are called. Returns the number of the request, for `hasLooked`. */
  look(): number {
    this.#requested++;
    this.#source.look();
    return this.#requested;
  }

  /** Records the start of a read, which fulfills all requests so far. */
  begin(): void {
    this.#begun = this.#requested;
  }

  /** True if a read that started after the request with this number is complete. */
  hasLooked(look: number): boolean {
    return this.#looked >= look;
  }

  /** Sets the maximum number of the feed's events in memory. */
  keep(most: number): void {
    this.#most = most;
    this.#forget();
  }

  /**
   * Updates the environment's position. The first update defines where the feed starts. Returns true if there
   * are new events or the test clock moved.
   */
  place({ position, simulatedTime }: Standing): boolean {
    const clockMs = simulatedTime?.getTime() ?? null;
    const isMoved = clockMs !== this.#clockMs;
    this.#clockMs = clockMs;
    this.#position ??= position;
    return isMoved || position > this.#position;
  }

  /** Adds new events and updates the environment's state. `environment` is `null` if the environment was deleted. */
  take(events: readonly EventRow[], environment: EnvironmentDetails | null): void {
    this.#environment = environment ?? this.#environment;
    this.#isGone = environment === null;
    this.#clockMs = environment?.simulatedTime?.getTime() ?? null;
    this.#events.push(...events);
    this.#position = events.at(-1)?.position ?? this.position;
    this.#forget();
    this.#version++;
    this.#looked = this.#begun;
    for (const { heard } of [...this.#listeners]) heard(events);
  }

  #forget(): void {
    const surplus = this.#events.length - this.#most;
    // Removes many events at a time, because each removal shifts all remaining events in the array.
    if (surplus > this.#most / 4) this.#events.splice(0, surplus);
  }

  /** Returns up to `limit` matching events after a position. `null` if memory no longer contains the next event. */
  since(after: bigint, filter: EventFilter, limit: number): Reading | null {
    if (after >= this.position) return { events: [], upTo: after };
    const [first] = this.#events;
    if (first === undefined || after < first.position - 1n) return null;
    const events: EventRow[] = [];
    // Positions are consecutive unless old events were deleted.
    let index = Math.min(Number(after - first.position) + 1, this.#events.length);
    while (index > 0 && (this.#events[index - 1]?.position ?? 0n) > after) index--;
    for (; index < this.#events.length; index++) {
      const event = this.#events[index];
      if (event === undefined || !matchesFilter(event, filter)) continue;
      events.push(event);
      if (events.length === limit) return { events, upTo: event.position };
    }
    return { events, upTo: this.position };
  }
}
