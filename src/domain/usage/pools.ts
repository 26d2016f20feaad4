// Transactions that change credits or a balance. Each function returns the resulting account, and the entries
// that explain the change (CON-58).

import { type Rejection, specificRejection } from '../errors/errors.ts';
import { maxOf, minOf } from '../money/money.ts';
import type { ConsumptionModel } from '../rows/enums.ts';
import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  ConsumptionEntryType,
  ConsumptionPool,
} from '../rows/usage-rows.ts';

export type EntryDraft = Pick<ConsumptionEntryRow, 'pool' | 'type' | 'amount' | 'resulting'>;

/**
 * Account after a balance transaction, and the transaction's entries in order. `entries` is empty if
 * nothing changed.
 */
export type Movement = { readonly account: ConsumptionAccountRow; readonly entries: readonly EntryDraft[] };

type Pools = Pick<ConsumptionAccountRow, 'planCredits' | 'purchasedCredits' | 'balanceRate'>;

const columns = {
  plan_credits: 'planCredits',
  purchased_credits: 'purchasedCredits',
  money_balance: 'balanceRate',
} as const satisfies {
  readonly [pool in ConsumptionPool]: keyof Pools;
};

/** Changes one balance by a signed amount. Does nothing if the amount is 0. */
function move(
  movement: Movement,
  pool: ConsumptionPool,
  type: ConsumptionEntryType,
  amount: bigint,
): Movement {
  if (amount === 0n) return movement;
  const column = columns[pool];
  const resulting = movement.account[column] + amount;
  return {
    account: { ...movement.account, [column]: resulting },
    entries: [...movement.entries, { pool, type, amount, resulting }],
  };
}

const unmoved = (account: ConsumptionAccountRow): Movement => ({ account, entries: [] });

/** Returns the sum of plan credits and purchased credits. */
export const creditsOf = (account: Pools): bigint => account.planCredits + account.purchasedCredits;

function deductCredits(account: ConsumptionAccountRow, cost: bigint, type: ConsumptionEntryType): Movement {
  const fromPlan = minOf(cost, maxOf(0n, account.planCredits));
  return move(
    move(unmoved(account), 'plan_credits', type, -fromPlan),
    'purchased_credits',
    type,
    fromPlan - cost,
  );
}

/**
 * Deducts credits for usage, plan credits first (CON-18). `cost` must not be negative or exceed the credits.
 */
export function drawCredits(account: ConsumptionAccountRow, cost: bigint): Movement {
  if (cost < 0n || cost > creditsOf(account))
    throw new RangeError('A draw is not negative, and the credits cover it.');
  return deductCredits(account, cost, 'consumption');
}

/** Deducts money for usage. The balance can become negative if the plan allows it (CON-11). */
export const drawBalance = (account: ConsumptionAccountRow, cost: bigint): Movement =>
  move(unmoved(account), 'money_balance', 'consumption', -cost);

/** Adds purchased credits, which don't expire at resets (CON-19, CON-20). */
export const purchaseCredits = (account: ConsumptionAccountRow, credits: bigint): Movement =>
  move(unmoved(account), 'purchased_credits', 'purchase', credits);

/**
 * Adds a top-up, which expires at the next reset, to the balance. Offsets a negative balance (CON-24,
 * CON-25).
 */
export function topUpBalance(account: ConsumptionAccountRow, amountRate: bigint): Movement {
  const moved = move(unmoved(account), 'money_balance', 'topup', amountRate);
  return { ...moved, account: { ...moved.account, lastRefillRate: amountRate } };
}

/**
 * Adjusts credits. Added credits are treated as purchased. Removed credits are deducted from plan credits
 * first. Fails with `insufficient_credits` if fewer credits are left (CON-21).
 */
export function adjustCredits(account: ConsumptionAccountRow, amount: bigint): Movement | Rejection {
  if (amount >= 0n) return move(unmoved(account), 'purchased_credits', 'adjustment', amount);
  if (-amount > creditsOf(account)) {
    return specificRejection('insufficient_credits', 'left', {
      values: { credits: creditsOf(account) },
      param: 'amount',
    });
  }
  return deductCredits(account, -amount, 'adjustment');
}

/**
 * Adjusts the balance. Fails with `insufficient_balance` if the result would be negative and the plan
 * doesn't allow a negative balance (CON-26).
 */
export function adjustBalance(
  account: ConsumptionAccountRow,
  amountRate: bigint,
  isBlocking: boolean,
): Movement | Rejection {
  if (isBlocking && amountRate < 0n && account.balanceRate + amountRate < 0n) {
    return specificRejection('insufficient_balance', 'negative', { param: 'amount' });
  }
  const moved = move(unmoved(account), 'money_balance', 'adjustment', amountRate);
  return amountRate > 0n ? { ...moved, account: { ...moved.account, lastRefillRate: amountRate } } : moved;
}

/** Included credits (a whole number) and balance (at rate scale) of a window. */
export type Included = { readonly credits: bigint; readonly balanceRate: bigint };

/**
 * Grants the amounts that were added to the plan after the window opened. They apply immediately and are
 * stored with the next transaction (CAT-49). Does nothing if no amounts were added.
 */
export function grantRaise(
  account: ConsumptionAccountRow,
  model: ConsumptionModel,
  included: Included,
): Movement {
  if (model === 'credits' && included.credits > account.grantedCredits) {
    const moved = move(unmoved(account), 'plan_credits', 'grant', included.credits - account.grantedCredits);
    return { ...moved, account: { ...moved.account, grantedCredits: included.credits } };
  }
  if (model !== 'balance' || included.balanceRate <= account.grantedRate) return unmoved(account);
  const moved = move(unmoved(account), 'money_balance', 'grant', included.balanceRate - account.grantedRate);
  return {
    ...moved,
    account: { ...moved.account, grantedRate: included.balanceRate, lastRefillRate: included.balanceRate },
  };
}

/** Balance transaction that opens a window, with the number of expired plan credits. */
export type Reset = Movement & { readonly expiredCredits: bigint };

/**
 * Opens a window on a credits plan (CON-19). Remaining plan credits expire, included credits are granted, and
 * purchased credits don't change. In the first window, nothing expires and the entry type is `grant`.
 */
export function resetCredits(account: ConsumptionAccountRow, included: bigint, isFirst: boolean): Reset {
  const discarded = move(unmoved(account), 'plan_credits', 'expiry', -account.planCredits);
  const granted = move(discarded, 'plan_credits', isFirst ? 'grant' : 'reset', included);
  return {
    ...granted,
    account: { ...granted.account, grantedCredits: included, isLowSent: false },
    expiredCredits: account.planCredits,
  };
}

/**
 * Opens a window on a balance plan (CON-24). Any remaining balance expires, a billed deficit is cleared, and
 * the included balance is granted. `settledRate` is the balance that was billed; the balance can have changed
 * since.
 */
export function resetBalance(
  account: ConsumptionAccountRow,
  includedRate: bigint,
  isFirst: boolean,
  settledRate: bigint = account.balanceRate,
): Movement {
  const cleared = move(
    unmoved(account),
    'money_balance',
    settledRate > 0n ? 'expiry' : 'reset',
    -settledRate,
  );
  const granted = move(cleared, 'money_balance', isFirst ? 'grant' : 'reset', includedRate);
  return {
    ...granted,
    account: { ...granted.account, grantedRate: includedRate, lastRefillRate: includedRate },
  };
}
