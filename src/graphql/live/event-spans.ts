import type { EventRow } from '../../outbox/read.ts';

// Combines the events within an interval, for live fields that would otherwise emit too often.

/** Functions that combine the events of an interval into a value. */
export type Gathering<T> = {
  readonly begin: (first: EventRow) => T;
  readonly add: (into: T, event: EventRow) => void;
  /** Returns true if the value must be emitted before the interval ends. */
  readonly isFull?: (of: T) => boolean;
};

const rest = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });

/**
 * Combines the events of each interval into one value. Emits nothing for intervals without events. Each event is included exactly once, in order.
 * Ends when `pages` ends.
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
