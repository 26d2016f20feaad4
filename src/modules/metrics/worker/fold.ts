import type { Context } from '../../../context.ts';
import { dayReached, type FoldedEntry, foldEntries } from '../../../domain/metrics/fold.ts';
import { addToDay, type Day, dayOf, intervalEnd, midnightOf } from '../../../domain/metrics/range.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../transaction.ts';
import { foldEvents } from '../../outcome-days/store.ts';
import { type Cursor, readCustomers, readEntries } from '../store.ts';
import { closeMonth, lockCursor, moveCursor, writeFolded } from './store.ts';

/** Entries added up by one transaction. */
const batchSize = 2_000;

/** How long one transaction may take. */
const timeoutMs = 60_000;

const monthOf = (day: Day): string => day.slice(0, 7);

const firstOfNext = (day: Day): Day => addToDay(intervalEnd(day, 'month'), 1);

/** The entries at the beginning of some that lie in one month, and that month's last day reached. */
function firstMonth(entries: readonly FoldedEntry[], reached: Day | null): FoldedEntry[] {
  const [first] = entries;
  if (first === undefined) return [];
  const month = monthOf(dayReached(reached, first));
  let day = reached;
  const end = entries.findIndex((entry) => {
    day = dayReached(day, entry);
    return monthOf(day) !== month;
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}

/** Adds up entries of one month. Answers how far that comes. */
async function addUp(sql: Query, { day, seq }: Cursor, entries: readonly FoldedEntry[]): Promise<Cursor> {
  const ids = entries.map(({ customerId }) => customerId);
  const folded = foldEntries(await readCustomers(sql, ids), entries, day);
  await writeFolded(sql, folded);
  return cursorAt(entries.at(-1)?.seq ?? seq, folded.day);
}

const cursorAt = (seq: bigint, day: Day | null): Cursor => ({
  seq,
  day,
  closesAt: day === null ? null : midnightOf(firstOfNext(day)),
});

/**
 * Adds up the next entries of an environment leased to `owner`, or closes a month that has ended, in one transaction. A month ends with the first
 * entry of a later one, or when the clock of the environment has passed it and no entry waits. Answers whether there may be more to do.
 */
export const foldNext = (ctx: Context, owner: string | null): Promise<boolean> =>
  inTransaction(
    ctx,
    async ({ sql, clock }) => {
      const cursor = await lockCursor(sql, owner);
      if (cursor === null) return false;
      const hasEvents = await foldEvents(sql, batchSize);
      const { seq, day } = cursor;
      // A month is closed without reading the entries that wait for the next one.
      const [first] = await readEntries(sql, seq, 1);
      const next = first === undefined ? dayOf(clock.now()) : dayReached(day, first);
      // One month at a time, however many have passed: closing one takes time in proportion to customers.
      if (day !== null && monthOf(day) < monthOf(next)) {
        await closeMonth(sql, monthOf(day));
        await moveCursor(sql, cursorAt(seq, firstOfNext(day)));
        return true;
      }
      if (first === undefined) return hasEvents;
      const entries = firstMonth(await readEntries(sql, seq, batchSize), day);
      await moveCursor(sql, await addUp(sql, cursor, entries));
      return true;
    },
    { clockLock: 'none', timeoutMs },
  );
