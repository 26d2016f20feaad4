import type { GraphQLResolveInfo } from 'graphql';
import { validationError } from '../../domain/errors/errors.ts';
import { type Columns, union } from '../../platform/db/columns.ts';
import { type Place, type RowList, readWindow } from '../../platform/db/row-lists.ts';
import type { Filter, ModelName, Row } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { pageColumnsOf } from '../declare/columns.ts';
import { Page, type PageRequest, pageOfAll, pageRows } from './connections.ts';
import { type CursorArgument, decodeCursor, encodeCursor, type NamedOrder, newestFirst } from './cursors.ts';
import { ListSource } from './list-source.ts';

/** Pagination arguments for lists. REST supports only the first two, as `limit` and `cursor`. */
export type PageArguments = {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
};

export const defaultPageSize = 25;

/**
 * Converts pagination arguments to a page request. If the client sends no page size, the first page has `defaultSize` rows and later pages
 * have 25. `before` without a size returns the rows before the cursor. Throws `validation_error` if both `first` and `last` are set, or if
 * a cursor is invalid.
 */
export function pageRequest<Place>(
  { first, after, last, before }: PageArguments,
  decode: (cursor: string, argument: CursorArgument) => Place,
  defaultSize = defaultPageSize,
): PageRequest<Place> {
  if (typeof first === 'number' && typeof last === 'number')
    throw validationError([{ field: 'last', message: "can't be combined with first" }]);
  const isFromStart = typeof first === 'number' || typeof after === 'string';
  const isLater = typeof after === 'string' || typeof before === 'string';
  return {
    size: first ?? last ?? (isLater ? defaultPageSize : defaultSize),
    after: typeof after === 'string' ? decode(after, 'after') : null,
    before: typeof before === 'string' ? decode(before, 'before') : null,
    isReversed: typeof last === 'number' || (typeof before === 'string' && !isFromStart),
  };
}

export type OrderedList<M extends ModelName = ModelName> = Omit<RowList, 'order'> & {
  readonly model: M;
  readonly order: NamedOrder;
};

export const listRequest = (
  { model, order }: OrderedList,
  args: PageArguments,
  defaultSize?: number,
): PageRequest<Place> =>
  pageRequest(args, (cursor, argument) => decodeCursor(model, order, cursor, argument), defaultSize);

/** Returns the columns to read for a page of a list. Includes the order's columns if cursors are selected. */
export function columnsOfPage(info: GraphQLResolveInfo | undefined, { order }: OrderedList): Columns {
  if (info === undefined) return 'all';
  const { columns, hasCursors } = pageColumnsOf(info);
  return hasCursors ? union(columns, new Set(order.keys.map(({ column }) => column))) : columns;
}

/**
 * Returns a page of a list in an environment. With `info`, reads only the columns that the operation needs. Executes
 * one SQL statement.
 */
export async function readPage<M extends ModelName>(
  ctx: Context,
  list: OrderedList<M>,
  args: PageArguments,
  { defaultSize, info }: { defaultSize?: number | undefined; info?: GraphQLResolveInfo | undefined } = {},
): Promise<Page<Row<M>>> {
  const request = listRequest(list, args, defaultSize);
  const { size, ...window } = request;
  const columns = columnsOfPage(info, list);
  const read = await readWindow(ctx.reads, list, { ...window, limit: size + 1, columns });
  const source = () => new ListSource(ctx, list, null);
  const rows = pageRows(read, request, (place, side) => source().has(place, side));
  return new Page(rows, source, (row) => encodeCursor(list.order, row as object));
}

/** Returns a page of a model's rows that match a filter, newest first. Executes one SQL statement. */
export const listRows = <M extends ModelName>(
  ctx: Context,
  model: M,
  args: PageArguments,
  options: { filter?: Filter; defaultSize?: number; info?: GraphQLResolveInfo } = {},
): Promise<Page<Row<M>>> =>
  readPage(ctx, { model, filter: options.filter ?? {}, order: newestFirst }, args, options);

export const emptyPage = <T>(): Page<T> =>
  pageOfAll<T, never>(
    [],
    { size: 1, after: null, before: null, isReversed: false },
    { cursorOf: () => '', compare: () => 0 },
  );

/** Returns the description of the page size argument. */
const sizeText = (most: number, defaultSize: number): string =>
  defaultSize === defaultPageSize
    ? `Number of results to return, from 1 to ${most.toLocaleString('en')}. Defaults to ${defaultSize.toLocaleString('en')}.`
    : `Number of results to return, from 1 to ${most.toLocaleString('en')}. If omitted, returns up to ${defaultSize.toLocaleString('en')} results, or ${defaultPageSize} if you pass \`after\`.`;

/** Returns the pagination arguments. The page size is at most `most` rows and defaults to `defaultSize` rows. */
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
      description:
        'Returns results after this cursor. Fails with `validation_error` if the cursor is invalid.',
    },
    last: {
      type: 'Int',
      rule: { minimum: 1, maximum: most, graphqlOnly: true },
      description: `Maximum number of results to return from the end of the list, or immediately before the \`before\` cursor. From 1 to ${most.toLocaleString('en')}. Can't be combined with \`first\`. Doesn't change the sort order.`,
    },
    before: {
      type: 'String',
      rule: { minLength: 1, graphqlOnly: true },
      description:
        'Returns results before this cursor. Fails with `validation_error` if the cursor is invalid. Combine with `after` to get the results between two cursors.',
    },
  }) as const;
