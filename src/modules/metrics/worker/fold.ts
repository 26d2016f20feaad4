import type { Context } from '../../../context.ts';
import { dayReached, type FoldedEntry, foldEntries } from '../../../domain/metrics/fold.ts';
import {
  type Day,
  dayAfter,
  dayOf,
  type Month,
  midnightOf,
  monthBefore,
  monthOf,
  monthsBetween,
} from '../../../domain/metrics/range.ts';
import type { Query } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../transaction.ts';
import { foldEvents } from '../../outcome-days/store.ts';
import { readCustomers, readEntries } from '../store.ts';
import { closeMonths, lockCursor, moveCursor, readPaying, writeFolded } from './store.ts';

/** Entries, and events, added up by one transaction. */
const batchSize = 2_000;

/** Rows of customers that one transaction stores for months that ended, unless one month has more. */
const mostMonthRows = 100_000;

/** How long one transaction may take. */
const timeoutMs = 60_000;

/** Adds entries up, whatever days and months they lie in. Answers the day reached. */
async function addUp(sql: Query, reached: Day | null, entries: readonly FoldedEntry[]): Promise<Day | null> {
  if (entries.length === 0) return reached;
  const ids = entries.map(({ customerId }) => customerId);
  const folded = foldEntries(await readCustomers(sql, ids), entries, reached);
  await writeFolded(sql, folded);
  return folded.day;
}

function noEntry(): never {
  throw new Error('A day was reached without an entry.');
}

/** The months that ended before a day and are not closed, as many as one transaction may close. */
async function monthsToClose(sql: Query, closed: Month, day: Day): Promise<Month[]> {
  const months = monthsBetween(closed, monthOf(day));
  if (months.length <= 1) return months;
  const paying = await readPaying(sql);
  return months.slice(0, Math.max(1, Math.floor(mostMonthRows / Math.max(1, paying))));
}

/**
 * Adds up the next entries and events of an environment leased to `owner` and closes the months that have ended, in one transaction and a handful of statements.
 * A month ends with the first entry of a later one, or when the clock of the environment has passed it and no entry waits. Answers whether there
 * may be more to do.
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
      // What is not read yet may have occurred in a month that is over.
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
