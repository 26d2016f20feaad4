import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import { type Filter, type ModelName, type Position, type Row, readPage } from '../platform/db/rows.ts';
import { pageColumnsOf } from './columns.ts';
import { isStorable } from './scalars.ts';

/** The page arguments of every list; REST calls them `limit` and `cursor`. */
export type PageArguments = {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

/** A page of a connection: the rows with their cursors, and whether more follow. */
export type Page<T> = {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

/** The size of a page when the caller asks for none. */
export const defaultPageSize = 25;

/** The opaque place of a row in its list; letters, digits, `-` and `_` only. It stays valid after the row is gone. */
export const encodeCursor = (row: Position): string =>
  Buffer.from(`${row.createdAt.getTime()}.${row.seq}`).toString('base64url');

/** Reads a cursor. Throws `validation_error` on `after` for anything this server did not make. */
export function decodeCursor(cursor: string): Position {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  const [, time, seq] = /^(-?\d{1,16})\.(\d{1,18})$/.exec(text) ?? [];
  const createdAt = new Date(Number(time));
  if (time === undefined || seq === undefined || !isStorable(createdAt)) {
    throw new QuittanceError('validation_error', 'after: is not a cursor of this list.', {
      param: 'after',
      details: [{ field: 'after', message: 'is not a cursor of this list' }],
    });
  }
  return { createdAt, seq: BigInt(seq) };
}

/** How many rows to read and from where. Without `first` it is `defaultSize`, or 25 on later pages. */
export function pageRequest(
  args: PageArguments,
  defaultSize = defaultPageSize,
): { size: number; after: Position | null } {
  const after = args.after ?? null;
  return {
    size: args.first ?? (after === null ? defaultSize : defaultPageSize),
    after: after === null ? null : decodeCursor(after),
  };
}

/** A row and its place, worked out when it is asked for. */
class Edge<T> {
  readonly node: T;
  readonly #cursorOf: (row: T) => string;
  constructor(node: T, cursorOf: (row: T) => string) {
    this.node = node;
    this.#cursorOf = cursorOf;
  }
  get cursor(): string {
    return this.#cursorOf(this.node);
  }
}

/** What lies around the edges of a page, worked out when it is asked for. */
class PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage = false;
  readonly #edges: readonly Edge<unknown>[];
  constructor(edges: readonly Edge<unknown>[], hasNextPage: boolean) {
    this.hasNextPage = hasNextPage;
    this.#edges = edges;
  }
  get startCursor(): string | null {
    return this.#edges[0]?.cursor ?? null;
  }
  get endCursor(): string | null {
    return this.#edges.at(-1)?.cursor ?? null;
  }
}

/** Makes a page of rows that were read one beyond `size`, so that the last of them only tells whether more follow. */
export function pageOf<T extends Position>(rows: readonly T[], size: number): Page<T> {
  return pageWith(rows, size, encodeCursor);
}

/** The same for rows whose place in the list `cursorOf` defines. */
export function pageWith<T>(rows: readonly T[], size: number, cursorOf: (row: T) => string): Page<T> {
  const edges = rows.slice(0, size).map((node) => new Edge(node, cursorOf));
  return { edges, pageInfo: new PageInfo(edges as Edge<unknown>[], rows.length > size) };
}

/** A page of a model's rows of the environment, newest first; with the `info` of a resolver only the columns its operation needs. One statement. */
export async function listRows<M extends ModelName>(
  ctx: Context,
  model: M,
  args: PageArguments,
  options: { filter?: Filter; defaultSize?: number; info?: GraphQLResolveInfo } = {},
): Promise<Page<Row<M> & Position>> {
  const { filter = {}, defaultSize, info } = options;
  const { size, after } = pageRequest(args, defaultSize);
  const columns = info === undefined ? 'all' : pageColumnsOf(info);
  const rows = await readPage(ctx.sql, model, { filter, after, limit: size + 1, columns });
  // Only models with a creation time and a seq are listed; the statement fails on others.
  return pageOf(rows as (Row<M> & Position)[], size);
}

/** A page without rows. */
export const emptyPage = <T extends Position>(): Page<T> => pageOf<T>([], 1);

/** What is said of the size of a page of 1 to `most` rows. */
const sizeText = (most: number, defaultSize: number): string =>
  defaultSize === defaultPageSize
    ? `How many rows to return, 1 to ${most}. Defaults to ${defaultSize}.`
    : `How many rows to return, 1 to ${most}. Defaults to ${defaultPageSize} with \`after\`. Without both, up to ${defaultSize} rows are returned.`;

/** How the arguments of a page are declared: at most `most` rows, and `defaultSize` where neither is sent. */
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
  }) as const;
