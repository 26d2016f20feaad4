import type { EnvironmentDetails } from '../platform/credentials.ts';
import { type EventFilter, type EventRow, matchesFilter, type Standing } from './read.ts';

/** Who follows a feed. */
export type Listener = {
  /** Called with new events, none where something else may have changed. It must not throw. */
  readonly heard: (events: readonly EventRow[]) => void;
  /** Whether it shows what may change without an event. */
  readonly isRefreshed: boolean;
};

/** What is read of the events in memory: those that match, and the position up to which nothing else does. */
export type Reading = { readonly events: readonly EventRow[]; readonly upTo: bigint };

/** How a feed reaches the tail that fills it. */
type Source = {
  /** Called when the last listener has left. */
  readonly left: () => void;
  /** Asks to look again. */
  readonly look: () => void;
};

/** The recent events of one environment and its present state, filled by one reader for all listeners. */
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

  /** Whether it is known where the environment stands. */
  get isPlaced(): boolean {
    return this.#position !== null;
  }

  /** Position of the last event that was read. Throws before the first look. */
  get position(): bigint {
    if (this.#position === null) throw new Error('The feed has not been placed yet.');
    return this.#position;
  }

  /** Counts what may have changed: events, and everything else that is hinted at. 0 before the first look. */
  get version(): number {
    return this.#version;
  }

  /** The environment as it was after the last event was read. Throws before the first look. */
  get environment(): EnvironmentDetails {
    if (this.#environment === null) throw new Error('The feed has no environment yet.');
    return this.#environment;
  }

  /** Whether the environment exists no longer. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get isRefreshed(): boolean {
    return this.#listeners.values().some(({ isRefreshed }) => isRefreshed);
  }

  /** Joins a listener; answers the function by which it leaves. */
  join(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#source.left();
    };
  }

  /** Has the tail look again, which then calls every listener. Answers the number of the look, for `hasLooked`. */
  look(): number {
    this.#requested++;
    this.#source.look();
    return this.#requested;
  }

  /** Notes that a look begins. */
  begin(): void {
    this.#begun = this.#requested;
  }

  /** Whether a look has ended that began after it was asked for. */
  hasLooked(look: number): boolean {
    return this.#looked >= look;
  }

  /** Keeps no more than so many events from now on. */
  keep(most: number): void {
    this.#most = most;
    this.#forget();
  }

  /** Learns where the environment stands; the first time it begins there. Answers whether there may be something to read. */
  place({ position, simulatedTime }: Standing): boolean {
    const clockMs = simulatedTime?.getTime() ?? null;
    const isMoved = clockMs !== this.#clockMs;
    this.#clockMs = clockMs;
    this.#position ??= position;
    return isMoved || position > this.#position;
  }

  /** Takes in the events that follow those it has, and the environment as it is afterwards, null when it is gone. */
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
    // In large steps: it moves all that stay.
    if (surplus > this.#most / 4) this.#events.splice(0, surplus);
  }

  /** Up to `limit` matching events after a position; null where the memory does not reach back so far. */
  since(after: bigint, filter: EventFilter, limit: number): Reading | null {
    if (after >= this.position) return { events: [], upTo: after };
    const [first] = this.#events;
    if (first === undefined || after < first.position - 1n) return null;
    const events: EventRow[] = [];
    // Positions have no gaps, unless old events were removed.
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
