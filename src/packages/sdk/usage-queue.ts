import { isTemporary } from './errors.ts';
import type { Operations } from './generated/types.ts';

/** Usage event. Its `eventId` makes repeated attempts safe. */
export type UsageInput = Parameters<Operations['usage']['track']>[0] & { readonly eventId: string };

export type UsageQueueOptions = {
  /** Called for each usage event that leaves the queue without being recorded. */
  readonly onDropped?: (event: UsageInput, error: unknown) => void;
};

/** Part of the client that records usage. */
type Tracker = { readonly usage: Pick<Operations['usage'], 'track'> };

const maxWaiting = 10_000;
const retryMs = 5_000;

/** Usage events that are sent in the background. Events that can't be sent wait, up to 10,000, and are retried with the same ID. */
export class UsageQueue {
  readonly #tracker: Tracker;
  readonly #options: UsageQueueOptions;
  #waiting: UsageInput[] = [];
  #sending: Promise<void> = Promise.resolve();
  readonly #pending = new Set<Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(tracker: Tracker, options: UsageQueueOptions) {
    this.#tracker = tracker;
    this.#options = options;
  }

  /** Number of events that wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Adds an event and starts sending. If the queue is full, the oldest event is dropped. */
  add(event: UsageInput): void {
    this.#waiting.push(event);
    this.#dropExcess();
    void this.#sendAll();
  }

  #dropExcess(): void {
    const excess = this.#waiting.splice(0, Math.max(0, this.#waiting.length - maxWaiting));
    for (const event of excess) this.#options.onDropped?.(event, new Error('The queue is full.'));
  }

  /** Makes `flush` wait for work that adds an event later, such as the rest of a stream. */
  waitFor(work: Promise<void>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  /** Waits for pending work, and sends the waiting events once. Events that fail temporarily stay in the queue. */
  async flush(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    await this.#sendAll();
  }

  #sendAll(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send());
    return this.#sending;
  }

  async #send(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    for (const [index, event] of events.entries()) {
      try {
        await this.#tracker.usage.track(event);
      } catch (error) {
        if (isTemporary(error)) {
          this.#waiting = [...events.slice(index), ...this.#waiting];
          this.#dropExcess();
          this.#retryLater();
          return;
        }
        this.#options.onDropped?.(event, error);
      }
    }
  }

  #retryLater(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#sendAll();
    }, retryMs);
    // A waiting retry doesn't keep a process of Node.js running. Other runtimes return a number.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
