// Transactions that change credits or a balance. Each function returns the resulting account, the changed lots, and
// the entries that explain the change (CON-58, PRM-141).

import { type Rejection, specificRejection } from '../errors/errors.ts';
import { maxOf, minOf } from '../money/money.ts';
import type { Pool } from '../pricing/feature-cell.ts';
import type { RolledOver } from '../pricing/rollover.ts';
import type { ConsumptionModel } from '../rows/enums.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { type Account, balanceOf, creditsOf, endingBalanceOf, isExpired } from './account.ts';
import { type LotDraft, type Movement, Posting } from './posting.ts';

/**
 * Draws the cost of usage from the lots. The part that no lot covers makes a balance negative (CON-11). A negative
 * cost returns to the lots that it was drawn from (PRM-101).
 */
export function consume(
  account: Account,
  kind: Pool,
  cost: bigint,
  featureId: string | null = null,
): Movement {
  const posting = new Posting(account);
  if (cost < 0n) posting.giveBack(kind, -cost, featureId);
  else {
    const uncovered = posting.draw(kind, cost, 'consumption', featureId);
    if (kind === 'credits' && uncovered > 0n) throw new RangeError("The account's credits cover a draw.");
    posting.overdraw(uncovered, 'consumption');
  }
  return posting.movement;
}

/** Amount that usage drew from a lot. */
export type LotDraw = { readonly lotId: string; readonly amount: bigint };

/**
 * Returns an amount to the lots that it was drawn from, in the order of `draws` (PRM-129). The part that was drawn from
 * lots that ended since, or from a negative balance that was billed, isn't returned.
 */
export function returnDraws(account: Account, draws: readonly LotDraw[], amount: bigint): Movement {
  const posting = new Posting(account);
  let left = amount;
  for (const { lotId, amount: drawn } of draws) {
    const part = maxOf(0n, minOf(left, drawn));
    left -= part;
    const lot = account.lots.find(({ id }) => id === lotId);
    if (lot === undefined || lot.source === 'overdraft' || isExpired(lot, account.context.now)) continue;
    posting.post(lot, 'return', part);
  }
  return posting.movement;
}

/** Invoice that pays for a lot, and the lot's description. */
export type LotPayment = {
  readonly sourceId: string;
  readonly description: string | null;
  /** Price before tax, in minor units. */
  readonly paidMinor: bigint;
  readonly expiresAt?: Date | null;
};

/** Adds purchased credits, which don't expire at resets (CON-19, CON-20). */
export function purchaseCredits(account: Account, credits: bigint, payment: LotPayment): Movement {
  const posting = new Posting(account);
  posting.add('credits', { source: 'purchase', amount: credits, ...payment }, 'purchase');
  return posting.movement;
}

/**
 * Adds a top-up, which expires at the next reset, to the balance. Offsets a negative balance (CON-24,
 * CON-25).
 */
export function topUpBalance(account: Account, amountRate: bigint, payment: LotPayment): Movement {
  const posting = new Posting(account);
  posting.add('balance', { source: 'topup', amount: amountRate, endsWithWindow: true, ...payment }, 'topup');
  posting.change({ lastRefillRate: amountRate });
  return posting.movement;
}

/** Adds a granted lot (PRM-142). */
export function grantLot(
  account: Account,
  kind: Pool,
  lot: Pick<LotDraft, 'id' | 'amount' | 'expiresAt' | 'description' | 'features'> & {
    readonly priority: number | null;
  },
): Movement {
  const posting = new Posting(account);
  const { priority, ...draft } = lot;
  posting.add(kind, { source: 'promotion', ...draft, ...(priority === null ? {} : { priority }) }, 'grant');
  return posting.movement;
}

/** Removes the remaining amount of a lot at its end, or because it was revoked, and closes the lot (PRM-21, PRM-146). */
export function closeLot(account: Account, lot: LotRow, type: 'expiry' | 'revoke'): Movement {
  const posting = new Posting(account);
  posting.close(lot, type);
  return posting.movement;
}

/**
 * Removes the refunded part of a purchased lot, at most the remaining amount (PRM-23). Closes the lot after a
 * full refund, so that nothing can return to it.
 */
export function takeBack(account: Account, lot: LotRow, amount: bigint, isFull: boolean): Movement {
  const posting = new Posting(account);
  if (isFull) posting.close(lot, 'refund');
  else posting.post(lot, 'refund', -minOf(amount, lot.remaining));
  return posting.movement;
}

