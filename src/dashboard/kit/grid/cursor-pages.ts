// Pages of a list, loadable from any position. One request loads the cursors of all pages, and another loads the rows of a page.

/** Cursor of each page of a list, as the API returns them for `marks(every, upTo)`. */
export type Marks = {
  readonly cursors: readonly string[];
  readonly total: number;
  readonly isComplete: boolean;
};

/** Receives the rows of a page, each time they change, or the error of the page. */
export type PageSink<Row> = {
  /** Called with the rows. `isStale` is true while newer rows load. */
  readonly rows: (rows: readonly Row[], isStale?: boolean) => void;
  readonly failed: (error: unknown) => void;
};

/** Data source of a list, independent of the GraphQL client and its cache. */
export type MarksSource<Row> = {
  /**
   * Opens the page after a cursor. `null` opens the first page. Returns a function that closes the page. An open page can deliver rows several times.
   */
  readonly page: (after: string | null, size: number, sink: PageSink<Row>) => () => void;
  /** Loads the cursors of pages with `every` rows, for the first `upTo` rows. */
  readonly marks: (every: number, upTo: number) => Promise<Marks>;
};

/** Adapts a function that loads a page once to a data source. */
export const readOnce =
  <Row>(read: (after: string | null, size: number) => Promise<readonly Row[]>): MarksSource<Row>['page'] =>
  (after, size, sink) => {
    let isOpen = true;
    read(after, size).then(
      (rows) => isOpen && sink.rows(rows),
      (error: unknown) => isOpen && sink.failed(error),
    );
    return () => {
      isOpen = false;
    };
  };

/**
 * Initial and maximum number of counted rows. When the user scrolls to the end of the counted rows, ten times as many
 * are counted.
 */
const counted = { first: 100_000, most: 1_000_000 } as const;

type Settings = {
  /** Number of rows per page. */
  readonly size: number;
  /** Delay after scrolling before pages are requested, in milliseconds. */
  readonly rest: number;
  /** Maximum number of pages that load concurrently. */
  readonly atOnce: number;
  /** Maximum number of pages whose rows are kept in memory. */
  readonly kept: number;
  /** Minimum time between two counts, in milliseconds. Counting many rows is slower than reading a page. */
  readonly countRest: number;
};

const usual: Settings = { size: 100, rest: 80, atOnce: 2, kept: 40, countRest: 1_000 };

type Page<Row> = {
  rows: readonly Row[] | null;
  close: (() => void) | null;
  error: unknown;
  /** True while newer rows load, because the current rows are cached or were loaded before the last refresh. */
  isOld: boolean;
};

/** State of a list. Each change creates a new object. */
export type PagesState = {
  readonly rowCount: number;
  /** False if the list has more rows than `rowCount`. */
  readonly isExact: boolean;
  readonly status: 'loading' | 'ready' | 'error';
  readonly error: unknown;
};

/** Paged list that loads the visible rows and returns rows by index. */
export class MarksPages<Row> {
  state: PagesState = { rowCount: 0, isExact: true, status: 'loading', error: null };
  readonly #source: MarksSource<Row>;
  readonly #settings: Settings;
  readonly #pages = new Map<number, Page<Row>>();
  readonly #listeners = new Set<() => void>();
  #marks: Marks | null = null;
  #marksAsked = 0;
  /** True if the list must be counted again after the visible rows are loaded. */
  #isCountDue = false;
  #countedAt = Number.NEGATIVE_INFINITY;
  #countTimer: ReturnType<typeof setTimeout> | null = null;
  #upTo: number = counted.first;
  #wanted: readonly number[] = [0];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = true;

  constructor(source: MarksSource<Row>, settings: Partial<Settings> = {}) {
    this.#source = source;
    this.#settings = { ...usual, ...settings };
  }

  /** Starts loading, and calls the listener after each change. Returns a function that unsubscribes. Without subscribers, all pages are closed. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#isClosed) {
      this.#isClosed = false;
      this.#load();
      this.#askMarks();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  };

  readonly rowAt = (index: number): Row | undefined => {
    const { size } = this.#settings;
    return this.#pages.get(Math.floor(index / size))?.rows?.[index % size];
  };

  /** Sets the visible range. The pages in the range are loaded after scrolling stops. */
  readonly onVisible = ({ from, until }: { readonly from: number; readonly until: number }): void => {
    const { size, rest } = this.#settings;
    const first = Math.floor(from / size);
    const last = Math.floor(Math.max(from, until - 1) / size);
    this.#wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    if (this.#timer !== null) clearTimeout(this.#timer);
    const isHere = this.#wanted.every((page) => this.#pages.get(page)?.close);
    this.#timer = isHere ? null : setTimeout(() => this.#load(), rest);
  };

