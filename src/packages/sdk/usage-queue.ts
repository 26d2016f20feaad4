import { isTemporary, QuittanceError } from './errors.ts';
import type { Operations } from './generated/types.ts';

/** Usage event. Its `eventId` makes repeated attempts safe. */
export type UsageInput = Parameters<Operations['usage']['track']>[0] & { readonly eventId: string };

export type UsageQueueOptions = {
  /** Called for each usage event that leaves the queue without being recorded. */
  readonly onDropped?: (event: UsageInput, error: unknown) => void;
};

/** Part of the client that records usage. */
type Tracker = { readonly usage: Pick<Operations['usage'], 'track'> };

/** Event that waits. `otherModel` is recorded if the price list doesn't contain the model of the event. */
type Waiting = { readonly event: UsageInput; readonly otherModel: string | undefined };

const maxWaiting = 10_000;
const retryMs = 5_000;

/** Usage events that are sent in the background. Events that can't be sent wait, up to 10,000, and are retried with the same ID. */
export class UsageQueue {
  readonly #tracker: Tracker;
  readonly #options: UsageQueueOptions;
  readonly #waiting: Waiting[] = [];
  readonly #pending = new Set<Promise<void>>();
  #sending: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(tracker: Tracker, options: UsageQueueOptions) {
    this.#tracker = tracker;
    this.#options = options;
  }

  /** Number of events that wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /**
   * Adds an event and starts sending. If the queue is full, the oldest event is dropped. `otherModel` is recorded if the price list doesn't
   * contain the model of the event.
   */
  add(event: UsageInput, otherModel?: string): void {
    this.#waiting.push({ event, otherModel });
    this.#dropExcess();
    // After a failure, new events wait for the next attempt.
    if (this.#timer === null) void this.#send();
  }

  #dropExcess(): void {
    const excess = this.#waiting.splice(0, Math.max(0, this.#waiting.length - maxWaiting));
    for (const { event } of excess) this.#options.onDropped?.(event, new Error('The queue is full.'));
  }

  /** Makes `flush` wait for work that adds an event later, such as the rest of a stream. */
  waitFor(work: Promise<void>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }

  /** Waits for pending work, and sends the waiting events once. Events that fail temporarily stay in the queue. */
  async flush(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    await this.#send();
  }

  #send(): Promise<void> {
    if (this.#sending === null && this.#waiting.length > 0) this.#sending = this.#sendAll();
    return this.#sending ?? Promise.resolve();
  }

  async #sendAll(): Promise<void> {
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        if (!(await this.#isDone(next))) return this.#retryLater(next);
    } finally {
      this.#sending = null;
    }
  }

  /** Sends an event. Returns false if the event can be recorded later. */
  async #isDone({ event, otherModel }: Waiting): Promise<boolean> {
    try {
      await this.#record(event, otherModel);
    } catch (error) {
      if (isTemporary(error)) return false;
      this.#options.onDropped?.(event, error);
    }
    return true;
  }

  async #record(event: UsageInput, otherModel: string | undefined): Promise<void> {
    try {
      await this.#tracker.usage.track(event);
    } catch (error) {
      const isUnknown = error instanceof QuittanceError && error.code === 'model_not_found';
      if (!isUnknown || otherModel === undefined || otherModel === event.model) throw error;
      await this.#tracker.usage.track({ ...event, model: otherModel });
    }
  }

  #retryLater(failed: Waiting): void {
    this.#waiting.unshift(failed);
    this.#dropExcess();
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#send();
    }, retryMs);
    // A waiting retry doesn't keep a process of Node.js running. Other runtimes return a number.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