/** Changes the end of a lot. */
export function moveEnd(account: Account, lot: LotRow, expiresAt: Date | null): Movement {
  const posting = new Posting(account);
  posting.store({ ...lot, expiresAt });
  return posting.movement;
}

function addAdjustment(account: Account, kind: Pool, amount: bigint, description: string | null): Posting {
  const posting = new Posting(account);
  const endsWithWindow = kind === 'balance';
  posting.add(kind, { source: 'adjustment', amount, endsWithWindow, description }, 'adjustment');
  return posting;
}

/**
 * Adjusts credits. Added credits don't expire. Removed credits are drawn in the order of usage. Fails with
 * `insufficient_credits` if fewer credits are left (CON-21).
 */
export function adjustCredits(
  account: Account,
  amount: bigint,
  description: string | null,
): Movement | Rejection {
  if (amount >= 0n) return addAdjustment(account, 'credits', amount, description).movement;
  if (-amount > creditsOf(account)) {
    return specificRejection('insufficient_credits', 'left', {
      values: { credits: creditsOf(account) },
      param: 'amount',
    });
  }
  const posting = new Posting(account);
  posting.draw('credits', -amount, 'adjustment');
  return posting.movement;
}

/**
 * Adjusts the balance. An added amount expires at the next reset. Fails with `insufficient_balance` if the result
 * would be negative and the plan doesn't allow a negative balance (CON-26).
 */
export function adjustBalance(
  account: Account,
  amountRate: bigint,
  isBlocking: boolean,
  description: string | null,
): Movement | Rejection {
  if (amountRate >= 0n) {
    const posting = addAdjustment(account, 'balance', amountRate, description);
    if (amountRate > 0n) posting.change({ lastRefillRate: amountRate });
    return posting.movement;
  }
  if (isBlocking && balanceOf(account) + amountRate < 0n) {
    return specificRejection('insufficient_balance', 'negative', { param: 'amount' });
  }
  const posting = new Posting(account);
  posting.overdraw(posting.draw('balance', -amountRate, 'adjustment'), 'adjustment');
  return posting.movement;
}

/** Included credits (a whole number) and balance (at rate scale) of a window. */
export type Included = { readonly credits: bigint; readonly balanceRate: bigint };

/** Adds included amounts to the plan's lot, or to a new lot if the plan's lot doesn't exist. */
function grant(posting: Posting, kind: Pool, amount: bigint): void {
  const planLot = posting.lotsOf(kind).find(({ source }) => source === 'plan');
  if (planLot === undefined) posting.add(kind, { source: 'plan', amount, endsWithWindow: true }, 'grant');
  else posting.extend(planLot, 'grant', amount);
}

/**
 * Grants the amounts that were added to the plan after the window opened. They apply immediately and are
 * stored with the next transaction (CAT-49). Does nothing if no amounts were added.
 */
export function grantRaise(account: Account, model: ConsumptionModel, included: Included): Movement {
  const posting = new Posting(account);
  if (model === 'credits' && included.credits > account.grantedCredits) {
    grant(posting, 'credits', included.credits - account.grantedCredits);
    posting.change({ grantedCredits: included.credits });
  }
  if (model === 'balance' && included.balanceRate > account.grantedRate) {
    grant(posting, 'balance', included.balanceRate - account.grantedRate);
    posting.change({ grantedRate: included.balanceRate, lastRefillRate: included.balanceRate });
  }
  return posting.movement;
}

/** Lot that was rolled over earlier, with the amount that expires at a reset. */
type Lapsed = { readonly lot: LotRow; readonly amount: bigint };

/** Balance transaction that opens a window, with the number of expired plan credits and the expired rollover lots. */
export type Reset = Movement & { readonly expiredCredits: bigint; readonly lapsed: readonly Lapsed[] };

/** Expires rollover lots that ended. */
function expireRollovers(posting: Posting, kind: Pool): Lapsed[] {
  const { now } = posting.account.context;
  const ended = posting.lotsOf(kind).filter((lot) => lot.source === 'rollover' && isExpired(lot, now));
  for (const lot of ended) posting.close(lot, 'expiry');
  return ended.map((lot) => ({ lot, amount: lot.remaining }));
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
    posting.post(lot, 'expiry', -amount, { isOpen: amount < lot.remaining });
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
  const left = posting.lotsOf(kind).filter(({ source, remaining }) => source === 'plan' && remaining > 0n);
  const amount = left.reduce((sum, { remaining }) => sum + remaining, 0n);
  for (const lot of left) posting.close(lot, 'rollover');
  if (amount > 0n) posting.add(kind, { source: 'rollover', amount, expiresAt, sourceId }, 'rollover');
  return cap === null ? lapsed : [...lapsed, ...cutRollovers(posting, kind, cap)];
}

