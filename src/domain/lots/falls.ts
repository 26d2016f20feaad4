// Marks of pools whose available amount limits watch. The marks are stored with the account, so that refills rearm thresholds
// without reading limits.
import { maxOf, minOf } from '../money/money.ts';
import type { Pool } from '../pricing/pools.ts';
import type { FallMark, LimitWatch } from '../rows/fall-mark.ts';
import type { AccountPool } from '../rows/usage-rows.ts';
import { type Account, amountOf, amountsIn } from './account.ts';

/** Fall of the available amount of a pool by a movement. */
export type Fall = {
  readonly pool: Pool;
  readonly before: bigint;
  readonly after: bigint;
  /** Number of refills since limits watch the pool. */
  readonly span: number;
  /** Amounts of the last grant of the plan and of the last refill. */
  readonly granted: bigint;
  readonly refilled: bigint;
  /** Lowest amount before the movement since the last refill. */
  readonly sinceRefill: bigint;
  /** Lowest amount before the movement in the usage window. */
  readonly inWindow: bigint;
  /** Amount from which the movement fell. Includes amounts that expired since the previous movement. */
  readonly from: bigint;
};

const windowOf = ({ context }: Account): number => context.windowStart?.getTime() ?? 0;

/** Returns the fall of a pool's available amount between two states of an account. */
export function fallOf(before: Account, after: Account, pool: Pool): Fall {
  const mark = before.pools[pool]?.fall;
  const { granted, lastRefill } = amountsIn(before, pool);
  const [was, is] = [amountOf(before, pool), amountOf(after, pool)];
  const from = mark === undefined ? was : maxOf(was, BigInt(mark.last));
  const isOpen = mark !== undefined && mark.window.start === windowOf(before);
  return {
    pool,
    before: was,
    after: is,
    span: mark?.span ?? 0,
    granted,
    refilled: mark === undefined ? lastRefill : BigInt(mark.refill),
    sinceRefill: mark === undefined ? was : BigInt(mark.trough),
    inWindow: isOpen ? BigInt(mark.window.trough) : from,
    from,
  };
}

const withMark = (account: Account, pool: Pool, stored: AccountPool, fall: FallMark): Account => ({
  ...account,
  pools: { ...account.pools, [pool]: { ...stored, fall } },
});

/** Returns the account after a movement that limits watch. `watches` replaces the watches of the pool. */
export function withFall(
  account: Account,
  { pool, after, span, refilled, sinceRefill, inWindow }: Fall,
  watches: readonly LimitWatch[],
): Account {
  const stored = account.pools[pool];
  if (stored === undefined) return account;
  const mark: FallMark = {
    span,
    trough: `${minOf(sinceRefill, after)}`,
    last: `${after}`,
    refill: `${refilled}`,
    window: { start: windowOf(account), trough: `${minOf(inWindow, after)}` },
    watches,
  };
  return withMark(account, pool, stored, mark);
}

/**
 * Returns the account after a refill, which rearms thresholds below the available amount. Thresholds that are armed stay armed if a
 * reset lowers the amount. Changes only pools that limits watch.
 */
export function withRefill(account: Account, pool: Pool, amount: bigint): Account {
  const stored = account.pools[pool];
  if (stored?.fall === undefined) return account;
  const { fall } = stored;
  const trough = `${maxOf(BigInt(fall.trough), amountOf(account, pool))}`;
  return withMark(account, pool, stored, { ...fall, span: fall.span + 1, trough, refill: `${amount}` });
}

/** Watch whose amount is exceeded again, with the available amount. */
export type Resolved = { readonly watch: LimitWatch; readonly value: bigint };

/** Removes the watches of an account whose amounts are exceeded again, and returns them. */
export function resolveWatches(account: Account): {
  readonly account: Account;
  readonly resolved: readonly Resolved[];
} {
  const resolved: Resolved[] = [];
  let current = account;
  for (const [pool, stored] of Object.entries(account.pools)) {
    const { fall } = stored;
    if (fall === undefined || fall.watches.length === 0) continue;
    const value = amountOf(account, pool);
    const isExceeded = ({ above }: LimitWatch): boolean => value > BigInt(above);
    const done = fall.watches.filter(isExceeded);
    if (done.length === 0) continue;
    resolved.push(...done.map((watch) => ({ watch, value })));
    const watches = fall.watches.filter((watch) => !isExceeded(watch));
    current = withMark(current, pool, stored, { ...fall, watches });
  }
  return { account: current, resolved };
}
