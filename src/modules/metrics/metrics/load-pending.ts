import { foldEntries, type RollupChange } from '../../../domain/metrics/fold.ts';
import type { Context } from '../../../request/context.ts';
import { readCursor, readCustomers, readEntries } from './store.ts';

/** Maximum number of pending MRR entries that a read aggregates in memory. */
const maxPending = 5_000;

/** Maximum number of attempts to read consistent sums while entries are being aggregated concurrently. */
const attempts = 5;

/** Stored data, with the sums of the entries that were pending when the data was read. */
export type WithPending<T> = {
  readonly stored: T;
  readonly pending: readonly RollupChange[];
  /** False if the result doesn't include all pending entries because there were too many. */
  readonly isComplete: boolean;
};

async function readOnce<T>(ctx: Context, read: () => Promise<T>): Promise<WithPending<T> | null> {
  const before = await readCursor(ctx.sql);
  const stored = await read();
  const entries = await readEntries(ctx.sql, before.seq, maxPending + 1);
  const isComplete = entries.length <= maxPending;
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

/**
 * Reads stored sums together with the sums of pending entries, so that the result includes the caller's latest write
 * (MET-72a).
 */
export async function readWithPending<T>(ctx: Context, read: () => Promise<T>): Promise<WithPending<T>> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    const found = await readOnce(ctx, read);
    if (found !== null) return found;
  }
  return { stored: await read(), pending: [], isComplete: false };
}
