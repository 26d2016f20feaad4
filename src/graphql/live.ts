import type { Context } from '../context.ts';
import { maxOf } from '../domain/money.ts';
import type { Feed, Reading } from '../outbox/feed.ts';
import { type EventFilter, type EventRow, matchesFilter, readEventsBetween } from '../outbox/read.ts';
import type { Filter, ModelName, Row } from '../platform/db/rows.ts';
import { Follower, patient } from './follower.ts';
import { loadRow } from './loaders.ts';
import { listRows } from './pages.ts';

// How live fields follow their environment. A process reads its outbox once, for all of them (`src/outbox/tail.ts`); each live field has a
// cursor of its own and filters in memory. One that is slower than the memory reaches back reads the table until it has caught up. Nothing is
// buffered for it, so a slow reader makes only itself wait.

/** Events handed out at a time. */
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

/**
 * Pages of the matching events committed after position `after`, in order and without gaps, for as long as the reader asks for more and the
 * caller may go on, until `stop`. The context is renewed before each page is handed out, so that what its fields read is as new as the event.
 * A database that is busy delays them.
 */
export async function* followEvents(
  ctx: Context,
  filter: EventFilter,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<readonly EventRow[], void> {
  let cursor = after;
  let isIdle = false;
  const follower = new Follower(ctx, stop, {
    isRefreshed: false,
    wakes: (events) => {
      const wakes = !isIdle || events.some((event) => matchesFilter(event, filter));
      if (wakes) isIdle = false;
      // It has seen all before, and what is new does not concern it.
      else cursor = maxOf(cursor, feed.position);
      return wakes;
    },
  });
  const { feed } = follower;
  try {
    await follower.placed();
    while (!follower.isOver) {
      const reading = await readNext(ctx, feed, filter, cursor);
      if (follower.isOver) return;
      const isRead = reading !== null && (reading.events.length === 0 || (await follower.renew()));
      if (isRead) {
        if (reading.events.length > 0) yield reading.events;
        cursor = reading.upTo;
        if (cursor < feed.position) continue;
      }
      isIdle = isRead;
      await follower.wait();
    }
  } finally {
    follower.leave();
  }
}

/** The next page after a cursor, from memory where that reaches back so far; null where the table could not be read. */
async function readNext(
  ctx: Context,
  feed: Feed,
  filter: EventFilter,
  after: bigint,
): Promise<Reading | null> {
  const reading = feed.since(after, filter, pageSize);
  if (reading !== null) return reading;
  const read = await patient(feed, () => readBehind(ctx, filter, { after, upTo: feed.position }));
  return read?.value ?? null;
}

/** A member of the data of an event that is a text, such as an id; null for events without it. */
export function textIn({ data }: Pick<EventRow, 'data'>, member: string): string | null {
  const value = (data as Readonly<Record<string, unknown>> | null)?.[member];
  return typeof value === 'string' ? value : null;
}

/**
 * The rows events are about, each once per page of events, as they are when they are sent. `idsOf` names them, in the order in which they are sent, and loads
 * batched what it needs. A row that is gone is left out.
 */
export async function* followRows<M extends ModelName>(
  ctx: Context,
  model: M,
  filter: EventFilter,
  idsOf: (events: readonly EventRow[]) => Promise<readonly string[]> | readonly string[],
  range: { readonly after: bigint; readonly stop: AbortSignal },
): AsyncGenerator<Row<M>, void> {
  for await (const events of followEvents(ctx, filter, range.after, range.stop)) {
    // Several events of one commit are about the same row.
    const ids = new Set(await idsOf(events));
    const rows = await Promise.all([...ids].map((id) => loadRow(ctx, model, id)));
    for (const row of rows) if (row !== null) yield row;
  }
}

/** The row made last, if there is one, at which a stream of changes begins. */
export async function* latestRow<M extends ModelName>(
  ctx: Context,
  model: M,
  filter: Filter,
): AsyncGenerator<Row<M>, void> {
  const { nodes } = await listRows(ctx, model, { first: 1 }, { filter });
  yield* nodes;
}

/** Rows that changed after a version, in the order of their changes. `present` shares what goes through its `once`. */
type ReadChanges<T> = (present: Context, after: bigint, limit: number) => Promise<readonly T[]>;

/**
 * Every row that changes after a version, as it is when it is read, for rows that carry the version of their last change. Follows hints, and
 * looks again every few seconds. Ends as `followEvents` does.
 */
export async function* followChanges<T extends { readonly version: bigint }>(
  ctx: Context,
  read: ReadChanges<T>,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<T, void> {
  const follower = new Follower(ctx, stop, { isRefreshed: true, wakes: () => true });
  let cursor = after;
  try {
    await follower.placed();
    while (!follower.isOver) {
      const { present } = follower;
      const found = await patient(follower.feed, () => read(present, cursor, pageSize));
      if (follower.isOver) return;
      const rows = found?.value ?? [];
      if (rows.length > 0 && (await follower.renew())) {
        yield* rows;
        cursor = rows.at(-1)?.version ?? cursor;
        if (rows.length === pageSize) continue;
      }
      await follower.wait();
    }
  } finally {
    follower.leave();
  }
}

/** A page of matching events that are older than what is in memory, up to a position. */
async function readBehind(
  ctx: Context,
  filter: EventFilter,
  range: { readonly after: bigint; readonly upTo: bigint },
): Promise<Reading> {
  const events = await readEventsBetween(ctx.sql, filter, { ...range, limit: pageSize });
  return { events, upTo: events.length < pageSize ? range.upTo : (events.at(-1)?.position ?? range.upTo) };
}

const fingerprints = new WeakMap<object, string>();

/** A text that differs whenever the row does. Rows that are shared are written down once. */
const fingerprint = (row: object): string =>
  fingerprints.getOrInsertComputed(row, () =>
    JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );

/**
 * A row or a state put together from many rows, as it is now and after every change, changes that follow each other quickly being sent as one:
 * read again after each event and hint of the environment, and every few seconds for what changes without one. `read` gets a context that
 * all who watch something of the environment share, so that what goes through its loaders or its `once` is read once for all of them. The
 * stream ends when there is no row any more, after a state that is final, and when the caller may not go on.
 */
export const watch = <T extends object>(
  ctx: Context,
  read: (present: Context) => Promise<T | null>,
  isFinal: (row: T) => boolean = () => false,
): AsyncGenerator<T, void> => stoppable((stop) => states(ctx, read, isFinal, stop));

async function* states<T extends object>(
  ctx: Context,
  read: (present: Context) => Promise<T | null>,
  isFinal: (row: T) => boolean,
  stop: AbortSignal,
): AsyncGenerator<T, void> {
  const follower = new Follower(ctx, stop, { isRefreshed: true, wakes: () => true });
  let emitted: string | null = null;
  try {
    await follower.placed();
    while (!follower.isOver) {
      const { present } = follower;
      const found = await patient(follower.feed, () => read(present));
      if (found?.value === null || follower.isOver) return;
      if (found !== null && fingerprint(found.value) !== emitted && (await follower.renew())) {
        emitted = fingerprint(found.value);
        yield found.value;
        if (isFinal(found.value)) return;
      }
      await follower.wait();
    }
  } finally {
    follower.leave();
  }
}
