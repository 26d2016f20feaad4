import { type EventSource, eventSources } from '../../../domain/events/events.ts';
import { Page, type PageSource } from '../../../graphql/reading/connections.ts';
import { cursorFrom, newestFirst, readCursor } from '../../../graphql/reading/cursors.ts';
import { listLoader } from '../../../graphql/reading/list-rows.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import { defaultPageSize, type PageArguments } from '../../../graphql/reading/pages.ts';
import type { EventRow } from '../../../outbox/read.ts';
import type { Context } from '../../../request/context.ts';
import type { CustomerNoteRow } from '../../customers/notes/store.ts';
import { emailList } from '../emails/list.ts';
import type { EmailRow } from '../emails/store.ts';
import { loadTimeline } from '../events/list.ts';
import { arrangeStreams, type Places, type Stream } from './arrange-streams.ts';
import type { Kind } from './enums.ts';

// Customer timeline: events, emails, and notes, each read from its own list.

export type TimelineRow = EventRow | EmailRow | CustomerNoteRow;

export type TimelineArguments = Pick<PageArguments, 'first' | 'after'> & {
  readonly kinds?: readonly Kind[] | null | undefined;
  readonly types?: readonly string[] | null | undefined;
};

/** Names of the source lists. Among entries with the same time, entries of earlier lists come first. */
const names = ['note', 'email', 'event'] as const;
type Name = (typeof names)[number];

const notes = { model: 'CustomerNote', order: newestFirst } as const;

/** Placeholder values, because pages of a timeline have no total count and no `marks`. */
const noFigures: PageSource = {
  count: () => Promise.resolve(0),
  marks: () => Promise.resolve({ cursors: [], count: 0 }),
};

const cursorOf = (places: Places): string =>
  cursorFrom(`timeline ${names.map((name) => places[name] ?? '').join('.')}`);

function placesFrom(text: string): Places | undefined {
  const found = /^timeline ([\w-]*)\.([\w-]*)\.([\w-]*)$/.exec(text)?.slice(1);
  if (found === undefined || found.every((cursor) => cursor === '')) return undefined;
  return Object.fromEntries(names.flatMap((name, index) => (found[index] ? [[name, found[index]]] : [])));
}

const allKinds: readonly Kind[] = ['event', 'change', 'email', 'note'];

const isByPeople = (source: EventSource): boolean => source === 'api' || source === 'dashboard';

/**
 * Returns the event sources to include, depending on whether changes, other events, or both are requested. `undefined`
 * includes all sources.
 */
function sourcesOf(kinds: readonly Kind[]): readonly EventSource[] | undefined {
  const [events, changes] = [kinds.includes('event'), kinds.includes('change')];
  return events === changes ? undefined : eventSources.filter((source) => isByPeople(source) === changes);
}

const timeOf = (row: TimelineRow): Date => ('occurredAt' in row ? row.occurredAt : row.createdAt);

/** Converts a page of a source list to the format for merging. */
async function streamOf(name: Name, read: Promise<Page<TimelineRow>>): Promise<Stream<TimelineRow>> {
  const page = await read;
  const rows = page.edges.map(({ node: row, cursor }) => ({ row, at: timeOf(row), cursor }));
  return { name, rows, hasMore: (await page.pageInfo.hasNextPage) === true };
}

/** Number of rows to read from a source list, and the cursor that precedes the rows. */
type Part = { readonly first: number; readonly after: string | undefined };

/** Functions that read a customer's source lists. */
const readers: Readonly<
  Record<Name, (ctx: Context, id: string, part: Part, args: TimelineArguments) => Promise<Page<TimelineRow>>>
> = {
  note: (ctx, id, part) => loadPageBy(ctx, notes, 'customerId', id, part),
  email: (ctx, id, part) =>
    listLoader(ctx, emailList, part, { by: 'customerId', filter: { audience: 'customer' } })(id),
  event: (ctx, id, part, { kinds, types }) => {
    const sources = sourcesOf(kinds ?? allKinds);
    const narrowed = { ...part, types, ...(sources !== undefined && { filter: { sources } }) };
    return loadTimeline(ctx, 'customerId', id, narrowed, () => 'all');
  },
};

/** Returns the source list that contains the entries of a type. */
const nameOf = (kind: Kind): Name => (kind === 'change' ? 'event' : kind);

/**
 * Returns a page of a customer's timeline, newest first. Batched: one SQL statement per source list for all customers.
 * Throws `validation_error` if the cursor is invalid.
 */
export async function loadTimelinePage(
  ctx: Context,
  id: string,
  args: TimelineArguments,
): Promise<Page<TimelineRow>> {
  const { first, after, kinds } = args;
  const size = first ?? defaultPageSize;
  const places = after ? readCursor(after, 'after', placesFrom) : {};
  const wanted = new Set((kinds ?? allKinds).map(nameOf));
  const streams = await Promise.all(
    names
      .filter((name) => wanted.has(name))
      .map((name) => streamOf(name, readers[name](ctx, id, { first: size, after: places[name] }, args))),
  );
  const merged = arrangeStreams(streams, size, places);
  return new Page(
    { rows: [...merged.rows], hasPrevious: Boolean(after), hasNext: merged.hasMore },
    () => noFigures,
    (row) => cursorOf(merged.places.get(row) ?? {}),
  );
}