  /** Reloads the visible rows, then counts the list again. The current rows stay visible until new rows arrive. */
  readonly refresh = (): void => {
    for (const page of this.#pages.values()) {
      page.close?.();
      page.close = null;
      page.isOld = true;
      page.error = null;
    }
    this.#isCountDue = true;
    this.#load();
  };

  #close(): void {
    this.#isClosed = true;
    for (const timer of [this.#timer, this.#countTimer]) if (timer !== null) clearTimeout(timer);
    this.#countTimer = null;
    for (const page of this.#pages.values()) {
      page.close?.();
      page.close = null;
    }
  }

  #askMarks(): void {
    this.#isCountDue = false;
    this.#countedAt = performance.now();
    this.#marksAsked += 1;
    const asked = this.#marksAsked;
    this.#source.marks(this.#settings.size, this.#upTo).then(
      (marks) => {
        if (this.#isClosed || asked !== this.#marksAsked) return;
        this.#marks = marks;
        this.#changed();
        this.#load();
      },
      (error: unknown) => !this.#isClosed && asked === this.#marksAsked && this.#changed(error),
    );
  }

  #isLoading(page: Page<Row>): boolean {
    return page.close !== null && page.error === null && (page.rows === null || page.isOld);
  }

  /** True if the end of the counted rows is visible and the list has more rows. */
  #isAtBound(): boolean {
    if (this.#marks === null || this.#marks.isComplete || this.#marks.total < this.#upTo) return false;
    const last = Math.ceil(this.#marks.total / this.#settings.size) - 1;
    return this.#upTo < counted.most && this.#wanted.includes(last);
  }

  /** Counts the list if required, after the visible rows are loaded. */
  #count(): void {
    if ([...this.#pages.values()].some((page) => this.#isLoading(page))) return;
    if (this.#isAtBound()) {
      this.#upTo *= 10;
      return this.#askMarks();
    }
    if (!this.#isCountDue) return;
    const rest = this.#countedAt + this.#settings.countRest - performance.now();
    if (rest <= 0) this.#askMarks();
    else this.#countTimer ??= setTimeout(() => this.#countAgain(), rest);
  }

  #countAgain(): void {
    this.#countTimer = null;
    this.#count();
  }

  /** Opens the visible pages, up to the maximum number of concurrent loads, and closes pages that are no longer visible. */
  #load(): void {
    this.#timer = null;
    for (const [number, page] of this.#pages) {
      if (this.#wanted.includes(number) || page.close === null) continue;
      page.close();
      page.close = null;
    }
    for (const number of this.#wanted) {
      const loading = [...this.#pages.values()].filter((page) => this.#isLoading(page)).length;
      if (loading >= this.#settings.atOnce) break;
      const after = number === 0 ? null : this.#marks?.cursors[number - 1];
      const known = this.#pages.get(number);
      if (after !== undefined && !known?.close) this.#open(number, after);
    }
    this.#forget();
    this.#count();
  }

  #open(number: number, after: string | null): void {
    const page: Page<Row> = this.#pages.get(number) ?? { rows: null, close: null, error: null, isOld: false };
    // Moves the page to the end, so that the pages that were hidden first come first.
    this.#pages.delete(number);
    this.#pages.set(number, page);
    page.error = null;
    let isOpen = true;
    const give = (change: Partial<Page<Row>>) => {
      if (!isOpen) return;
      Object.assign(page, change);
      this.#changed();
      this.#load();
    };
    page.close = () => {
      isOpen = false;
    };
    const close = this.#source.page(after, this.#settings.size, {
      rows: (rows, isStale = false) => give({ rows, isOld: isStale }),
      failed: (error) => give({ error }),
    });
    page.close = () => {
      isOpen = false;
      close();
    };
  }

  /** Removes the rows of the pages that were hidden first. */
  #forget(): void {
    for (const [number, page] of this.#pages) {
      if (this.#pages.size <= this.#settings.kept) return;
      if (page.close === null && !this.#wanted.includes(number)) this.#pages.delete(number);
    }
  }

  #changed(marksError: unknown = null): void {
    const first = this.#pages.get(0);
    const errors = [marksError, ...this.#wanted.map((number) => this.#pages.get(number)?.error)];
    const error = errors.find((one) => one !== null && one !== undefined) ?? null;
    const rows = first?.rows?.length ?? 0;
    const isThere =
      this.#marks !== null ? first?.rows != null || this.#marks.total === 0 : first?.rows != null;
    this.state = {
      rowCount: Math.max(this.#marks?.total ?? rows, this.#marks === null ? 0 : rows),
      isExact: this.#marks?.isComplete ?? rows < this.#settings.size,
      status: error !== null ? 'error' : isThere ? 'ready' : 'loading',
      error,
    };
    for (const listener of this.#listeners) listener();
  }
}
