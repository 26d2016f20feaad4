import { setTimeout as rest } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';

/**
 * Pool sizes: the number of slots, the maximum per holder, the maximum for a holder that is alone, and the number of slots reserved for holders
 * without a slot. A holder is alone if no other holder has requested a slot for `aloneAfterMs`.
 */
export type ShareSizes = {
  readonly slots: number;
  readonly most: number;
  readonly mostAlone: number;
  readonly reserved: number;
};

const aloneAfterMs = 5_000;

type Waiting = { readonly start: () => void };
type Holder = {
  /** Group of the holder. A group can't use more than `mostAlone` slots. Changes only while the holder has no slot. */
  group: string;
  inUse: number;
  /** Number of pauses of this holder that are still in effect. */
  pauses: number;
  paused: Promise<void>;
  readonly waiting: Set<Waiting>;
};

/**
 * Fair allocation of slots to holders. Only a holder that is alone can use more than `most` slots. The last `reserved` slots are only
 * given to holders without a slot, so such a holder waits for at most one task. The waiting holder with the fewest slots is next. Holders
 * with the same number of slots take turns.
 */
export class FairShare {
  readonly #sizes: ShareSizes;
  readonly #holders = new Map<string, Holder>();
  /** Holders with waiting tasks, in the order of their turns. */
  readonly #queue = new Map<string, Holder>();
  /** Slots in use by group. A holder without a group is in a group with the holder's name. */
  readonly #inUseByGroup = new Map<string, number>();
  #inUse = 0;
  #latest = '';
  #aloneAt = Number.POSITIVE_INFINITY;

  constructor(sizes: ShareSizes) {
    this.#sizes = sizes;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Number of waiting tasks of all holders. */
  get waiting(): number {
    let count = 0;
    for (const holder of this.#queue.values()) count += holder.waiting.size;
    return count;
  }

  waitingOf(name: string): number {
    return this.#holders.get(name)?.waiting.size ?? 0;
  }

  /** Runs `work` in a slot of the holder. If no slot becomes available in time, throws the error that `late` returns. */
  run<T>(
    name: string,
    work: () => Promise<T>,
    waitMs: number,
    late: () => Error,
    group: string = name,
  ): Promise<T> {
    const holder = this.#holderOf(name);
    if (holder.inUse === 0) holder.group = group;
    this.#noteRequest(name);
    if (holder.waiting.size > 0 || !this.#isFreeFor(holder))
      return this.#wait(name, holder, waitMs, late).then(() => this.#runHeld(name, holder, work));
    this.#grant(holder);
    return this.#runHeld(name, holder, work);
  }

  /** Prevents a holder's waiting tasks from starting for the given time. Pauses for the same holder add up. */
  pause(name: string, pauseMs: number): void {
    const holder = this.#holderOf(name);
    holder.pauses++;
    holder.paused = holder.paused.then(async () => {
      await rest(pauseMs, undefined, { ref: false });
      holder.pauses--;
      this.#startNext();
      this.#forget(name, holder);
    });
  }

  #holderOf(name: string): Holder {
    return this.#holders.getOrInsertComputed(name, () => ({
      group: name,
      inUse: 0,
      pauses: 0,
      paused: Promise.resolve(),
      waiting: new Set(),
    }));
  }

  #isFreeFor({ group, inUse, pauses }: Holder): boolean {
    const { slots, most, mostAlone, reserved } = this.#sizes;
    const free = inUse === 0 ? slots : slots - reserved;
    if (pauses > 0 || this.#inUse >= free) return false;
    if ((this.#inUseByGroup.get(group) ?? 0) >= mostAlone) return false;
    return inUse < most || (inUse < mostAlone && monotonicMs() >= this.#aloneAt);
  }

  #noteRequest(name: string): void {
    if (name === this.#latest) return;
    this.#latest = name;
    this.#aloneAt = monotonicMs() + aloneAfterMs;
  }

  #grant(holder: Holder): void {
    this.#count(holder, 1);
  }

  #count(holder: Holder, change: 1 | -1): void {
    holder.inUse += change;
    this.#inUse += change;
    const inUse = (this.#inUseByGroup.get(holder.group) ?? 0) + change;
    if (inUse === 0) this.#inUseByGroup.delete(holder.group);
    else this.#inUseByGroup.set(holder.group, inUse);
  }

  async #runHeld<T>(name: string, holder: Holder, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#count(holder, -1);
      if (this.#queue.size > 0) this.#startNext();
      this.#forget(name, holder);
    }
  }

  #forget(name: string, { inUse, pauses, waiting }: Holder): void {
    if (waiting.size > 0) return;
    this.#queue.delete(name);
    if (inUse === 0 && pauses === 0) this.#holders.delete(name);
  }

  #wait(name: string, holder: Holder, waitMs: number, late: () => Error): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      start: () => {
        clearTimeout(timer);
        this.#grant(holder);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      holder.waiting.delete(waiting);
      this.#forget(name, holder);
      reject(late());
    }, waitMs);
    holder.waiting.add(waiting);
    this.#queue.set(name, holder);
    return promise;
  }

  /** Starts waiting tasks as long as slots are available. */
  #startNext(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const [name, holder] = next;
      this.#queue.delete(name);
      const [first] = holder.waiting;
      if (first !== undefined) {
        holder.waiting.delete(first);
        first.start();
      }
      // Moves the holder to the end of the queue.
      if (holder.waiting.size > 0) this.#queue.set(name, holder);
    }
  }

  #next(): readonly [string, Holder] | null {
    let found: readonly [string, Holder] | null = null;
    for (const entry of this.#queue) {
      const [, holder] = entry;
      if (this.#isFreeFor(holder) && (found === null || holder.inUse < found[1].inUse)) found = entry;
      if (found?.[1].inUse === 0) break;
    }
    return found;
  }
}
