// The organization's balance on the platform's own processor (PAY-35). Its parts are sums over the ledger and the transactions, so that no charge
// has to wait for a row that all of them share; only payouts and releases lock the payout account.
import type { Context, TransactionContext } from '../context.ts';
import { type LedgerFact, post } from '../domain/ledger/post.ts';
import { wireAmount } from '../domain/money.ts';
import { nextMidnight, utcMidnight } from '../domain/period.ts';
import { insertRows } from '../platform/db/bulk.ts';
import { newId } from '../platform/ids.ts';
import { wakeEnvironment } from '../platform/queue/lease.ts';
import { nextSeq, recordEvents } from '../transaction.ts';
import { isRealTime } from './apply.ts';
import { type AccountRow, heldBetween, lockAccount, readBalanceSums } from './payout-store.ts';

/** What belongs to the organization, US cents: captured and not released, released, frozen by disputes, and on its way to the bank. */
export type MerchantBalance = {
  readonly pendingMinor: bigint;
  /** Negative while refunds and disputes have taken more than was there (PAY-40). */
  readonly availableMinor: bigint;
  readonly frozenMinor: bigint;
  readonly inTransitMinor: bigint;
};

/** The balance as it stands. One statement. */
export const readBalance = (ctx: Context): Promise<MerchantBalance> => readBalanceSums(ctx.sql);

/** The payout account of the environment, locked until the transaction ends; made when there is none. */
export async function lockPayoutAccount(tx: Context): Promise<AccountRow> {
  await tx.sql(
    `INSERT INTO "PayoutAccount" ("environmentId", id, status, country, "releasedUntil", "createdAt", "updatedAt")
     VALUES ($1, $2, 'none', NULL, NULL, $3, $3) ON CONFLICT ("environmentId") DO NOTHING`,
    [newId('pac'), tx.clock.now()],
  );
  return lockAccount(tx.sql);
}

/** Moves an amount of US cents by a fact of the ledger that is about no customer; nothing for 0. */
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

/** When the periodic check releases funds that may be withdrawn at an instant: that midnight, or the next one. */
export const releaseAt = (availableAt: Date): Date =>
  availableAt.getTime() === utcMidnight(availableAt).getTime() ? availableAt : nextMidnight(availableAt);

/** Has the worker look at the environment when something of its funds is due, where it lives in real time. */
export async function wakeForFunds(tx: TransactionContext, at: Date | null): Promise<void> {
  if (at === null || !isRealTime(tx)) return;
  await wakeEnvironment(tx.transaction.query, tx.environment.id, at);
}

/**
 * Makes available what may be withdrawn by the midnight before `now`, in one movement, and says so with the whole available balance
 * (PAY-35). A second call at the same instant finds nothing.
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
  const data = { availableAmount: wireAmount(availableMinor), currency: 'usd' };
  await recordEvents(tx, [
    { kind: 'payout.available', occurredAt: now, customerId: null, subscriptionId: null, data },
  ]);
}
