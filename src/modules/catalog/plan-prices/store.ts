import {
  assetOf,
  creditsPool,
  isCustom,
  moneyPool,
  type Pool,
  type PlanPool as PoolTerms,
  poolsOf,
  type Rollover,
} from '../../../domain/pricing/pools.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { nextSeq } from '../../../request/transaction.ts';
import { type PlanPriceRow, type PlanRow, priceNotFound } from '../plans/store.ts';

/** Prices of plans. The caller must have locked the plan. */
export const priceRows = resource('PlanPrice', {
  prefix: 'pp',
  object: 'plan_price',
  notFound: priceNotFound,
  defaults: { priceMinor: 0n, isDefault: false, trialDays: 0, includedUnits: {}, metadata: {} },
});

export const amountsOf = (price: PlanPriceRow) => ({
  priceMinor: price.priceMinor,
  trialDays: price.trialDays,
  includedBalanceRate: price.includedBalanceRate,
  includedCredits: price.includedCredits,
  includedUnits: price.includedUnits,
  minimumMinor: price.minimumMinor,
});

/**
 * Returns a price's value in a column. For a variant, returns the value of its base price (CAT-16). Lookups are
 * batched.
 */
export const loadOfBase = async <Column extends keyof PlanPriceRow>(
  ctx: Context,
  price: Pick<PlanPriceRow, Column | 'inheritsFromPriceId'>,
  column: Column,
): Promise<PlanPriceRow[Column]> => {
  const { inheritsFromPriceId } = price;
  const base =
    inheritsFromPriceId === null
      ? price
      : await loadExistingRow(ctx, 'PlanPrice', inheritsFromPriceId, new Set([column]));
  return base[column];
};

/** Returns the archived prices of a plan, oldest first. Lookups are batched. */
export const loadArchivedPrices = async (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  (await loadRowsBy(ctx, 'PlanPrice', 'planId', planId, 'seq')).filter(
    ({ archivedAt }) => archivedAt !== null,
  );

/** Adds a version of the amounts that applies from `validFrom` (CAT-52). */
export async function addVersion(ctx: Context, price: PlanPriceRow, validFrom: Date): Promise<void> {
  await ctx.db.planPriceVersion.create({
    data: { id: newId('ppv'), seq: await nextSeq(ctx), priceId: price.id, validFrom, ...amountsOf(price) },
  });
}

/** Removes the default flag from the plan's default price. The caller must have locked the plan. */
export async function clearDefault(ctx: Context, planId: string): Promise<void> {
  await ctx.db.planPrice.update({
    where: { planId, isDefault: true },
    data: { isDefault: false, updatedAt: ctx.clock.now() },
  });
}

/** Returns a plan's prices that aren't archived. */
export const findSelectablePrices = (ctx: Context, planId: string): Promise<PlanPriceRow[]> =>
  ctx.db.planPrice.findMany({ where: { planId, archivedAt: null } });

/** Effect of usage that exceeds a pool. */
export type OnEmpty = 'reject' | 'overdraw';

/** Pool of a plan, with its terms. */
export type PlanPool = {
  /** Code of a custom unit such as `credits`, or `usd`. */
  readonly asset: string;
  /** Included amount of the default price per usage window. `null` if the plan has no price. */
  readonly includedPerWindow: bigint | null;
  readonly onEmpty: OnEmpty;
  /**
   * Price of one unit below zero, as a decimal in US dollars. `null` if the pool contains money or the unit can't be
   * overdrawn.
   */
  readonly overdraftRate: string | null;
  readonly rollover: Rollover | null;
};

type PooledPlan = Pick<PlanRow, 'id' | 'consumptionModel' | 'blockOnExhaustion' | 'pools'>;

/** Returns the default price of a plan. `null` if the plan has no default price. */
export const findDefaultPrice = (ctx: Context, planId: string): Promise<PlanPriceRow | null> =>
  ctx.db.planPrice.findFirst({ where: { planId, isDefault: true } });

/** Returns true if a feature of a plan has a pool as its own settlement. */
export const isDrawnOn = async (ctx: Context, planId: string, pool: Pool): Promise<boolean> =>
  (await ctx.db.planFeature.findFirst({ where: { planId, settle: pool } })) !== null;

/** Returns the amount of a pool that a price includes, in pool units. */
function includedIn(price: PlanPriceRow, pool: Pool): bigint {
  if (pool === moneyPool) return price.includedBalanceRate ?? 0n;
  return pool === creditsPool ? (price.includedCredits ?? 0n) : BigInt(price.includedUnits[pool] ?? 0);
}

/** Returns a pool of a plan with its default price. */
export function poolWith(plan: PooledPlan, terms: PoolTerms, price: PlanPriceRow | null): PlanPool {
  const { pool, overdraftRate, rejects, rollover } = terms;
  const isRejecting = isCustom(pool)
    ? overdraftRate === undefined || rejects === true
    : plan.blockOnExhaustion;
  return {
    asset: assetOf(pool, 'usd'),
    includedPerWindow: price === null ? null : includedIn(price, pool),
    onEmpty: isRejecting ? 'reject' : 'overdraw',
    overdraftRate: overdraftRate ?? null,
    rollover,
  };
}

/** Returns the pools of a plan, the default pool first. Batched. */
export async function loadPools(ctx: Context, plan: PooledPlan): Promise<PlanPool[]> {
  const pools = poolsOf(plan);
  if (pools.length === 0) return [];
  const prices = await loadRowsBy(ctx, 'PlanPrice', 'planId', plan.id, 'seq');
  const price = prices.find(({ isDefault }) => isDefault) ?? null;
  return pools.map((terms) => poolWith(plan, terms, price));
}
