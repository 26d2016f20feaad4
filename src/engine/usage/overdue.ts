import type { Context } from '../../context.ts';
import type { AttemptRow } from '../../domain/attempt.ts';
import { inTransaction } from '../../transaction.ts';
import { isRealTime } from '../apply.ts';
import { catchUpCustomers, readLate } from '../catch-up.ts';
import { settle } from '../settle.ts';
import type { UsageRows } from './load.ts';

// What falls due comes before what is recorded afterwards: usage counts in the window it comes in, however late the worker is.

/**
 * The customers for whom something is due in real time whose end of window or period has come; none on a test clock. Costs no statement where
 * no end has come.
 */
export async function lateCustomers(
  tx: Context,
  { holdings }: Pick<UsageRows, 'holdings'>,
): Promise<string[]> {
  if (!isRealTime(tx)) return [];
  const now = tx.clock.now();
  const hasCome = (end: Date | null): boolean => end !== null && end <= now;
  const ended = holdings.filter(
    ({ subscription }) => hasCome(subscription.windowEnd) || hasCome(subscription.periodEnd),
  );
  if (ended.length === 0) return [];
  const ids = ended.map(({ subscription }) => subscription.customerId);
  return [...new Set((await readLate(tx, ids, now)).map(({ customerId }) => customerId))];
}

/** Asks gateways for what was due, beside whatever follows; what has no answer is inquired about later. */
export function settleBeside(ctx: Context, attempts: readonly AttemptRow[]): void {
  if (attempts.length === 0) return;
  settle(ctx, attempts, 'charge').catch((error: unknown) =>
    ctx.log.error({ error }, 'What was due could not be settled.'),
  );
}

/** Executes what is due for customers in a transaction of its own; usage that follows does not wait for gateways. */
export async function catchUpFirst(ctx: Context, customerIds: readonly string[]): Promise<void> {
  settleBeside(ctx, await inTransaction(ctx, (tx) => catchUpCustomers(tx, customerIds, tx.clock.now())));
}
