import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { validationError } from '../domain/errors.ts';
import { type Columns, union } from '../platform/db/columns.ts';
import { type Place, type RowList, readWindow } from '../platform/db/row-lists.ts';
import type { Filter, ModelName, Row } from '../platform/db/rows.ts';
import { pageColumnsOf } from './columns.ts';
import { Page, type PageRequest, pageOfAll, pageRows } from './connections.ts';
import { type CursorArgument, decodeCursor, encodeCursor, type NamedOrder, newestFirst } from './cursors.ts';
import { ListSource } from './list-source.ts';

/** The page arguments of every list; REST calls the first two `limit` and `cursor` and has no others. */
export type PageArguments = {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
};

/** The size of a page when the caller asks for none. */
export const defaultPageSize = 25;

/**
 * How many rows to read and from where. Without `first` and `last` it is `defaultSize`, or 25 on later pages; with `before` alone these are the
 * rows before it. Throws `validation_error` where both `first` and `last` are given, and for cursors `decode` does not know.
 */
export function pageRequest<Place>(
  { first, after, last, before }: PageArguments,
  decode: (cursor: string, argument: CursorArgument) => Place,
  defaultSize = defaultPageSize,
): PageRequest<Place> {
  if (typeof first === 'number' && typeof last === 'number')
    throw validationError([{ field: 'last', message: 'must not be given together with first' }]);
  const isFromStart = typeof first === 'number' || typeof after === 'string';
  const isLater = typeof after === 'string' || typeof before === 'string';
  return {
    size: first ?? last ?? (isLater ? defaultPageSize : defaultSize),
    after: typeof after === 'string' ? decode(after, 'after') : null,
    before: typeof before === 'string' ? decode(before, 'before') : null,
    isReversed: typeof last === 'number' || (typeof before === 'string' && !isFromStart),
  };
}

/** Rows of a model in an order whose name cursors carry. */
export type OrderedList<M extends ModelName = ModelName> = Omit<RowList, 'order'> & {
  readonly model: M;
  readonly order: NamedOrder;
};

/** The page of a list that arguments ask for. */
export const listRequest = (
  { model, order }: OrderedList,
  args: PageArguments,
  defaultSize?: number,
): PageRequest<Place> =>
  pageRequest(args, (cursor, argument) => decodeCursor(model, order, cursor, argument), defaultSize);

/** The columns an operation needs of a page of a list: where it asks for cursors those of the order too, which they are made of. */
export function columnsOfPage(info: GraphQLResolveInfo | undefined, { order }: OrderedList): Columns {
  if (info === undefined) return 'all';
  const { columns, hasCursors } = pageColumnsOf(info);
  return hasCursors ? union(columns, new Set(order.keys.map(({ column }) => column))) : columns;
}

/** A page of a list of the environment; with the `info` of a resolver only the columns its operation needs. One statement. */
export async function readPage<M extends ModelName>(
  ctx: Context,
  list: OrderedList<M>,
  args: PageArguments,
  { defaultSize, info }: { defaultSize?: number | undefined; info?: GraphQLResolveInfo | undefined } = {},
): Promise<Page<Row<M>>> {
  const request = listRequest(list, args, defaultSize);
  const { size, ...window } = request;
  const columns = columnsOfPage(info, list);
  const read = await readWindow(ctx.sql, list, { ...window, limit: size + 1, columns });
  const source = new ListSource(ctx, list, null);
  const rows = pageRows(read, request, (place, side) => source.has(place, side));
  return new Page(rows, source, (row) => encodeCursor(list.order, row as object));
}

/** A page of a model's rows of the environment that pass a filter, newest first. One statement. */
export const listRows = <M extends ModelName>(
  ctx: Context,
  model: M,
  args: PageArguments,
  options: { filter?: Filter; defaultSize?: number; info?: GraphQLResolveInfo } = {},
): Promise<Page<Row<M>>> =>
  readPage(ctx, { model, filter: options.filter ?? {}, order: newestFirst }, args, options);

/** A page without rows, of a list without rows. */
export const emptyPage = <T>(): Page<T> =>
  pageOfAll<T, never>(
    [],
    { size: 1, after: null, before: null, isReversed: false },
    { cursorOf: () => '', compare: () => 0 },
  );

/** What is said of the size of a page of 1 to `most` rows. */
const sizeText = (most: number, defaultSize: number): string =>
  defaultSize === defaultPageSize
    ? `How many rows to return, 1 to ${most}. Defaults to ${defaultSize}.`
    : `How many rows to return, 1 to ${most}. Defaults to ${defaultPageSize} with \`after\`. Without both, up to ${defaultSize} rows are returned.`;

/** How the arguments of a page are declared: at most `most` rows, and `defaultSize` where no size is sent. */
export const pageArguments = (defaultSize = defaultPageSize, most = 100) =>
  ({
    first: {
      type: 'Int',
      rule: { minimum: 1, maximum: most },
      description: sizeText(most, defaultSize),
      extensions: { defaultSize },
    },
    after: {
      type: 'String',
      rule: { minLength: 1 },
      description: 'Cursor of the row to go on after; `validation_error` when it is none.',
    },
    last: {
      type: 'Int',
      rule: { minimum: 1, maximum: most, graphqlOnly: true },
      description: `How many rows to return from the end, or before \`before\`, 1 to ${most}; not together with \`first\`. They are in the order of the list all the same.`,
    },
    before: {
      type: 'String',
      rule: { minLength: 1, graphqlOnly: true },
      description:
        'Cursor of the row to go back before; `validation_error` when it is none. Together with `after` only rows between the two are returned.',
    },
  }) as const;
