import { dayReached, type FoldedEntry, foldEntries as sumEntries } from '../../../../domain/metrics/fold.ts';
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
import type { TransactionContext } from '../../../../request/context.ts';
import { type Cursor, readCustomers, readEntries } from '../store.ts';
import { closeMonths, moveCursor, readPaying, writeFolded } from './store.ts';

/** Maximum number of rows that one transaction stores for closed months, unless a single month needs more. */
const maxMonthRows = 100_000;

/** Adds entries to the sums of their days and months. Returns the latest day that the sums include. */
async function addUp(sql: Query, reached: Day | null, entries: readonly FoldedEntry[]): Promise<Day | null> {
  if (entries.length === 0) return reached;
  const ids = entries.map(({ customerId }) => customerId);
  const folded = sumEntries(await readCustomers(sql, ids), entries, reached);
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
 * Aggregates up to `limit` entries after the locked cursor, and closes months that have ended, with few SQL statements.
 * A month ends with the first entry in a later month, or when the environment's time is past the month and no entries
 * are pending. Returns `true` if there may be more work.
 */
export async function foldEntries(
  { sql, clock }: TransactionContext,
  cursor: Cursor,
  limit: number,
): Promise<boolean> {
  const entries = await readEntries(sql, cursor.seq, limit);
  const day = await addUp(sql, cursor.day, entries);
  if (day === null) return false;
  const today = monthOf(dayOf(clock.now()));
  // If the batch is full, more entries may follow, and these entries may belong to a month that has ended.
  const isFull = entries.length === limit;
  const reached = !isFull && monthOf(day) < today ? `${today}-01` : day;
  const closed = cursor.closedMonth ?? monthBefore(dayReached(null, entries[0] ?? noEntry()));
  const months = await monthsToClose(sql, closed, reached);
  await closeMonths(sql, closed, months);
  const closedMonth = months.at(-1) ?? closed;
  const open = monthOf(dayAfter(closedMonth));
  const seq = entries.at(-1)?.seq ?? cursor.seq;
  await moveCursor(sql, { seq, day: reached, closedMonth, closesAt: midnightOf(dayAfter(open)) });
  return isFull || open < monthOf(reached);
}
