// Accounts with their lots, and the amounts that usage can draw on (PRM-141).
import type { Pool } from '../pricing/feature-cell.ts';
import type { ConsumptionAccountRow, LotRow } from '../rows/usage-rows.ts';
import { inDrawOrder } from './order.ts';

/** Window, time, currency, and ID generator for changes to an account. */
export type LotContext = {
  readonly now: Date;
  readonly windowStart: Date | null;
  readonly windowEnd: Date | null;
  /** Lowercase code of the subscription's currency. */
  readonly currency: string;
  readonly newId: (prefix: string) => string;
  /**
   * Time until which the rest of the plan's lot can be used after it was rolled over. `null` if it never expires.
   * Absent if the rest expires at the end of the window (PRM-22).
   */
  readonly rolloverEnd?: Date | null | undefined;
};

/** Usage window and currency of an account's owner. */
type AccountWindow = Pick<LotContext, 'windowStart' | 'windowEnd' | 'currency'>;

/** Returns the context for changes to an account. Only the plan's lot of a plan with a rollover needs `rolledOverUntil`. */
export const lotContext = (
  { windowStart, windowEnd, currency }: AccountWindow,
  { now, newId }: Pick<LotContext, 'now' | 'newId'>,
  rolledOverUntil?: Date | null,
): LotContext => ({ now, windowStart, windowEnd, currency, newId, rolloverEnd: rolledOverUntil });

/** Stored account, its open lots in draw order, and the context of its changes. */
export type Account = ConsumptionAccountRow & {
  readonly lots: readonly LotRow[];
  readonly context: LotContext;
};

/** Returns an account with its open lots. */
export const accountWith = (
  row: ConsumptionAccountRow,
  lots: readonly LotRow[],
  context: LotContext,
): Account => ({ ...row, lots: lots.length < 2 ? lots : inDrawOrder(lots, context.rolloverEnd), context });

/** Returns the stored part of an account. */
export function storedAccount({ lots: _lots, context: _context, ...row }: Account): ConsumptionAccountRow {
  return row;
}

export const creditsAsset = 'credits';

export const isOfKind = ({ asset }: Pick<LotRow, 'asset'>, kind: Pool): boolean =>
  (asset === creditsAsset) === (kind === 'credits');

/**
 * Returns true if a lot has expired, even if its deadline hasn't been executed yet (PRM-21). A lot that ends with
 * its window expires at the reset.
 */
export const isExpired = (
  { expiresAt, endsWithWindow }: Pick<LotRow, 'expiresAt' | 'endsWithWindow'>,
  now: Date,
): boolean => !endsWithWindow && expiresAt !== null && expiresAt <= now;

/** Returns true if usage of a feature can draw on a lot. `null` stands for all features (PRM-144). */
export const isFor = ({ features }: Pick<LotRow, 'features'>, featureId: string | null): boolean =>
  featureId === null || features.length === 0 || features.includes(featureId);

/**
 * Returns the credits or the balance of an account, without expired lots. If a feature is given, excludes lots for
 * other features.
 */
export function amountOf(account: Account, kind: Pool, featureId: string | null = null): bigint {
  let amount = kind === 'credits' ? account.credits : account.balanceRate;
  for (const lot of account.lots)
    if ((isExpired(lot, account.context.now) || !isFor(lot, featureId)) && isOfKind(lot, kind))
      amount -= lot.remaining;
  return amount;
}

/**
 * Returns the balance that ends with the window: the amounts of the window's lots, or the negative amount of the
 * overdraft (CON-24, CON-27).
 */
export const endingBalanceOf = ({ lots }: Account): bigint =>
  lots.reduce((sum, lot) => (isOfKind(lot, 'balance') && endsAtReset(lot) ? sum + lot.remaining : sum), 0n);

/** Returns true for lots that the reset expires or clears. */
const endsAtReset = ({ endsWithWindow, source }: LotRow): boolean => endsWithWindow || source === 'overdraft';

/** Returns the credits of an account, without expired lots. */
export const creditsOf = (account: Account): bigint => amountOf(account, 'credits');

/** Returns the balance of an account, without expired lots. Negative if the account is overdrawn. */
export const balanceOf = (account: Account): bigint => amountOf(account, 'balance');

/** Returns the credits that the plan granted in the current window and that are left. */
export const planCreditsOf = ({ lots }: Account): bigint =>
  lots.reduce(
    (sum, lot) => (lot.source === 'plan' && isOfKind(lot, 'credits') ? sum + lot.remaining : sum),
    0n,
  );

/** Returns the credits of an account that aren't part of the current window's grant. */
export const purchasedCreditsOf = (account: Account): bigint => creditsOf(account) - planCreditsOf(account);
