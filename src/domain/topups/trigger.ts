import type { Rejection } from '../errors/errors.ts';
import { type Account, amountOf } from '../lots/account.ts';
import type { Pool } from '../pricing/pools.ts';
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
 * Returns the rejection of usage that a pool doesn't cover, with the state of the pool's automatic top-up. `reason` is `null`
 * if a refill is due or in progress. Doesn't change other rejections and rejections of accounts without a top-up.
 */
export function withTopUp(
  rejection: Rejection,
  { pools }: Pick<Account, 'pools'>,
  pool: Pool | null,
): Rejection {
  const mark = pool === null ? undefined : pools[pool]?.topUp;
  if (mark === undefined || !shortages.has(rejection.code)) return rejection;
  const autoTopUp = { status: mark.below === null ? 'paused' : 'on', reason: mark.reason };
  return { ...rejection, details: { autoTopUp } };
}
