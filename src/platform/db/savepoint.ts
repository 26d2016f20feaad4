import { together } from '../together.ts';
import { DatabaseBusyError, type Query } from './pool.ts';

/** A part of the work that the database, or the code, rejected. */
export type Rejected<T> = { readonly item: T; readonly error: unknown };

// SQLSTATE classes that say something about the connection, the server or rivals, not about the rows: the whole transaction must go.
const wholeTransaction = /^(08|25|40|53|55|57|58|XX)/;

/** Whether leaving out a part of the rows could help: false for failures of the connection, the server or the transaction as a whole. */
export function isAboutRows(error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return false;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return !/^P2\d{3}$/.test(code) && !wholeTransaction.test(code) && !/^E[A-Z]+$/.test(code);
}

/**
 * Writes items under a savepoint. When that fails it is undone and each half is tried in turn, down to the items that cannot be written,
 * which are answered with their errors while the rest stays written in the given order. Failures of the connection or of
 * the transaction as a whole are thrown. `query` is that of the open transaction.
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
