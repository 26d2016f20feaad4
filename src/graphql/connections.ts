import type { Sum } from '../platform/db/row-list-figures.ts';

// Pages of lists, as connections show them. What is not read together with the rows is worked out when it is asked for.

/** How many rows a list has, counted up to a bound. */
export type BoundedCount = { readonly value: number; readonly isExact: boolean };

/** The cursors of every n-th row of a list, the last row excepted, and how many rows were counted. */
export type PageMarks = {
  readonly cursors: string[];
  readonly total: number;
  readonly isComplete: boolean;
};

/** Groups of up to `limit` rows by the values of columns, with sums. */
export type Groups = {
  readonly by: readonly string[];
  readonly sums: Readonly<Record<string, Sum>>;
  readonly limit: number;
};

/** One group: the values its rows have in common, their number, and their sums. */
export type Group = Readonly<Record<string, unknown>> & { readonly count: bigint };

/** What a page is a part of, as far as connections tell about it. */
export type PageSource = {
  /** How many rows the list has, counted up to `limit`. */
  readonly count: (limit: number) => Promise<number>;
  /** The cursors of every n-th of up to `limit` rows but the last one, and how many rows were read. */
  readonly marks: (every: number, limit: number) => Promise<{ cursors: string[]; count: number }>;
  /** The groups of up to `limit` rows of the list; only of lists that are read from one table. */
  readonly groups?: (groups: Groups) => Promise<readonly Group[]>;
};

/** The rows of a page in order, and whether there are more before and after them. */
export type PageRows<T> = {
  readonly rows: T[];
  readonly hasPrevious: boolean | (() => Promise<boolean>);
  readonly hasNext: boolean | (() => Promise<boolean>);
};

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

const answered = (known: boolean | (() => Promise<boolean>)): boolean | Promise<boolean> =>
  typeof known === 'function' ? known() : known;

/** What lies around the edges of a page. */
class PageInfo {
  readonly #page: Page<unknown>;
  readonly #rows: PageRows<unknown>;
  constructor(page: Page<unknown>, rows: PageRows<unknown>) {
    this.#page = page;
    this.#rows = rows;
  }
  get hasNextPage(): boolean | Promise<boolean> {
    return answered(this.#rows.hasNext);
  }
  get hasPreviousPage(): boolean | Promise<boolean> {
    return answered(this.#rows.hasPrevious);
  }
  get startCursor(): string | null {
    return this.#page.edges[0]?.cursor ?? null;
  }
  get endCursor(): string | null {
    return this.#page.edges.at(-1)?.cursor ?? null;
  }
}

/** A page of a connection: the rows with their cursors, what lies around them, and what the list they are from tells. */
export class Page<T> {
  readonly edges: { readonly cursor: string; readonly node: T }[];
  readonly source: PageSource;
  readonly #rows: PageRows<T>;

  constructor(rows: PageRows<T>, source: PageSource, cursorOf: (row: T) => string) {
    this.edges = rows.rows.map((node) => new Edge(node, cursorOf));
    this.source = source;
    this.#rows = rows;
  }

  get nodes(): T[] {
    return this.#rows.rows;
  }

  get pageInfo(): PageInfo {
    return new PageInfo(this, this.#rows);
  }

  /** How many rows the list has. Reads up to one more than `upTo`. */
  async totalCount(upTo: number): Promise<BoundedCount> {
    const count = await this.source.count(upTo + 1);
    return { value: Math.min(count, upTo), isExact: count <= upTo };
  }

  /** The rows of the list in groups; null where there are more rows than `limit`, since sums of some of them tell nothing. */
  async groups(groups: Groups): Promise<readonly Group[] | null> {
    const found = (await this.source.groups?.({ ...groups, limit: groups.limit + 1 })) ?? [];
    return found.reduce((sum, { count }) => sum + Number(count), 0) > groups.limit ? null : found;
  }

  /** Where the pages of `every` rows begin. Reads up to one more than `upTo`. */
  async marks(every: number, upTo: number): Promise<PageMarks> {
    const { cursors, count } = await this.source.marks(every, upTo + 1);
    return { cursors, total: Math.min(count, upTo), isComplete: count <= upTo };
  }
}

/** How many rows to show and which: from the beginning of a list, or of what lies between two places, or from its end. */
export type PageRequest<Place> = {
  readonly size: number;
  readonly after: Place | null;
  readonly before: Place | null;
  readonly isReversed: boolean;
};

/**
 * The rows of a page that were read one beyond its size, in the order they were read. `beyond` tells whether there are rows at a place or beyond
 * it; where nothing is left out on a side, nobody needs to look.
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

/** A page of rows that are all at hand, in order. `compare` says on which side of a place a row lies: below 0 before it, 0 at it. */
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
  return new Page(rows, source, cursorOf);
}