/** Closes the lots of a kind from which nothing remains. An overdraft stays open. */
function closeDrained(posting: Posting, kind: Pool): void {
  for (const lot of posting.lotsOf(kind))
    if (lot.remaining === 0n && lot.source !== 'overdraft') posting.close(lot, 'expiry');
}

/**
 * Opens a window on a credits plan (CON-19). Remaining plan credits roll over or expire, included credits are granted,
 * and other lots don't change. In the first window, nothing expires and the entry type is `grant`.
 */
export function resetCredits(
  account: Account,
  included: bigint,
  isFirst: boolean,
  { sourceId = null, rolledOver = null }: ResetDetails = {},
): Reset {
  const posting = new Posting(account);
  const lapsed = rollOver(posting, 'credits', rolledOver, sourceId);
  const ending = posting.lotsOf('credits').filter(({ endsWithWindow }) => endsWithWindow);
  const expiredCredits = ending.reduce((sum, { remaining }) => sum + remaining, 0n);
  for (const lot of ending) posting.close(lot, 'expiry');
  closeDrained(posting, 'credits');
  const lot = { source: 'plan', amount: included, endsWithWindow: true, sourceId } as const;
  posting.add('credits', lot, isFirst ? 'grant' : 'reset');
  posting.change({ grantedCredits: included, isLowSent: false });
  return { ...posting.movement, expiredCredits, lapsed };
}

/** Expires an amount of the lots that end with the window, in draw order. Returns the rest of the amount. */
function expireEnding(posting: Posting, amount: bigint): bigint {
  let left = amount;
  for (const lot of posting.lotsOf('balance')) {
    if (!lot.endsWithWindow) continue;
    const part = minOf(left, lot.remaining);
    posting.post(lot, 'expiry', -part);
    left -= part;
  }
  return left;
}

const stays = ({ source, remaining, endsWithWindow }: LotRow): boolean =>
  endsWithWindow && source !== 'plan' && remaining > 0n;

/**
 * Opens a window on a balance plan (CON-24). The remaining balance rolls over or expires, a billed deficit is cleared,
 * and the included balance is granted. `settledRate` is the balance that was billed. The balance can have changed since;
 * the difference moves to the new window.
 */
export function resetBalance(
  account: Account,
  includedRate: bigint,
  isFirst: boolean,
  { settledRate, sourceId = null, rolledOver = null }: BalanceResetDetails = {},
): Reset {
  const posting = new Posting(account);
  const lapsed = rollOver(posting, 'balance', rolledOver, sourceId);
  const settled = settledRate ?? endingBalanceOf(posting.account);
  const isDeficit = settled < 0n;
  const spent = isDeficit ? 0n : expireEnding(posting, settled);
  posting.overdraw(spent, 'expiry');
  const surplus = isDeficit ? posting.clearOverdraft(-settled, 'reset') : 0n;
  const left = posting.lotsOf('balance').filter(({ source }) => source === 'plan');
  const carried = left.reduce((sum, { remaining }) => sum + remaining, 0n);
  for (const lot of left) posting.close(lot, 'reset');
  closeDrained(posting, 'balance');
  for (const lot of posting.lotsOf('balance').filter(stays))
    posting.store({ ...lot, expiresAt: account.context.windowEnd });
  const lot = posting.add(
    'balance',
    { source: 'plan', amount: includedRate, endsWithWindow: true, sourceId },
    isFirst ? 'grant' : 'reset',
  );
  posting.extend(lot, 'reset', surplus + carried);
  posting.change({ grantedRate: includedRate, lastRefillRate: includedRate });
  return { ...posting.movement, expiredCredits: 0n, lapsed };
}

/** Cause of the entries of a reset, and the rollover of unused amounts. `null` if unused amounts expire. */
type ResetDetails = { readonly sourceId?: string | null; readonly rolledOver?: RolledOver | null };

/** Details of a reset, and the balance that was billed for the ending window. */
type BalanceResetDetails = ResetDetails & { readonly settledRate?: bigint | undefined };
