import type { EventRow } from '../outbox/read.ts';

// Events of a while as one value, for live fields that would otherwise flood their readers.

/** What events of a span of time become. */
export type Gathering<T> = {
  readonly begin: (first: EventRow) => T;
  readonly add: (into: T, event: EventRow) => void;
  /** Whether it is handed out at once, before its time is over. */
  readonly isFull?: (of: T) => boolean;
};

/** Resolves after so many milliseconds. */
const rest = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });

/**
 * What the events of spans of time become, one value after each `everyMs` in which there were any. Each event is in exactly one of them, in
 * their order. Ends as its pages do.
 */
export async function* gatherEvents<T>(
  pages: AsyncGenerator<readonly EventRow[], void>,
  everyMs: number,
  { begin, add, isFull = () => false }: Gathering<T>,
): AsyncGenerator<T, void> {
  try {
    let next = pages.next();
    for (;;) {
      const { value: first, done } = await next;
      if (done === true) return;
      const due = rest(everyMs);
      let gathered: { readonly of: T } | null = null;
      for (let page: readonly EventRow[] | null = first; page !== null; ) {
        for (const event of page) {
          gathered ??= { of: begin(event) };
          add(gathered.of, event);
          if (!isFull(gathered.of)) continue;
          yield gathered.of;
          gathered = null;
        }
        next = pages.next();
        const come: IteratorResult<readonly EventRow[], void> | null = await Promise.race([next, due]);
        if (come?.done === true) return;
        page = come === null ? null : come.value;
      }
      if (gathered !== null) yield gathered.of;
    }
  } finally {
    await pages.return();
  }
}
