// Pages of a list with cursors, wherever in it they are: marks say at which cursor each page begins, so any page is one request.

/** Where the pages of a list begin, as connections answer it: `marks(every, upTo)`. */
export type Marks = {
  readonly cursors: readonly string[];
  readonly total: number;
  readonly isComplete: boolean;
};

/** What a page gives to the list: its rows, again whenever they change, or its failure. */
export type PageSink<Row> = {
  /** `isStale` says that newer rows are on their way. */
  readonly rows: (rows: readonly Row[], isStale?: boolean) => void;
  readonly failed: (error: unknown) => void;
};

/** Where rows come from; the list knows nothing of clients and caches. */
export type MarksSource<Row> = {
  /** Opens the page after a cursor, null for the first one. Returns how to close it; an open page may give its rows again. */
  readonly page: (after: string | null, size: number, sink: PageSink<Row>) => () => void;
  /** Where its pages of `every` rows begin, of the first `upTo` rows. */
  readonly marks: (every: number, upTo: number) => Promise<Marks>;
};

/** A source of pages that are read once. */
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

/** How many rows are counted at first, and at most. A list that is scrolled to the end of what was counted is counted ten times as far. */
const counted = { first: 100_000, most: 1_000_000 } as const;

type Settings = {
  /** Rows of a page. */
  readonly size: number;
  /** How long the screen has to rest before pages are asked for, in ms. */
  readonly rest: number;
  /** Pages being loaded at once. */
  readonly atOnce: number;
  /** Pages whose rows are kept. */
  readonly kept: number;
  /** How long the list is not counted again, in ms: with many rows that costs more than to read a page. */
  readonly countRest: number;
};

const usual: Settings = { size: 100, rest: 80, atOnce: 2, kept: 40, countRest: 1_000 };

type Page<Row> = {
  rows: readonly Row[] | null;
  close: (() => void) | null;
  error: unknown;
  /** Whether the rows are from before the last refresh, or from a cache, and newer ones are on their way. */
  isOld: boolean;
};

/** How a list stands; a new object after each change. */
export type PagesState = {
  readonly rowCount: number;
  /** False where the list goes on beyond `rowCount`. */
  readonly isExact: boolean;
  readonly status: 'loading' | 'ready' | 'error';
  readonly error: unknown;
};

/** A list of pages: gives rows by their place, and loads those on screen. */
export class MarksPages<Row> {
  state: PagesState = { rowCount: 0, isExact: true, status: 'loading', error: null };
  readonly #source: MarksSource<Row>;
  readonly #settings: Settings;
  readonly #pages = new Map<number, Page<Row>>();
  readonly #listeners = new Set<() => void>();
  #marks: Marks | null = null;
  #marksAsked = 0;
  /** Whether the list is to be counted again once the rows on screen are there. */
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

  /** Starts loading, and calls back after each change. Returns how to stop; the last one to stop closes all pages. */
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

  /** Says which rows are on screen; their pages are loaded once the screen rests. */
  readonly onVisible = ({ from, until }: { readonly from: number; readonly until: number }): void => {
    const { size, rest } = this.#settings;
    const first = Math.floor(from / size);
    const last = Math.floor(Math.max(from, until - 1) / size);
    this.#wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    if (this.#timer !== null) clearTimeout(this.#timer);
    const isHere = this.#wanted.every((page) => this.#pages.get(page)?.close);
    this.#timer = isHere ? null : setTimeout(() => this.#load(), rest);
  };

  /** Loads again what is on screen, then the length of the list; rows stay until the new ones are there. */
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

  /** Whether the end of what was counted is on screen, and the list goes on behind it. */
  #isAtBound(): boolean {
    if (this.#marks === null || this.#marks.isComplete || this.#marks.total < this.#upTo) return false;
    const last = Math.ceil(this.#marks.total / this.#settings.size) - 1;
    return this.#upTo < counted.most && this.#wanted.includes(last);
  }

  /** Counts what is due, once the rows on screen are there: the reader waits for those first. */
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

  /** Opens pages that are wanted, at most so many at once, and closes those that left the screen. */
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
    // Moved to the end, so that the first ones are those not seen for the longest time.
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

  /** Drops the rows of pages that were not on screen for the longest time. */
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
