import { dayReached, type FoldedEntry, foldEntries } from '../../../../domain/metrics/fold.ts';
import {
  type Day,
  dayAfter,
  dayOf,
  type Month,
  midnightOf,
  monthBefore,
  monthOf,
  monthsBetween,
} from '../../../../domain/metrics/range.ts';
import type { Query } from '../../../../platform/db/pool.ts';
import type { Context } from '../../../../request/context.ts';
import { inTransaction } from '../../../../request/transaction.ts';
import { foldEvents } from '../../outcome-days/store.ts';
import { readCustomers, readEntries } from '../store.ts';
import { closeMonths, lockCursor, moveCursor, readPaying, writeFolded } from './store.ts';

/** Maximum number of entries that one transaction aggregates. Also the maximum number of events. */
const batchSize = 2_000;

/** Maximum number of rows that one transaction stores for closed months, unless a single month needs more. */
const maxMonthRows = 100_000;

const timeoutMs = 60_000;

/** Adds entries to the sums of their days and months. Returns the latest day that the sums include. */
async function addUp(sql: Query, reached: Day | null, entries: readonly FoldedEntry[]): Promise<Day | null> {
  if (entries.length === 0) return reached;
  const ids = entries.map(({ customerId }) => customerId);
  const folded = foldEntries(await readCustomers(sql, ids), entries, reached);
  await writeFolded(sql, folded);
  return folded.day;
}

function noEntry(): never {
  throw new Error('The cursor has a day but no entry.');
}

/** Returns the months that have ended and aren't closed yet, up to the limit of one transaction. */
async function monthsToClose(sql: Query, closed: Month, day: Day): Promise<Month[]> {
  const months = monthsBetween(closed, monthOf(day));
  if (months.length <= 1) return months;
  const paying = await readPaying(sql);
  return months.slice(0, Math.max(1, Math.floor(maxMonthRows / Math.max(1, paying))));
}

/**
 * Aggregates the next entries and events in an environment leased to `owner`, and closes months that have ended, in one
 * transaction with few SQL statements. A month ends with the first entry in a later month, or when the environment's
 * time is past the month and no entries are pending. Returns `true` if there may be more work.
 */
export const foldNext = (ctx: Context, owner: string | null): Promise<boolean> =>
  inTransaction(
    ctx,
    async ({ sql, clock }) => {
      const cursor = await lockCursor(sql, owner);
      if (cursor === null) return false;
      const hasEvents = await foldEvents(sql, batchSize);
      const entries = await readEntries(sql, cursor.seq, batchSize);
      const hasMore = hasEvents || entries.length === batchSize;
      const day = await addUp(sql, cursor.day, entries);
      if (day === null) return hasMore;
      const today = monthOf(dayOf(clock.now()));
      // If the batch is full, more entries may follow, and these entries may belong to a month that has ended.
      const reached = entries.length < batchSize && monthOf(day) < today ? `${today}-01` : day;
      const closed = cursor.closedMonth ?? monthBefore(dayReached(null, entries[0] ?? noEntry()));
      const months = await monthsToClose(sql, closed, reached);
      await closeMonths(sql, closed, months);
      const closedMonth = months.at(-1) ?? closed;
      const open = monthOf(dayAfter(closedMonth));
      const seq = entries.at(-1)?.seq ?? cursor.seq;
      await moveCursor(sql, { seq, day: reached, closedMonth, closesAt: midnightOf(dayAfter(open)) });
      return hasMore || open < monthOf(reached);
    },
    { clockLock: 'none', timeoutMs },
  );
