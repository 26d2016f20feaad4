// Effect of a correction in an ended usage window on the lots, the billed amount, and the margin (PRM-119, PRM-128, PRM-129).
import type { Account } from '../lots/account.ts';
import { type LotDraw, returnDraws } from '../lots/movements.ts';
import type { Movement } from '../lots/posting.ts';
import { minOf, minorPerUnit, rateScale } from '../money/money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { isCustom, poolOfStored, type StoredPool } from '../pricing/pools.ts';
import { isZero, minus, plus, ratio, zero } from '../rates/exact.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { ConsumingCustomer, ConsumingSubscription, UsageCounterRow } from '../rows/usage-rows.ts';
import { type Change, take } from './correction-price.ts';
import { overdraftMinor } from './overdraft.ts';
import { costOfUnits, drawnPrice, type PriceAndCost, withdrawn } from './price-and-cost.ts';
import type { Quantity, UsageEventRow } from './record.ts';
import type { UsageTerms } from './terms.ts';
import { overageMinor, type WindowUse } from './window.ts';

/** Ended usage window of a level, with its subscription. */
type LevelWindow = { readonly usage: EndedUsageRow; readonly subscription: ConsumingSubscription };

/** Level of a feature that a customer holds. */
export type HeldLevel = {
  /** Counter with the current level. */
  readonly counter: UsageCounterRow;
  /** Ended windows of the feature since the start of the event's window, in all subscriptions of the customer. */
  readonly windows: readonly LevelWindow[];
};

/** Stored rows of an ended usage window. The account must be locked, and the customer too. */
export type EndedWindow = {
  readonly customer: ConsumingCustomer;
  readonly subscription: ConsumingSubscription;
  readonly feature: FeatureRow;
  readonly account: Account;
  /** Counter of the feature. `null` if it counts a later usage window. */
  readonly counter: UsageCounterRow | null;
  /** Usage of all features in the window. Empty if the window wasn't charged. */
  readonly usage: readonly EndedUsageRow[];
  /** Amounts that the event and the events that it replaced drew from lots, last drawn lot first. */
  readonly draws: readonly LotDraw[];
  /** True if a plan change carried the event, or the event that it replaced, to a pool. `draws` then contains the draws of all carried usage. */
  readonly isCarried: boolean;
  /** `null` if the event changes no level. */
  readonly level: HeldLevel | null;
};

/** Effect of a correction on the lots, and on a billed overdraft. Amounts are in pool units. */
export type Settled = {
  readonly movement: Movement | null;
  readonly deducted: bigint | null;
  readonly waived: bigint | null;
  /** Billed overdraft after the correction, and the part that the correction credits. */
  readonly deficitRate: bigint;
  readonly credited: bigint;
};

/** Billed overdraft of the pool in the ended window. */
type BilledOverdraft = Pick<EndedUsageRow, 'deficitRate' | 'deficitPrice'>;

/**
 * Returns the draws without the part of the overdraft that is credited, so that the rest of an amount returns to the lots.
 */
function withoutCredited(draws: readonly LotDraw[], credited: bigint): LotDraw[] {
  let left = credited;
  return draws.map(({ lot, amount }) => {
    const part = lot.source === 'overdraft' ? minOf(left, amount) : 0n;
    left -= part;
    return { lot, amount: amount - part };
  });
}

/**
 * Returns a lower deduction to its lots. The overdraft that the customer paid for is credited first. Takes a higher deduction
 * from the lots, and waives the part that they don't cover.
 */
export function settleEnded(
  { account, draws, feature }: EndedWindow,
  { amount, waived }: Change,
  own: BilledOverdraft & StoredPool,
): Settled {
  const { deficitRate: deficit } = own;
  const kind = poolOfStored(own);
  if (kind === null)
    return { movement: null, deducted: null, waived: null, deficitRate: deficit, credited: 0n };
  if (amount > 0n) {
    const { taken, ...more } = take(account, { pool: kind, canOverdraw: false }, feature.id, amount);
    return { ...more, deducted: taken, deficitRate: deficit, credited: 0n };
  }
  const credited = minOf(-amount, deficit);
  const movement = returnDraws(account, withoutCredited(draws, credited), -amount - credited);
  const sum = movement.entries.reduce((total, entry) => total + entry.amount, 0n);
  return { movement, deducted: -sum, waived, deficitRate: deficit - credited, credited };
}

/** Price of the window before and after a correction, in minor units. */
export type Prices = { readonly billed: bigint; readonly price: bigint };

export function pricesOf(
  terms: UsageTerms,
  before: WindowUse,
  after: WindowUse,
  settled: Settled,
  { deficitRate, deficitPrice }: BilledOverdraft,
): Prices {
  if (terms.pool === null) return { billed: overageMinor(terms, before), price: overageMinor(terms, after) };
  const { currency } = terms;
  const priceOf = (amount: bigint): bigint => overdraftMinor(amount, deficitPrice, currency);
  return { billed: priceOf(deficitRate), price: priceOf(settled.deficitRate) };
}

/**
 * Returns the change of the price and the cost, without the price and the cost of the replacement, for the margin report
 * (PRM-119). The price is the amount billed or drawn from lots.
 */
export function amountsOf(
  terms: UsageTerms,
  event: Pick<UsageEventRow, 'tokenCost' | 'cost'>,
  [before, after]: readonly [UsageCounterRow, UsageCounterRow],
  { movement, deducted, credited }: Settled,
  { billed, price }: Prices,
  replacement: Quantity | null,
): PriceAndCost {
  const { currency, pool } = terms;
  const change =
    pool === null
      ? ratio(price - billed, minorPerUnit(currency))
      : !isCustom(pool.pool)
        ? ratio((deducted ?? 0n) - credited, rateScale)
        : plus(
            drawnPrice(movement?.entries ?? [], currency) ?? zero,
            ratio(price - billed, minorPerUnit(currency)),
          );
  const own = minus(change, replacement?.price ?? zero);
  const costs = [costOfUnits(terms, before.total), costOfUnits(terms, after.total)] as const;
  const cost = costs[0] === null || costs[1] === null ? zero : minus(costs[1], costs[0]);
  const ofEvent = event.tokenCost === null ? cost : (withdrawn(event.cost) ?? zero);
  return { price: isZero(own) ? null : own, cost: isZero(ofEvent) ? null : ofEvent };
}
