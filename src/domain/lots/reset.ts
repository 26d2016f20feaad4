// Opens usage windows: unused amounts roll over or expire, and the plan's amounts are granted (CON-19, CON-24).
import { maxOf, minOf } from '../money/money.ts';
import type { Pool } from '../pricing/pools.ts';
import type { RolledOver } from '../pricing/rollover.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { type Account, endedPartOf, endingAmountOf, isExpired } from './account.ts';
import { type Movement, Posting } from './posting.ts';

/** Lot that was rolled over earlier, with the amount that expires at a reset. */
type Lapsed = { readonly lot: LotRow; readonly amount: bigint };

/** Transaction that opens a window, with the expired amount of the plan's lots and the expired rollover lots. */
export type Reset = Movement & { readonly expired: bigint; readonly lapsed: readonly Lapsed[] };

/** Expires rollover lots that ended. */
function expireRollovers(posting: Posting, kind: Pool): Lapsed[] {
  const { now } = posting.account.context;
  const ended = posting.lotsOf(kind).filter((lot) => lot.source === 'rollover' && isExpired(lot, now));
  return ended
    .map((lot) => ({ lot, amount: posting.end(lot, 'expiry') }))
    .filter(({ lot, amount }) => amount > 0n || lot.remaining === 0n);
}

/** Expires the part of all rollover lots that exceeds a maximum, oldest lot first. */
function cutRollovers(posting: Posting, kind: Pool, cap: bigint): Lapsed[] {
  const lots = posting
    .lotsOf(kind)
    .filter(({ source }) => source === 'rollover')
    .toSorted((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime());
  let excess = lots.reduce((sum, { remaining }) => sum + remaining, -cap);
  return lots.flatMap((lot): Lapsed[] => {
    const amount = maxOf(0n, minOf(excess, lot.remaining));
    if (amount === 0n) return [];
    excess -= amount;
    if (amount === lot.remaining) posting.close(lot, 'expiry');
    else posting.post(lot, 'expiry', -amount);
    return [{ lot, amount }];
  });
}

/**
 * Moves the rest of the plan's lots to a new lot that can be used in later windows, up to the maximum (PRM-22).
 * Returns the amounts of earlier rollover lots that expire.
 */
function rollOver(
  posting: Posting,
  kind: Pool,
  rolledOver: RolledOver | null,
  sourceId: string | null,
): Lapsed[] {
  const lapsed = expireRollovers(posting, kind);
  if (rolledOver === null) return lapsed;
  const { expiresAt, cap } = rolledOver;
  const left = posting
    .lotsOf(kind)
    .filter(({ source, remaining, endsWithWindow }) => source === 'plan' && endsWithWindow && remaining > 0n);
  const amount = left.reduce((sum, { remaining }) => sum + remaining, 0n);
  for (const lot of left) posting.close(lot, 'rollover');
  if (amount > 0n) posting.add(kind, { source: 'rollover', amount, expiresAt, sourceId }, 'rollover');
  return cap === null ? lapsed : [...lapsed, ...cutRollovers(posting, kind, cap)];
}

/**
 * Closes the lots of a kind from which nothing remains and that carried usage didn't draw on. Overdrafts and prepaid commitments
 * stay open. Usage that is corrected
 * later opens a lot again until the lot ends.
 */
function closeDrained(posting: Posting, kind: Pool): void {
  for (const lot of posting.lotsOf(kind))
    if (
      lot.remaining === 0n &&
      lot.source !== 'overdraft' &&
      lot.commitment === null &&
      !posting.isDrawn(lot)
    )
      posting.store({ ...lot, isOpen: false });
}

/** Amounts of a pool that expire or stay in lots that end while holds are open. */
type EndedAmounts = { readonly expired: bigint; readonly reserved: bigint };

/**
 * Ends the lots that end with the window and whose amounts open holds reserve, and expires the freed parts of lots that ended earlier
 * (LIM-62).
 */
function endReserved(posting: Posting, kind: Pool): EndedAmounts {
  let [expired, reserved] = [0n, 0n];
  for (const lot of posting.lotsOf(kind)) {
    const hasEndedEarlier = endedPartOf(posting.account, lot) !== null;
    const isEnding = lot.endsWithWindow && lot.remaining > posting.freeOf(lot);
    if (!isEnding && !hasEndedEarlier) continue;
    const removed = posting.end(lot, 'expiry');
    if (!isEnding) continue;
    expired += removed;
    reserved += lot.remaining - removed;
  }
  return { expired, reserved };
}

/** Expires an amount of the lots that end with the window, in draw order. Returns the rest of the amount. */
function expireEnding(posting: Posting, kind: Pool, amount: bigint): bigint {
  let left = amount;
  for (const lot of posting.lotsOf(kind)) {
    if (!lot.endsWithWindow) continue;
    const part = minOf(left, lot.remaining);
    posting.post(lot, 'expiry', -part);
    left -= part;
  }
  return left;
}

const stays = ({ source, remaining, endsWithWindow }: LotRow): boolean =>
  endsWithWindow && source !== 'plan' && remaining > 0n;

/** Details of a reset. */
type ResetDetails = {
  /** Cause of the entries. */
  readonly sourceId?: string | null;
  /** Rollover of unused amounts. `null` if unused amounts expire. */
  readonly rolledOver?: RolledOver | null;
  /**
   * Amount that was billed for the ending window. The amount can have changed since; the difference moves to the new
   * window.
   */
  readonly settled?: bigint | undefined;
  /** Deductions of usage that moves to the new window, and the start of the ending window. */
  readonly carried?: { readonly amount: bigint; readonly from: Date } | undefined;
};

/**
 * Opens a window for a pool (CON-19, CON-24). The amount that ends with the window rolls over or expires, a billed overdraft
 * is cleared, and the included amount is granted. Other lots don't change. In the first window, nothing expires and the
 * entry type is `grant`.
 */
export function resetPool(
  account: Account,
  kind: Pool,
  included: bigint,
  isFirst: boolean,
  { sourceId = null, rolledOver = null, settled: billed, carried: moved }: ResetDetails = {},
): Reset {
  const posting = new Posting(account);
  const lapsed = rollOver(posting, kind, rolledOver, sourceId);
  const ending = billed ?? endingAmountOf(posting.account, kind);
  const ended = endReserved(posting, kind);
  const settled = ending - ended.expired - ended.reserved;
  const isOverdrawn = settled < 0n;
  const spent = isOverdrawn ? 0n : expireEnding(posting, kind, settled);
  posting.overdraw(kind, spent, 'expiry');
  const surplus = isOverdrawn ? posting.clearOverdraft(kind, -settled, 'reset') : 0n;
  const left = posting
    .lotsOf(kind)
    .filter(({ source, endsWithWindow }) => source === 'plan' && endsWithWindow);
  const carried = left.reduce((sum, { remaining }) => sum + remaining, 0n);
  for (const lot of left) posting.close(lot, 'reset');
  if (moved !== undefined) posting.carryDraws(kind, moved.amount, moved.from);
  closeDrained(posting, kind);
  for (const lot of posting.lotsOf(kind).filter(stays))
    posting.store({ ...lot, expiresAt: account.context.windowEnd });
  const type = isFirst ? 'grant' : 'reset';
  const lot = posting.add(kind, { source: 'plan', amount: included, endsWithWindow: true, sourceId }, type);
  posting.extend(lot, 'reset', surplus + carried);
  posting.change(kind, { granted: included, lastRefill: included, crossed: 0 });
  posting.refill(kind, included);
  const expired = ended.expired + (isOverdrawn ? 0n : settled - spent);
  return { ...posting.movement, expired, lapsed };
}
