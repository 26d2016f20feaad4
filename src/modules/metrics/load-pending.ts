import type { Context } from '../../context.ts';
import { foldEntries, type RollupChange } from '../../domain/metrics/fold.ts';
import { readCursor, readCustomers, readEntries } from './store.ts';

/** Entries that wait to be added up which a read adds in memory. */
const mostPending = 5_000;

/** How often a read begins again when entries were added up meanwhile. */
const attempts = 5;

/** What a read found, and the sums that were not stored yet when it did. */
export type WithPending<T> = {
  readonly stored: T;
  readonly pending: readonly RollupChange[];
  /** False when so many entries wait that they were left out. */
  readonly isComplete: boolean;
};

async function readOnce<T>(ctx: Context, read: () => Promise<T>): Promise<WithPending<T> | null> {
  const before = await readCursor(ctx.sql);
  const stored = await read();
  const entries = await readEntries(ctx.sql, before.seq, mostPending + 1);
  const isComplete = entries.length <= mostPending;
  if (!isComplete || entries.length === 0) {
    const after = await readCursor(ctx.sql);
    return after.seq === before.seq ? { stored, pending: [], isComplete } : null;
  }
  const ids = entries.map(({ customerId }) => customerId);
  const customers = await readCustomers(ctx.sql, ids);
  const after = await readCursor(ctx.sql);
  return after.seq === before.seq
    ? { stored, pending: foldEntries(customers, entries, before.day).rollups, isComplete }
    : null;
}

/** Reads stored sums together with those of the entries that wait, so that a figure has the caller's own last write (MET-72a). */
export async function readWithPending<T>(ctx: Context, read: () => Promise<T>): Promise<WithPending<T>> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    const found = await readOnce(ctx, read);
    if (found !== null) return found;
  }
  return { stored: await read(), pending: [], isComplete: false };
}
