// Movements of the pools: each is the account after it and the ledger entries that make the difference
// (CON-58).

import type { ConsumptionModel } from '../enums.ts';
import { type Rejection, specificRejection } from '../errors.ts';
import { maxOf, minOf } from '../money.ts';
import type {
  ConsumptionAccountRow,
  ConsumptionEntryRow,
  ConsumptionEntryType,
  ConsumptionPool,
} from './rows.ts';

/** An entry before it has an identity. */
export type EntryDraft = Pick<ConsumptionEntryRow, 'pool' | 'type' | 'amount' | 'resulting'>;

/** The account after a movement, and its entries in order; none when nothing moved. */
export type Movement = { readonly account: ConsumptionAccountRow; readonly entries: readonly EntryDraft[] };

type Pools = Pick<ConsumptionAccountRow, 'planCredits' | 'purchasedCredits' | 'balanceRate'>;

const columns = {
  plan_credits: 'planCredits',
  purchased_credits: 'purchasedCredits',
  money_balance: 'balanceRate',
} as const satisfies {
  readonly [pool in ConsumptionPool]: keyof Pools;
};

/** Moves one pool by a signed amount; nothing for 0. */
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

/** Credits of both kinds. */
export const creditsOf = (account: Pools): bigint => account.planCredits + account.purchasedCredits;

function takeCredits(account: ConsumptionAccountRow, cost: bigint, type: ConsumptionEntryType): Movement {
  const fromPlan = minOf(cost, maxOf(0n, account.planCredits));
  return move(
    move(unmoved(account), 'plan_credits', type, -fromPlan),
    'purchased_credits',
    type,
    fromPlan - cost,
  );
}

/**
 * Draws credits for consumption, those of the plan first (CON-18). The pool must cover the cost, which is not
 * negative.
 */
export function drawCredits(account: ConsumptionAccountRow, cost: bigint): Movement {
  if (cost < 0n || cost > creditsOf(account))
    throw new RangeError('A draw is not negative, and the credits cover it.');
  return takeCredits(account, cost, 'consumption');
}

/** Draws money for consumption; the balance may become negative where the plan does not block (CON-11). */
export const drawBalance = (account: ConsumptionAccountRow, cost: bigint): Movement =>
  move(unmoved(account), 'money_balance', 'consumption', -cost);

/** Adds bought credits, which stay until used (CON-19, CON-20). */
export const purchaseCredits = (account: ConsumptionAccountRow, credits: bigint): Movement =>
  move(unmoved(account), 'purchased_credits', 'purchase', credits);

/** Adds paid money to the balance until the next reset; it lifts a negative one too (CON-24, CON-25). */
export function topUpBalance(account: ConsumptionAccountRow, amountRate: bigint): Movement {
  const moved = move(unmoved(account), 'money_balance', 'topup', amountRate);
  return { ...moved, account: { ...moved.account, lastRefillRate: amountRate } };
}

/**
 * Adjusts credits: added ones count as bought, removed ones are taken from the plan's first. Rejects with
 * `insufficient_credits` what would go below 0 in total (CON-21).
 */
export function adjustCredits(account: ConsumptionAccountRow, amount: bigint): Movement | Rejection {
  if (amount >= 0n) return move(unmoved(account), 'purchased_credits', 'adjustment', amount);
  if (-amount > creditsOf(account)) {
    return specificRejection('insufficient_credits', 'left', {
      values: { credits: creditsOf(account) },
      param: 'amount',
    });
  }
  return takeCredits(account, -amount, 'adjustment');
}

/**
 * Adjusts the balance. Rejects with `insufficient_balance` what would take a blocking one below 0 (CON-26).
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

/** What a window is to begin with: credits whole, balance at rate scale. */
export type Included = { readonly credits: bigint; readonly balanceRate: bigint };

/**
 * Adds what has been included beyond the grant since the window opened: raises count at once, and are added
 * when the account is next looked at (CON-49). Nothing when nothing was raised.
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

/** A movement that opens a window, with the plan credits that were left and are gone. */
export type Reset = Movement & { readonly expiredCredits: bigint };

/**
 * Opens a window on a credits plan: what is left of the plan's credits is discarded, the included ones are
 * granted, bought ones stay (CON-19). The first window of all has nothing to discard and is a `grant`.
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
 * Opens a window on a balance plan: a rest is discarded, a deficit, billed before, is cleared, and the
 * included balance is granted (CON-24). `settledRate` is the balance that was billed, where more has moved it
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
