import type { Rejection } from '../errors/errors.ts';
import { type Account, amountOf } from '../lots/account.ts';
import type { Pool } from '../pricing/pools.ts';
import type { TopUpReason } from '../rows/topup-rows.ts';
import type { TopUpMark } from '../rows/usage-rows.ts';

type Marked = { readonly pool: Pool; readonly mark: TopUpMark };

/** Returns the pools of an account whose automatic top-up a movement triggers. Never returns pools without a top-up. */
export function triggeredPools(account: Account): Marked[] {
  const triggered: Marked[] = [];
  for (const [pool, { topUp: mark }] of Object.entries(account.pools)) {
    if (mark === undefined || mark.waits || mark.below === null) continue;
    if (amountOf(account, pool) <= BigInt(mark.below)) triggered.push({ pool, mark });
  }
  return triggered;
}

const shortages: ReadonlySet<string> = new Set(['insufficient_credits', 'insufficient_balance']);

/**
 * Returns the reason for rejected usage. If no evaluation is scheduled, and the available amount is above the threshold, the
 * reason is `above_threshold`. `null` if a refill is due or in progress.
 */
function reasonOf(account: Account, pool: Pool, mark: TopUpMark): TopUpReason | 'above_threshold' | null {
  const isIdle = mark.below !== null && !mark.waits;
  return isIdle && amountOf(account, pool) > BigInt(mark.below) ? 'above_threshold' : mark.reason;
}

/**
 * Returns the rejection of usage that a pool or a limit on the usage of a pool rejects, with the state of the pool's automatic top-up.
 * Keeps the other details. Doesn't change other rejections and rejections of accounts without a top-up.
 */
export function withTopUp(rejection: Rejection, account: Account, pool: Pool | null): Rejection {
  const mark = pool === null ? undefined : account.pools[pool]?.topUp;
  if (pool === null || mark === undefined || !shortages.has(rejection.code)) return rejection;
  const autoTopUp = {
    status: mark.below === null ? 'paused' : 'on',
    reason: reasonOf(account, pool, mark),
  };
  return { ...rejection, details: { ...(rejection.details as object | undefined), autoTopUp } };
}
