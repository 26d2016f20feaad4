import type { AttemptRow } from '../../domain/subscription/payments/charge-attempt.ts';
import type { TransactionContext } from '../../request/context.ts';
import { isRealTime } from '../apply.ts';
import { catchUpCustomers } from '../catch-up.ts';
import { OutsideCallError } from '../commit.ts';
import { type LoadedUsage, readUsage, type UsageNeeds, usageDetailsOf } from './load.ts';
import { lateCustomers } from './overdue.ts';

/** Locked usage data, and the result of the due deadlines. */
type CurrentUsage = {
  readonly details: LoadedUsage;
  /** Whether due deadlines were executed. */
  readonly isCaughtUp: boolean;
  /** Attempts of the deadlines, to send to providers after the transaction. */
  readonly attempts: readonly AttemptRow[];
};

/**
 * Executes the due deadlines of customers, and then locks and reads the usage data for requests. A deadline locks its customer exclusively, so
 * it must run before the shared locks for usage: two transactions with shared locks can't both wait for the exclusive lock. `isOwn` is
 * false in a caller's transaction. Throws `OutsideCallError` if a deadline then needs a provider.
 */
export async function lockCurrentUsage(
  tx: TransactionContext,
  needs: UsageNeeds,
  isOwn: boolean,
): Promise<CurrentUsage> {
  const read = (purpose: 'look' | 'record') => readUsage(tx.sql, tx.transaction.query, needs, purpose);
  const attempts: AttemptRow[] = [];
  let isCaughtUp = false;
  const catchUp = async (late: readonly string[]): Promise<void> => {
    if (late.length === 0) return;
    isCaughtUp = true;
    attempts.push(...(await catchUpCustomers(tx, late, tx.clock.now())));
    if (attempts.length > 0 && !isOwn) throw new OutsideCallError();
  };
  if (isRealTime(tx)) await catchUp(await lateCustomers(tx, await read('look')));
  let rows = await read('record');
  const late = await lateCustomers(tx, rows);
  if (late.length > 0) {
    await catchUp(late);
    rows = await read('record');
  }
  return { details: await usageDetailsOf(tx, needs, rows, isOwn), isCaughtUp, attempts };
}
