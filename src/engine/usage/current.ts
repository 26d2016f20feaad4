import type { AttemptRow } from '../../domain/subscription/payments/charge-attempt.ts';
import type { TransactionContext } from '../../request/context.ts';
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
 * Locks and reads the usage data for requests, after executing the customers' due deadlines. `isOwn` is false in a
 * caller's transaction. Throws `OutsideCallError` if a deadline then needs a provider.
 */
export async function lockCurrentUsage(
  tx: TransactionContext,
  needs: UsageNeeds,
  isOwn: boolean,
): Promise<CurrentUsage> {
  const read = () => readUsage(tx.sql, tx.transaction.query, needs, 'record');
  const rows = await read();
  const late = await lateCustomers(tx, rows);
  if (late.length === 0)
    return { details: await usageDetailsOf(tx, needs, rows, isOwn), isCaughtUp: false, attempts: [] };
  const attempts = await catchUpCustomers(tx, late, tx.clock.now());
  if (attempts.length > 0 && !isOwn) throw new OutsideCallError();
  return { details: await usageDetailsOf(tx, needs, await read(), isOwn), isCaughtUp: true, attempts };
}
