import { renewCaller } from '../authenticate.ts';
import { type Context, RequestContext } from '../context.ts';
import { maxOf } from '../domain/money.ts';
import { monotonicMs } from '../infra/clock.ts';
import { type EventFilter, type EventRow, lastEventPosition, readEventsBetween } from '../infra/event-rows.ts';
import { eventTopic } from '../infra/outbox.ts';

// How live fields follow the outbox (protocols A6, A7): a cursor on the position of the last event seen, hints to look at once, and a poll
// behind them. Nothing is buffered but the page just read: a slow reader makes the next read wait.

/** How long a lost hint can delay an event. */
const pollMs = 1_000;

/** How long a key that expires may go on reading; a deleted one is hinted. */
const recheckMs = 5_000;

/** Events read at a time. */
const pageSize = 100;

/**
 * A generator that ends as soon as its reader leaves. A generator of the language takes in a `return` only when it yields the next time, which
 * a stream without news never does; so the reader's leaving is told by a signal first, and whoever waits inside must heed it.
 */
export function stoppable<T>(make: (stop: AbortSignal) => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const leaving = new AbortController();
  const inner = make(leaving.signal);
  const stop = async (): Promise<void> => {
    leaving.abort();
    await inner.return();
  };
  return {
    next: () => inner.next(),
    return: async () => {
      await stop();
      return { done: true, value: undefined };
    },
    throw: (error) => {
      leaving.abort();
      return inner.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Remembers hints between waits, so that none that comes while a page is read is lost. A wait ends when the reader leaves, and says whether there was a hint. */
function openWaker(context: Context, stop: AbortSignal): { wait: () => Promise<boolean>; close: () => void } {
  let isHinted = false;
  let wake: (() => void) | null = null;
  const heard = (): void => {
    isHinted = true;
    wake?.();
  };
  const stopHearing = context.app.pubsub.onHint(eventTopic(context.environment.id), heard);
  stop.addEventListener('abort', heard);
  const close = (): void => {
    stopHearing();
    stop.removeEventListener('abort', heard);
  };
  return {
    wait: async () => {
      if (!isHinted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, pollMs);
        wake = resolve;
        await promise;
        clearTimeout(timer);
      }
      const wasHinted = isHinted;
      isHinted = false;
      return wasHinted;
    },
    close,
  };
}

/**
 * Whether the caller may go on; afterwards the context shows the present: batched loaders start anew and the test clock stands where it now
 * does. False for a key that was deleted or has expired.
 */
async function renew(context: Context): Promise<boolean> {
  return context instanceof RequestContext ? renewCaller(context) : true;
}

/**
 * Pages of the matching events committed after position `after`, in order and without gaps, for as long as the reader asks for more and the
 * caller's key works, until `stop`. The context is renewed before each page is handed out, so that what its fields read is as new as the event.
 */
export async function* followEvents(
  context: Context,
  filter: EventFilter,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<readonly EventRow[], void> {
  const waker = openWaker(context, stop);
  let cursor = after;
  let checkedAt = monotonicMs();
  try {
    while (!stop.aborted) {
      const upTo = await lastEventPosition(context.sql);
      const events = upTo > cursor ? await readEventsBetween(context.sql, filter, { after: cursor, upTo, limit: pageSize }) : [];
      if (events.length > 0 || monotonicMs() - checkedAt >= recheckMs) {
        checkedAt = monotonicMs();
        if (!(await renew(context))) return;
      }
      if (events.length > 0) yield events;
      const last = events.at(-1);
      const isFull = events.length === pageSize;
      cursor = isFull && last !== undefined ? last.position : maxOf(upTo, cursor);
      if (!isFull) await waker.wait();
    }
  } finally {
    waker.close();
  }
}

/** A text that differs whenever the row does. */
const fingerprint = (row: object): string =>
  JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/**
 * A row as it is now and after every change (protocols D5), changes that follow each other quickly being told as one. `read` must not go
 * through a batched loader. The stream ends when the row is gone, after a state that is final, and when the caller's key no longer works.
 */
export const watchRow = <T extends object>(
  context: Context,
  read: () => Promise<T | null>,
  isFinal: (row: T) => boolean,
): AsyncGenerator<T, void> => stoppable((stop) => rowStates(context, read, isFinal, stop));

async function* rowStates<T extends object>(
  context: Context,
  read: () => Promise<T | null>,
  isFinal: (row: T) => boolean,
  stop: AbortSignal,
): AsyncGenerator<T, void> {
  const waker = openWaker(context, stop);
  let told: string | null = null;
  let checkedAt = monotonicMs();
  try {
    while (!stop.aborted) {
      const row = await read();
      if (row === null) return;
      const print = fingerprint(row);
      if (told !== null && (print !== told || monotonicMs() - checkedAt >= recheckMs)) {
        checkedAt = monotonicMs();
        if (!(await renew(context))) return;
      }
      if (print !== told) {
        told = print;
        yield row;
        if (isFinal(row)) return;
      }
      await waker.wait();
    }
  } finally {
    waker.close();
  }
}

/**
 * A state put together from many rows, as it is now and after every change (protocols D5): looked at again after each event and hint, and
 * every few seconds for what changes without one. `read` goes through the batched loaders of the context, which is renewed before. The
 * stream ends when the caller's key no longer works.
 */
export const watchState = <T extends object>(context: Context, read: () => Promise<T>): AsyncGenerator<T, void> =>
  stoppable((stop) => states(context, read, stop));

async function* states<T extends object>(context: Context, read: () => Promise<T>, stop: AbortSignal): AsyncGenerator<T, void> {
  const waker = openWaker(context, stop);
  let told: string | null = null;
  let position = await lastEventPosition(context.sql);
  let checkedAt = monotonicMs();
  let isDue = true;
  try {
    while (!stop.aborted) {
      const upTo = await lastEventPosition(context.sql);
      if (isDue || upTo !== position || monotonicMs() - checkedAt >= recheckMs) {
        position = upTo;
        checkedAt = monotonicMs();
        if (told !== null && !(await renew(context))) return;
        const state = await read();
        const print = fingerprint(state);
        if (print !== told) {
          told = print;
          yield state;
        }
      }
      isDue = await waker.wait();
    }
  } finally {
    waker.close();
  }
}
