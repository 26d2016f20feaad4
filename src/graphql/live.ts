import { renewCaller } from '../authenticate.ts';
import { type Context, RequestContext } from '../context.ts';
import { maxOf } from '../domain/money.ts';
import { type EventFilter, type EventRow, lastEventPosition, readEventsBetween } from '../outbox/read.ts';
import { eventTopic } from '../outbox/write.ts';
import { monotonicMs } from '../platform/clock.ts';
import { WakeSignal } from '../platform/queue/wake-signal.ts';

// How live fields follow the outbox: a cursor on the position of the last event seen, hints to look at once, and a poll
// behind them. Nothing is buffered but the page just read: a slow reader makes the next read wait.

/** How long a lost hint can delay an event. */
const pollMs = 1_000;

/** How long a key that expires may go on reading; a deleted one is hinted. */
const recheckMs = 5_000;

/** Events read at a time. */
const pageSize = 100;

/**
 * A generator that ends as soon as its reader leaves. A generator of the language takes in a `return` only when it yields the next time, which
 * a stream without news never does; so a signal reports first that the reader has left, and whatever waits inside must react to it.
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

/** Waits for news of the environment. A wait ends at a hint, when the reader leaves and after a while, and tells whether it was one of the first two. */
function openWaker(ctx: Context, stop: AbortSignal): { wait: () => Promise<boolean>; close: () => void } {
  const signal = new WakeSignal();
  const heard = (): void => signal.raise();
  const stopHearing = ctx.app.pubsub.onHint(eventTopic(ctx.environment.id), heard);
  stop.addEventListener('abort', heard);
  return {
    wait: () => signal.wait(pollMs),
    close: () => {
      stopHearing();
      stop.removeEventListener('abort', heard);
    },
  };
}

/**
 * Whether the caller may go on; afterwards the context shows the present: batched loaders start again and the test clock stands where it now
 * does. False for a key that was deleted or has expired.
 */
async function renew(ctx: Context): Promise<boolean> {
  return ctx instanceof RequestContext ? renewCaller(ctx) : true;
}

/**
 * Pages of the matching events committed after position `after`, in order and without gaps, for as long as the reader asks for more and the
 * caller's key works, until `stop`. The context is renewed before each page is handed out, so that what its fields read is as new as the event.
 */
export async function* followEvents(
  ctx: Context,
  filter: EventFilter,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<readonly EventRow[], void> {
  const waker = openWaker(ctx, stop);
  let cursor = after;
  let checkedAt = monotonicMs();
  try {
    while (!stop.aborted) {
      const upTo = await lastEventPosition(ctx.sql);
      const events =
        upTo > cursor
          ? await readEventsBetween(ctx.sql, filter, { after: cursor, upTo, limit: pageSize })
          : [];
      if (events.length > 0 || monotonicMs() - checkedAt >= recheckMs) {
        checkedAt = monotonicMs();
        if (!(await renew(ctx))) return;
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
 * A row as it is now and after every change, changes that follow each other quickly being sent as one. `read` must not go
 * through a batched loader. The stream ends when the row is gone, after a state that is final, and when the caller's key no longer works.
 */
export const watchRow = <T extends object>(
  ctx: Context,
  read: () => Promise<T | null>,
  isFinal: (row: T) => boolean,
): AsyncGenerator<T, void> => stoppable((stop) => rowStates(ctx, read, isFinal, stop));

async function* rowStates<T extends object>(
  ctx: Context,
  read: () => Promise<T | null>,
  isFinal: (row: T) => boolean,
  stop: AbortSignal,
): AsyncGenerator<T, void> {
  const waker = openWaker(ctx, stop);
  let emitted: string | null = null;
  let checkedAt = monotonicMs();
  try {
    while (!stop.aborted) {
      const row = await read();
      if (row === null) return;
      const print = fingerprint(row);
      if (emitted !== null && (print !== emitted || monotonicMs() - checkedAt >= recheckMs)) {
        checkedAt = monotonicMs();
        if (!(await renew(ctx))) return;
      }
      if (print !== emitted) {
        emitted = print;
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
 * A state put together from many rows, as it is now and after every change: looked at again after each event and hint, and
 * every few seconds for what changes without one. `read` goes through the batched loaders of the context, which is renewed before. The
 * stream ends when the caller's key no longer works.
 */
export const watchState = <T extends object>(ctx: Context, read: () => Promise<T>): AsyncGenerator<T, void> =>
  stoppable((stop) => states(ctx, read, stop));

async function* states<T extends object>(
  ctx: Context,
  read: () => Promise<T>,
  stop: AbortSignal,
): AsyncGenerator<T, void> {
  const waker = openWaker(ctx, stop);
  let emitted: string | null = null;
  let position = await lastEventPosition(ctx.sql);
  let checkedAt = monotonicMs();
  let isDue = true;
  try {
    while (!stop.aborted) {
      const upTo = await lastEventPosition(ctx.sql);
      if (isDue || upTo !== position || monotonicMs() - checkedAt >= recheckMs) {
        position = upTo;
        checkedAt = monotonicMs();
        if (emitted !== null && !(await renew(ctx))) return;
        const state = await read();
        const print = fingerprint(state);
        if (print !== emitted) {
          emitted = print;
          yield state;
        }
      }
      isDue = await waker.wait();
    }
  } finally {
    waker.close();
  }
}
