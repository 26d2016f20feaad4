import { isExpired } from '../../domain/lots/account.ts';
import { noLots, type OpenLots } from '../../domain/lots/open-lots.ts';
import type { AttemptRow } from '../../domain/subscription/payments/charge-attempt.ts';
import type { Context } from '../../request/context.ts';
import { inTransaction } from '../../request/transaction.ts';
import { isRealTime } from '../apply.ts';
import { catchUpCustomers, readLate } from '../catch-up.ts';
import { settle } from '../settle.ts';
import type { UsageRows } from './load.ts';

// Runs overdue deadlines before usage is recorded, so that the usage counts toward the correct window even if
// the worker is late.

/**
 * Returns the customers with due deadlines in real time whose window, period, or lot has ended. Empty under a
 * test clock. Executes no statement if none of them has ended.
 */
export async function lateCustomers(
  tx: Context,
  { holdings, lots }: Pick<UsageRows, 'holdings' | 'lots'>,
): Promise<string[]> {
  if (!isRealTime(tx)) return [];
  const now = tx.clock.now();
  const hasCome = (end: Date | null): boolean => end !== null && end <= now;
  const hasExpired = ({ lots: open, unloaded }: OpenLots): boolean =>
    hasCome(unloaded?.endsAt ?? null) || open.some((lot) => isExpired(lot, now));
  const ended = holdings.filter(
    ({ subscription: { id, windowEnd, periodEnd } }) =>
      hasCome(windowEnd) || hasCome(periodEnd) || hasExpired(lots.get(id) ?? noLots),
  );
  if (ended.length === 0) return [];
  const ids = ended.map(({ subscription }) => subscription.customerId);
  return [...new Set((await readLate(tx, ids, now)).map(({ customerId }) => customerId))];
}

/** Sends due attempts to providers in the background. Attempts without a result are inquired about later. */
export function settleInBackground(ctx: Context, attempts: readonly AttemptRow[]): void {
  if (attempts.length === 0) return;
  settle(ctx, attempts, 'charge').catch((error: unknown) =>
    ctx.log.error({ error }, 'Due attempts could not be settled.'),
  );
}

/**
 * Executes the due deadlines of customers in a separate transaction. The usage doesn't wait for their
 * provider calls.
 */
export async function catchUpFirst(ctx: Context, customerIds: readonly string[]): Promise<void> {
  settleInBackground(
    ctx,
    await inTransaction(ctx, (tx) => catchUpCustomers(tx, customerIds, tx.clock.now())),
  );
}
