import { maxOf } from '../../domain/money/money.ts';
import type { Feed, Reading } from '../../outbox/feed.ts';
import { type EventFilter, type EventRow, matchesFilter, readEventsBetween } from '../../outbox/read.ts';
import type { Filter, ModelName, Row } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { loadRow } from '../reading/loaders.ts';
import { listRows } from '../reading/pages.ts';
import { Follower, unlessUnavailable } from './follower.ts';

// Live fields for an environment. The process reads new events once for all live fields (`src/outbox/tail.ts`), and each field filters them
// in memory. A field that falls behind reads the missing events from the database. Nothing is buffered per field, so a slow subscriber
// delays only itself.

/** Maximum number of events in a page of a live field. */
const pageSize = 100;

/**
 * Creates a generator that ends as soon as its consumer calls `return`. A native generator handles `return` only at its next `yield`, which
 * may never come. Therefore, a signal is aborted first, and every wait inside the generator must respond to the signal.
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
 * Yields pages of matching events after the position `after`, in order and without gaps. Ends when `stop` is aborted or the caller loses
 * access. Updates the context before each page, so that fields are as recent as the events. Events are delayed if the database is busy.
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
      // All earlier events were processed and the new events don't match, so the cursor can skip the new events.
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

/** Returns the next page after a cursor, from memory if possible. `null` if the database couldn't be read. */
async function readNext(
  ctx: Context,
  feed: Feed,
  filter: EventFilter,
  after: bigint,
): Promise<Reading | null> {
  const reading = feed.since(after, filter, pageSize);
  if (reading !== null) return reading;
  const read = await unlessUnavailable(feed, () => readBehind(ctx, filter, { after, upTo: feed.position }));
  return read?.value ?? null;
}

/** Returns a string from an event's data, such as an ID. `null` if the data doesn't contain the string. */
export function textIn({ data }: Pick<EventRow, 'data'>, member: string): string | null {
  const value = (data as Readonly<Record<string, unknown>> | null)?.[member];
  return typeof value === 'string' ? value : null;
}

/** Yields the current rows that events refer to, once per row and page of events. `idsOf` returns the row IDs in order. Deleted rows are skipped. */
export async function* followRows<M extends ModelName>(
  ctx: Context,
  model: M,
  filter: EventFilter,
  idsOf: (events: readonly EventRow[]) => Promise<readonly string[]> | readonly string[],
  range: { readonly after: bigint; readonly stop: AbortSignal },
): AsyncGenerator<Row<M>, void> {
  for await (const events of followEvents(ctx, filter, range.after, range.stop)) {
    // Removes duplicates, because several events in a transaction can refer to the same row.
    const ids = new Set(await idsOf(events));
    const rows = await Promise.all([...ids].map((id) => loadRow(ctx, model, id)));
    for (const row of rows) if (row !== null) yield row;
  }
}

/** Yields the newest row, if the model has any rows. Used to start a stream of changes. */
export async function* latestRow<M extends ModelName>(
  ctx: Context,
  model: M,
  filter: Filter,
): AsyncGenerator<Row<M>, void> {
  const { nodes } = await listRows(ctx, model, { first: 1 }, { filter });
  yield* nodes;
}

/** Reads rows that changed after a version, in order of their versions. Values cached with `present.once` are shared by all subscribers. */
type ReadChanges<T> = (present: Context, after: bigint, limit: number) => Promise<readonly T[]>;

/**
 * Yields each row that changes after the version `after`, in its current state. The rows must store the version of
 * their last change. Reads after each notification, and every few seconds. Ends under the same conditions as
 * `followEvents`.
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
      const found = await unlessUnavailable(follower.feed, () => read(present, cursor, pageSize));
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

/** Reads a page of matching events from the database, up to a position. */
async function readBehind(
  ctx: Context,
  filter: EventFilter,
  range: { readonly after: bigint; readonly upTo: bigint },
): Promise<Reading> {
  const events = await readEventsBetween(ctx.sql, filter, { ...range, limit: pageSize });
  return { events, upTo: events.length < pageSize ? range.upTo : (events.at(-1)?.position ?? range.upTo) };
}

const fingerprints = new WeakMap<object, string>();

/** Returns a string that changes whenever the row's state changes. Cached, because subscribers share rows. */
const fingerprint = (row: object): string =>
  fingerprints.getOrInsertComputed(row, () =>
    JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );

/**
 * Yields an object immediately and after each change. Changes in quick succession are combined. The object is read
 * after each event or notification in the environment, and every few seconds for changes without an event. Subscribers
 * share the context that `read` receives, so its cached values are read only once. Ends if `read` returns `null`, after
 * a final state, or when the caller loses access.
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
      const found = await unlessUnavailable(follower.feed, () => read(present));
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
