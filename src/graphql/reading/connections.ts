import type { Sum } from '../../platform/db/row-list-figures.ts';

// Pages for GraphQL connections. Values that require further reads are computed only if they are selected.

/** Number of rows in a list, counted up to a maximum. `isExact` is false if the list has more rows. */
export type BoundedCount = { readonly value: number; readonly isExact: boolean };

/** Start cursors of the further pages of a list, and the number of counted rows. */
export type PageMarks = {
  readonly cursors: string[];
  readonly total: number;
  readonly isComplete: boolean;
};

/** Request to group up to `limit` rows by columns and to calculate sums per group. */
export type Groups = {
  readonly by: readonly string[];
  readonly sums: Readonly<Record<string, Sum>>;
  readonly limit: number;
};

/** Group of rows, with the shared column values, the number of rows, and the sums. */
export type Group = Readonly<Record<string, unknown>> & { readonly count: bigint };

/** Queries about the whole list that a page was read from. */
export type PageSource = {
  /** Returns the number of rows in the list, but counts at most `limit` rows. */
  readonly count: (limit: number) => Promise<number>;
  /** Returns the cursor of every n-th row except the last row, and the number of rows. Reads at most `limit` rows. */
  readonly marks: (every: number, limit: number) => Promise<{ cursors: string[]; count: number }>;
  /** Groups up to `limit` rows. Supported only for lists that are read from a single table. */
  readonly groups?: (groups: Groups) => Promise<readonly Group[]>;
  /** Returns rows that are derived from up to `limit` rows. Supported only for lists that are read from a single table. */
  readonly derived?: (derive: Derive, limit: number) => Promise<readonly Readonly<Record<string, unknown>>[]>;
};

/** Returns a SELECT that derives rows from the rows whose IDs an SQL expression contains. */
export type Derive = (ids: string) => string;

/** Rows on a page, and whether there are more rows before or after them. */
export type PageRows<T> = {
  readonly rows: T[];
  readonly hasPrevious: boolean | (() => Promise<boolean>);
  readonly hasNext: boolean | (() => Promise<boolean>);
};

/** Row with its cursor. The cursor is computed only if it is selected. */
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

const resolvedFlag = (known: boolean | (() => Promise<boolean>)): boolean | Promise<boolean> =>
  typeof known === 'function' ? known() : known;

class PageInfo {
  readonly #page: Page<unknown>;
  readonly #rows: PageRows<unknown>;
  constructor(page: Page<unknown>, rows: PageRows<unknown>) {
    this.#page = page;
    this.#rows = rows;
  }
  get hasNextPage(): boolean | Promise<boolean> {
    return resolvedFlag(this.#rows.hasNext);
  }
  get hasPreviousPage(): boolean | Promise<boolean> {
    return resolvedFlag(this.#rows.hasPrevious);
  }
  get startCursor(): string | null {
    return this.#page.edges[0]?.cursor ?? null;
  }
  get endCursor(): string | null {
    return this.#page.edges.at(-1)?.cursor ?? null;
  }
}

export class Page<T> {
  readonly edges: { readonly cursor: string; readonly node: T }[] = [];
  readonly #rows: PageRows<T>;
  readonly #source: () => PageSource;

  /** `source` is called only if the operation selects values about the whole list. */
  constructor(rows: PageRows<T>, source: () => PageSource, cursorOf: (row: T) => string) {
    for (const node of rows.rows) this.edges.push(new Edge(node, cursorOf));
    this.#rows = rows;
    this.#source = source;
  }

  get nodes(): T[] {
    return this.#rows.rows;
  }

  get pageInfo(): PageInfo {
    return new PageInfo(this, this.#rows);
  }

  /** Returns the number of rows in the list. Reads at most `upTo` + 1 rows. */
  async totalCount(upTo: number): Promise<BoundedCount> {
    const count = await this.#source().count(upTo + 1);
    return { value: Math.min(count, upTo), isExact: count <= upTo };
  }

  /** Groups all rows in the list. `null` if the list has more than `limit` rows, because partial sums would be misleading. */
  async groups(groups: Groups): Promise<readonly Group[] | null> {
    const found = (await this.#source().groups?.({ ...groups, limit: groups.limit + 1 })) ?? [];
    return found.reduce((sum, { count }) => sum + Number(count), 0) > groups.limit ? null : found;
  }

  /** Returns rows that are derived from all rows in the list. `null` if the list has more than `limit` rows. */
  async derived(derive: Derive, limit: number): Promise<readonly Readonly<Record<string, unknown>>[] | null> {
    const source = this.#source();
    if ((await source.count(limit + 1)) > limit) return null;
    return (await source.derived?.(derive, limit)) ?? null;
  }

  /** Returns the start cursors of pages with `every` rows. Reads at most `upTo` + 1 rows. */
  async marks(every: number, upTo: number): Promise<PageMarks> {
    const { cursors, count } = await this.#source().marks(every, upTo + 1);
    return { cursors, total: Math.min(count, upTo), isComplete: count <= upTo };
  }
}

/** Requested page: the number of rows, the positions that limit the page, and whether rows are counted from the end of the list. */
export type PageRequest<Place> = {
  readonly size: number;
  readonly after: Place | null;
  readonly before: Place | null;
  readonly isReversed: boolean;
};

/**
 * Returns a page from rows that were read with one extra row. `beyond` checks whether rows exist past a position. It's called only for the
 * side of the page that the extra row doesn't cover.
 */
export function pageRows<T, Place>(
  read: readonly T[],
  { size, after, before, isReversed }: PageRequest<Place>,
  beyond: (place: Place, side: 'after' | 'before') => Promise<boolean>,
): PageRows<T> {
  const shown = read.slice(0, size);
  const isMore = read.length > size;
  const isBefore = after === null ? false : () => beyond(after, 'before');
  const isAfter = before === null ? false : () => beyond(before, 'after');
  return isReversed
    ? { rows: shown.reverse(), hasPrevious: isMore || isBefore, hasNext: isAfter }
    : { rows: shown, hasPrevious: isBefore, hasNext: isMore || isAfter };
}

/** Returns a page from a complete, sorted list. `compare` is negative if a row precedes a position, and 0 if the row is at this position. */
export function pageOfAll<T, Place>(
  all: readonly T[],
  request: PageRequest<Place>,
  { cursorOf, compare }: { cursorOf: (row: T) => string; compare: (row: T, place: Place) => number },
): Page<T> {
  const { size, after, before, isReversed } = request;
  const between = all.filter(
    (row) => (after === null || compare(row, after) > 0) && (before === null || compare(row, before) < 0),
  );
  const read = (isReversed ? between.toReversed() : between).slice(0, size + 1);
  const rows = pageRows(read, request, (place, side) =>
    Promise.resolve(
      all.some((row) => (side === 'after' ? compare(row, place) >= 0 : compare(row, place) <= 0)),
    ),
  );
  const source: PageSource = {
    count: (limit) => Promise.resolve(Math.min(all.length, limit)),
    marks: (every, limit) => {
      const count = Math.min(all.length, limit);
      const marked = all.slice(0, count - 1).filter((_row, index) => (index + 1) % every === 0);
      return Promise.resolve({ cursors: marked.map(cursorOf), count });
    },
  };
  return new Page(rows, () => source, cursorOf);
}
