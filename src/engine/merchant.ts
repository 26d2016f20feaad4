// Balance of an organization on the platform's own processor (PAY-35). Calculated from the ledger and the
// transactions, so that charges don't contend for a shared row. Only payouts and releases lock the payout
// account.

import { type LedgerFact, post } from '../domain/ledger/post.ts';
import { nextMidnight, utcMidnight } from '../domain/time/period.ts';
import { insertRows } from '../platform/db/bulk.ts';
import { newId } from '../platform/ids.ts';
import { wakeEnvironment } from '../platform/queue/lease.ts';
import type { Context, TransactionContext } from '../request/context.ts';
import { nextSeq, recordEvents } from '../request/transaction.ts';
import { isRealTime } from './apply.ts';
import { type AccountRow, heldBetween, lockAccount, readBalanceSums } from './effects/payout-store.ts';

/**
 * Balance of an organization in US cents: pending (captured but not released), available, frozen by disputes,
 * and in transit to the bank.
 */
export type MerchantBalance = {
  readonly pendingMinor: bigint;
  /** Available balance. Negative if refunds and disputes exceed the available funds (PAY-40). */
  readonly availableMinor: bigint;
  readonly frozenMinor: bigint;
  readonly inTransitMinor: bigint;
};

/** Reads the current balance with one SQL statement. */
export const readBalance = (ctx: Context): Promise<MerchantBalance> => readBalanceSums(ctx.sql);

/**
 * Locks the environment's payout account until the end of the transaction. Creates the account if it doesn't
 * exist.
 */
export async function lockPayoutAccount(tx: Context): Promise<AccountRow> {
  await tx.sql(
    `INSERT INTO "PayoutAccount" ("environmentId", id, status, country, "releasedUntil", "createdAt", "updatedAt")
     VALUES ($1, $2, 'none', NULL, NULL, $3, $3) ON CONFLICT ("environmentId") DO NOTHING`,
    [newId('pac'), tx.clock.now()],
  );
  return lockAccount(tx.sql);
}

/**
 * Records a ledger fact that moves the organization's money, in US cents and without a customer. Does nothing
 * if the amount is 0.
 */
export async function moveFunds(
  tx: Context,
  fact: LedgerFact,
  amountMinor: bigint,
  occurredAt: Date,
): Promise<void> {
  const about = { customerId: null, subscriptionId: null, invoiceId: null, transactionId: null };
  const transfers = post(fact, amountMinor, 'usd', { newId, occurredAt, ...about });
  for (const transfer of transfers)
    await insertRows(tx.sql, 'LedgerTransfer', [{ ...transfer, seq: await nextSeq(tx) }]);
}

/** Returns the release time of funds: the given time if it's midnight, otherwise the following midnight. */
export const releaseAt = (availableAt: Date): Date =>
  availableAt.getTime() === utcMidnight(availableAt).getTime() ? availableAt : nextMidnight(availableAt);

/**
 * Schedules a worker run for the time at which held funds become available. Does nothing under a test clock.
 */
export async function wakeForFunds(tx: TransactionContext, at: Date | null): Promise<void> {
  if (at === null || !isRealTime(tx)) return;
  await wakeEnvironment(tx.transaction.query, tx.environment.id, at);
}

/**
 * Releases the funds that became available by the last midnight, as one ledger transfer, and emits an event
 * with the available balance (PAY-35). Further calls before the next midnight have no effect.
 */
export async function releaseFunds(tx: Context, now: Date): Promise<void> {
  const account = await lockPayoutAccount(tx);
  const until = utcMidnight(now);
  if (account.releasedUntil !== null && account.releasedUntil >= until) return;
  const amountMinor = await heldBetween(tx.sql, account.releasedUntil, until);
  await tx.sql(
    'UPDATE "PayoutAccount" SET "releasedUntil" = $3, "updatedAt" = $4 WHERE "environmentId" = $1 AND id = $2',
    [account.id, until, now],
  );
  if (amountMinor === 0n) return;
  await moveFunds(tx, 'funds.released', amountMinor, now);
  const { availableMinor } = await readBalance(tx);
  const data = { availableAmount: Number(availableMinor), currency: 'usd' };
  await recordEvents(tx, [
    { kind: 'payout.available', occurredAt: now, customerId: null, subscriptionId: null, data },
  ]);
}
