// Fields of the API that show a single pool of a plan: credits or a balance (PRM-162, PRM-164).
import { type Account, otherAmountOf, planAmountOf, shownAmountOf } from '../lots/account.ts';
import type { Included } from '../lots/movements.ts';
import { decimalText } from '../money/amount-text.ts';
import {
  isCustom,
  moneyPool,
  type PlanPool,
  type Pool,
  type Pooled,
  planPool,
  poolsOf,
  scaleOf,
} from '../pricing/pools.ts';

/** Whole units of the first custom unit of a plan. Fractions are cut off. */
export type CreditsView = {
  readonly pool: Pool;
  readonly plan: bigint;
  readonly other: bigint;
  readonly total: bigint;
  readonly included: bigint;
};

/** Returns the first pool of a custom unit. `null` if the plan has no pool of a custom unit. */
const firstUnits = (plan: Pooled): PlanPool | null =>
  poolsOf(plan).find(({ pool }) => isCustom(pool)) ?? null;

/** Returns the first custom unit of a plan in whole units. `null` if the plan has no pool of a custom unit. */
export function creditsView(plan: Pooled, account: Account, included: Included): CreditsView | null {
  const terms = firstUnits(plan);
  if (terms === null) return null;
  const { pool } = terms;
  const scale = scaleOf(terms);
  return {
    pool,
    plan: planAmountOf(account, pool) / scale,
    other: otherAmountOf(account, pool) / scale,
    total: shownAmountOf(account, pool) / scale,
    included: (included[pool] ?? 0n) / scale,
  };
}

/** Returns an amount of a custom unit as a JSON number with the unit's decimals (PRM-164). */
export const unitNumber = (amount: bigint, decimals: number): number => Number(decimalText(amount, decimals));

/** Returns true if a plan has a pool of a custom unit. */
export const hasUnits = (plan: Pooled): boolean => firstUnits(plan) !== null;

/** Returns true if a plan has a pool of money. */
export const hasBalance = (plan: Pooled): boolean => planPool(plan, moneyPool) !== null;
