// System limits of features and pools, and their crossings (CON-57).
import {
  crossingOf,
  isAccepted,
  type SystemEvent,
  type SystemLimit,
  type SystemThreshold,
} from '../limits/system.ts';
import { type Account, amountOf, amountsIn, withAmounts } from '../lots/account.ts';
import { isCustom, type Pool } from '../pricing/pools.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { hasFinalTotal } from './metered-terms.ts';
import type { PoolTerms, UsageTerms } from './terms.ts';

/** Event about the units of a metered feature. */
export type UnitsEvent = Extract<SystemEvent, `quota.${string}`>;

/** Event about a pool. */
export type PoolEvent = Extract<SystemEvent, `credits.${string}` | `balance.${string}`>;

type Included = Pick<UsageTerms, 'unlimited' | 'allowsOverage' | 'includedAmount'>;

/** Returns a limit on the included units. `null` if the units are unlimited. */
const includedLimit = <E extends SystemEvent>(
  measure: SystemLimit['measure'],
  { unlimited, allowsOverage, includedAmount: amount }: Included,
  thresholds: readonly SystemThreshold<E>[],
): SystemLimit<E> | null =>
  unlimited ? null : { measure, action: allowsOverage ? 'notify' : 'block', amount, thresholds };

const unitLimits = new WeakMap<UsageTerms, SystemLimit<UnitsEvent> | null>();

/** Returns the limit on the units of a window. `null` if they're unlimited, or if their total is known only at the end of the window. */
export const unitLimit = (terms: UsageTerms): SystemLimit<UnitsEvent> | null =>
  unitLimits.getOrInsertComputed(terms, unitLimitOf);

function unitLimitOf(terms: UsageTerms): SystemLimit<UnitsEvent> | null {
  const { allowsOverage, includedAmount: included } = terms;
  const threshold = { event: 'quota.threshold_reached', amount: (included * 8n + 9n) / 10n } as const;
  const exceeded = { event: 'quota.exceeded', amount: allowsOverage ? included + 1n : included } as const;
  return hasFinalTotal(terms)
    ? null
    : includedLimit('units', terms, [
        { ...threshold, rank: 1, rearm: 'window' },
        { ...exceeded, rank: 2, rearm: 'window' },
      ]);
}

/** Returns the limit on a number of seats or quota units. `null` if the number is unlimited. */
export const levelLimit = (terms: Included): SystemLimit | null =>
  includedLimit('level', terms, [
    { event: 'seats.limit_reached', rank: 1, amount: terms.includedAmount, rearm: 'recross' },
  ]);

/** Returns true if a number of seats or quota units can change from `before` to `after` (CON-52). */
export function canChangeLevel(terms: Included, before: bigint, after: bigint): boolean {
  const limit = levelLimit(terms);
  return limit === null || isAccepted(limit, after > before, after);
}

/** Returns true if a change reaches the included number of seats, which emits `seats.limit_reached` (CON-47). */
export function reachesIncluded(terms: Included, before: bigint, after: bigint): boolean {
  const limit = levelLimit(terms);
  return limit !== null && crossingOf(limit, { before, after }, 0) !== null;
}

const limitsOn = (thresholds: readonly SystemThreshold<PoolEvent>[]) => {
  const limit = { measure: 'remaining', amount: 0n, thresholds } as const;
  return { block: { ...limit, action: 'block' }, notify: { ...limit, action: 'notify' } } as const;
};

const unitsLimits = limitsOn([
  { event: 'credits.low', rank: 1, amount: null, rearm: 'window' },
  { event: 'credits.depleted', rank: 2, amount: 0n, rearm: 'recross' },
]);

const balanceLimits = limitsOn([
  { event: 'balance.low', rank: 1, amount: null, rearm: 'recross' },
  { event: 'balance.depleted', rank: 2, amount: 0n, rearm: 'recross' },
]);

/** Returns the limit on the available amount of a pool. */
export const poolLimit = (
  pool: Pool,
  { canOverdraw }: Pick<PoolTerms, 'canOverdraw'>,
): SystemLimit<PoolEvent> => (isCustom(pool) ? unitsLimits : balanceLimits)[canOverdraw ? 'notify' : 'block'];

/** Returns the counter of a metered feature after a movement, and the event that the movement sends. By default, the movement leads to the counter's total. */
export function crossedUnits(
  limit: SystemLimit<UnitsEvent> | null,
  counter: UsageCounterRow,
  before: bigint,
  after = counter.total,
): readonly [UsageCounterRow, UnitsEvent | null] {
  const crossing = limit === null ? null : crossingOf(limit, { before, after }, counter.crossed);
  return crossing === null ? [counter, null] : [{ ...counter, crossed: crossing.crossed }, crossing.event];
}

/** Returns a tenth of an amount, rounded down: the threshold of events about low credits or a low balance. */
export const tenthOf = (amount: bigint): bigint => amount / 10n;

/** Returns the account after a movement from the account `before`, and the event that the movement sends. */
export function crossedPool(
  pool: Pool,
  before: Account,
  account: Account,
): readonly [Account, PoolEvent | null] {
  const { granted, lastRefill, crossed } = amountsIn(before, pool);
  const tenth = tenthOf(isCustom(pool) ? granted : lastRefill);
  const change = { before: amountOf(before, pool), after: amountOf(account, pool), tenth };
  const crossing = crossingOf(poolLimit(pool, { canOverdraw: true }), change, crossed);
  if (crossing === null) return [account, null];
  const isMarked = crossing.crossed !== crossed;
  return [isMarked ? withAmounts(account, pool, { crossed: crossing.crossed }) : account, crossing.event];
}
