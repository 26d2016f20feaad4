import { together } from '../together.ts';
import { DatabaseBusyError, type Query } from './pool.ts';

/** Item that couldn't be written, with its error. */
export type Rejected<T> = { readonly item: T; readonly error: unknown };

// SQLSTATE classes of errors that concern the connection, the server, or the whole transaction. These errors require a rollback of the
// whole transaction.
const wholeTransaction = /^(08|25|40|53|55|57|58|XX)/;

/** True if an error may be caused by the rows, so that writing fewer rows can succeed. */
export function isAboutRows(error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return false;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return !/^P2\d{3}$/.test(code) && !wholeTransaction.test(code) && !/^E[A-Z]+$/.test(code);
}

/**
 * Writes items in a savepoint. If this fails, rolls back to the savepoint and writes each half separately, down to single items. Returns the items
 * that couldn't be written, with their errors. All other items are written in order. Throws errors that concern the connection or the whole
 * transaction. `query` must belong to the open transaction.
 */
export async function writeOrBisect<T>(
  query: Query,
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
): Promise<Rejected<T>[]> {
  const [first] = items;
  if (first === undefined) return [];
  const marked = query('SAVEPOINT part');
  try {
    await together([marked, write(items)]);
    await query('RELEASE SAVEPOINT part');
    return [];
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    await query('ROLLBACK TO SAVEPOINT part');
    await query('RELEASE SAVEPOINT part');
    if (items.length === 1) return [{ item: first, error }];
    const middle = Math.ceil(items.length / 2);
    const before = await writeOrBisect(query, items.slice(0, middle), write);
    return [...before, ...(await writeOrBisect(query, items.slice(middle), write))];
  }
}
