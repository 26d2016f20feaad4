// Transactions that change credits or a balance. Each function returns the resulting account, the changed lots, and
// the entries that explain the change (CON-58, PRM-141).

import { type Rejection, specificRejection } from '../errors/errors.ts';
import { maxOf, minOf } from '../money/money.ts';
import { isCustom, moneyPool, type Pool } from '../pricing/pools.ts';
import type { CommitmentTerms } from '../rows/purchase-rows.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { type Account, amountOf, amountsIn, hasEnded } from './account.ts';
import { type LotDraft, type Movement, Posting } from './posting.ts';

/**
 * Draws the cost of usage from the lots of a pool. The part that no lot covers makes the pool negative (CON-11). A negative
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
    posting.overdraw(kind, posting.draw(kind, cost, 'consumption', featureId), 'consumption');
  }
  return posting.movement;
}

/** Amount that usage drew from a lot, which can have been closed since. */
export type LotDraw = { readonly lot: LotRow; readonly amount: bigint };

/**
 * Returns an amount to the lots that it was drawn from, in the order of `draws` (PRM-129). Opens lots that were closed because
 * nothing remained. The part that was drawn from lots that ended since, or from a negative balance that was billed, isn't
 * returned.
 */
export function returnDraws(account: Account, draws: readonly LotDraw[], amount: bigint): Movement {
  const posting = new Posting(account);
  let left = amount;
  for (const { lot, amount: drawn } of draws) {
    const part = maxOf(0n, minOf(left, drawn));
    left -= part;
    if (lot.source !== 'overdraft' && !hasEnded(lot, account.context.now)) posting.restore(lot, part);
  }
  return posting.movement;
}

/** Invoice that pays for a lot, and the lot's description. */
export type LotPayment = Pick<Partial<LotDraft>, 'id'> & {
  readonly sourceId: string;
  readonly description: string | null;
  /** Price before tax, in minor units. */
  readonly paidMinor: bigint;
  readonly expiresAt?: Date | null;
  /** Terms of the lot if it's a prepaid commitment (PRM-24). */
  readonly commitment?: CommitmentTerms;
};

/** Adds purchased units or a prepaid commitment, which don't expire at resets (CON-19, CON-20, PRM-24). */
export function purchaseUnits(account: Account, kind: Pool, amount: bigint, payment: LotPayment): Movement {
  const posting = new Posting(account);
  const source = payment.commitment === undefined ? 'purchase' : 'commitment';
  posting.add(kind, { source, amount, ...payment }, 'purchase');
  posting.refill(kind, amount);
  return posting.movement;
}

/**
 * Adds a top-up, which expires at the next reset, to the balance. Offsets a negative balance (CON-24,
 * CON-25).
 */
export function topUpBalance(account: Account, amountRate: bigint, payment: LotPayment): Movement {
  const posting = new Posting(account);
  posting.add(moneyPool, { source: 'topup', amount: amountRate, endsWithWindow: true, ...payment }, 'topup');
  posting.change(moneyPool, { lastRefill: amountRate });
  posting.refill(moneyPool, amountRate);
  return posting.movement;
}

/** Adds a granted lot (PRM-142). A lot that expires in the usage window isn't a refill. */
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
  const { windowEnd } = account.context;
  const endsInWindow = lot.expiresAt != null && windowEnd !== null && lot.expiresAt <= windowEnd;
  if (!endsInWindow) posting.refill(kind, lot.amount);
  return posting.movement;
}

/** Removes the remaining amount of a lot at its end, or because it was revoked, except the part that open holds reserve (PRM-21, PRM-146, LIM-62). */
export function closeLot(account: Account, lot: LotRow, type: 'expiry' | 'revoke'): Movement {
  const posting = new Posting(account);
  posting.end(lot, type);
  return posting.movement;
}

/** Returns the amount that a movement removed. */
export const removedBy = ({ entries }: Movement): bigint =>
  entries.reduce((sum, { amount }) => sum - amount, 0n);

/**
 * Removes the refunded part of a purchased lot, at most the remaining amount that open holds don't reserve (PRM-23, LIM-62).
 * Ends the lot after a full refund, so that nothing can return to it.
 */
export function takeBack(account: Account, lot: LotRow, amount: bigint, isFull: boolean): Movement {
  const posting = new Posting(account);
  if (isFull) posting.end(lot, 'refund');
  else posting.post(lot, 'refund', -minOf(amount, posting.freeOf(lot)));
  return posting.movement;
}

/** Changes the end of a lot. The terms of a prepaid commitment are counted from the new end, unless others are given. */
export function moveEnd(
  account: Account,
  lot: LotRow,
  expiresAt: Date | null,
  commitment = countedFrom(lot, expiresAt),
): Movement {
  const posting = new Posting(account);
  posting.store({ ...lot, expiresAt, commitment });
  return posting.movement;
}

const countedFrom = ({ commitment }: LotRow, end: Date | null): CommitmentTerms | null =>
  commitment === null || end === null ? commitment : { ...commitment, anchor: end.toISOString(), term: 0 };

function notLeft(account: Account, kind: Pool): Rejection {
  return isCustom(kind)
    ? specificRejection('insufficient_credits', 'left', {
        values: { credits: amountOf(account, kind) },
        param: 'amount',
      })
    : specificRejection('insufficient_balance', 'negative', { param: 'amount' });
}

/**
 * Adjusts a pool. Added units don't expire, and added money expires at the next reset. A removed amount is drawn in the order
 * of usage. If the result would be negative and the pool can't be overdrawn, fails with `insufficient_credits` or
 * `insufficient_balance` (CON-21, CON-26).
 */
export function adjustPool(
  account: Account,
  kind: Pool,
  amount: bigint,
  canOverdraw: boolean,
  description: string | null,
): Movement | Rejection {
  const posting = new Posting(account);
  if (amount >= 0n) {
    const endsWithWindow = !isCustom(kind);
    posting.add(kind, { source: 'adjustment', amount, endsWithWindow, description }, 'adjustment');
    if (amount > 0n) {
      posting.change(kind, { lastRefill: amount });
      posting.refill(kind, amount);
    }
    return posting.movement;
  }
  if (!canOverdraw && amountOf(account, kind) + amount < 0n) return notLeft(account, kind);
  posting.overdraw(kind, posting.draw(kind, -amount, 'adjustment'), 'adjustment');
  return posting.movement;
}

/** Included amounts of a window by pool, in pool units. */
export type Included = { readonly [pool: Pool]: bigint };

/** Adds included amounts to the plan's lot, or to a new lot if the plan's lot doesn't exist. */
function grant(posting: Posting, kind: Pool, amount: bigint): void {
  const planLot = posting
    .lotsOf(kind)
    .find(({ source, endsWithWindow }) => source === 'plan' && endsWithWindow);
  if (planLot === undefined) posting.add(kind, { source: 'plan', amount, endsWithWindow: true }, 'grant');
  else posting.extend(planLot, 'grant', amount);
}

/**
 * Grants the amounts that were added to the plan's pools after the window opened. They apply immediately and are stored
 * with the next transaction (CAT-49). Does nothing if no amounts were added.
 */
export function grantRaise(
  account: Account,
  pools: readonly { readonly pool: Pool }[],
  included: Included,
): Movement {
  const posting = new Posting(account);
  for (const { pool } of pools) {
    const [wanted, { granted }] = [included[pool] ?? 0n, amountsIn(account, pool)];
    if (wanted <= granted) continue;
    grant(posting, pool, wanted - granted);
    posting.change(pool, { granted: wanted, lastRefill: wanted });
    posting.refill(pool, wanted);
  }
  return posting.movement;
}
