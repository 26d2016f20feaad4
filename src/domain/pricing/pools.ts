// Prepaid pools of plans: credits and other custom units, and money (PRM-160).
import { isCurrency, rateScale } from '../money/money.ts';
import type { Decimal } from '../rates/decimal.ts';
import { powerOfTen, storedDecimal } from '../rates/decimal.ts';
import type { AddonConsumptionModel, ConsumptionModel, FeatureType } from '../rows/enums.ts';

/**
 * Prepaid pool of a subscription: the code of a custom unit, such as `credits`, or `balance` for money in the
 * subscription's currency.
 */
export type Pool = string;

/** Pool of credits, which always exists and has no decimals. */
export const creditsPool: Pool = 'credits';

/** Pool of money. */
export const moneyPool: Pool = 'balance';

/** Settlement of a feature whose units are invoiced (decision 5). */
export const invoiced = 'invoice';

/** Largest number of pools of a plan. */
export const maxPools = 5;

/** Terms on which unused amounts of a plan can be used in later usage windows. */
export type Rollover = {
  /** Number of later windows in which an unused amount can be used, from 1 to 12. `null` if it never expires. */
  readonly windows: number | null;
  /** Maximum sum of the amounts that were rolled over, in pool units. Money is in US dollars. `null` if there's no maximum. */
  readonly cap: number | null;
};

/** Stored terms of a plan's pool. Absent terms have their defaults. */
export type PlanPool = {
  readonly pool: Pool;
  /** Number of decimals of a custom unit. Absent if the unit has no decimals, and for money. */
  readonly decimals?: number;
  /** Price of one unit below zero, as a decimal in US dollars. Absent if a custom unit can't be overdrawn. */
  readonly overdraftRate?: string;
  /** True if usage that exceeds a custom unit is rejected although the pool has an overdraft rate. */
  readonly rejects?: true;
  readonly rollover: Rollover | null;
};

const poolOfModel: { readonly [model in ConsumptionModel]: Pool | null } = {
  metered: null,
  credits: creditsPool,
  balance: moneyPool,
};

/** Returns the pool from which an add-on's usage is deducted. `null` if units are invoiced or free. */
export const addonPool = ({
  consumptionModel,
}: {
  readonly consumptionModel: AddonConsumptionModel;
}): Pool | null => (consumptionModel === 'boolean' ? null : poolOfModel[consumptionModel]);

/** Returns the pool of an asset: a currency, or a custom unit. */
export const poolOfAsset = (asset: string): Pool => (isCurrency(asset) ? moneyPool : asset);

/** Returns the asset of a pool for a subscription that pays in a currency. */
export const assetOf = (pool: Pool, currency: string): string => (pool === moneyPool ? currency : pool);

/** Returns the consumption model in the API for usage that draws on a pool. `null` stands for invoiced usage (PRM-160). */
export function modelOf(pool: Pool | null): ConsumptionModel {
  if (pool === null) return 'metered';
  return pool === moneyPool ? 'balance' : 'credits';
}

/** Returns true if amounts of a pool are in a custom unit. */
export const isCustom = (pool: Pool | null): boolean => pool !== null && pool !== moneyPool;

/** Stored pool of usage: the consumption model, and the custom unit unless it's credits. */
export type StoredPool = {
  readonly consumptionModel: ConsumptionModel;
  readonly asset: string | null;
  readonly decimals: number | null;
};

/** Returns the stored form of a pool. `null` stands for invoiced usage. */
export function storedPool(terms: { readonly pool: Pool; readonly decimals: number } | null): StoredPool {
  const isOther = terms !== null && isCustom(terms.pool) && terms.pool !== creditsPool;
  return {
    consumptionModel: modelOf(terms?.pool ?? null),
    asset: isOther ? terms.pool : null,
    decimals: isOther ? terms.decimals : null,
  };
}

/** Returns the pool of stored usage. `null` if it was invoiced. */
export const poolOfStored = ({ consumptionModel, asset }: Omit<StoredPool, 'decimals'>): Pool | null =>
  asset ?? poolOfModel[consumptionModel];

export type Pooled = { readonly consumptionModel: ConsumptionModel; readonly pools: readonly PlanPool[] };

/**
 * Returns the pool from which the usage of features without their own settlement is deducted. `null` if their units are
 * invoiced.
 */
export const defaultPool = ({ consumptionModel }: Pick<Pooled, 'consumptionModel'>): Pool | null =>
  poolOfModel[consumptionModel];

const lists = new WeakMap<readonly PlanPool[], readonly PlanPool[]>();

/** Returns the pools of a plan, the default pool first. */
export function poolsOf(plan: Pooled): readonly PlanPool[] {
  const first = defaultPool(plan);
  if (first === null || plan.pools.some(({ pool }) => pool === first)) return plan.pools;
  return lists.getOrInsertComputed(plan.pools, () => [{ pool: first, rollover: null }, ...plan.pools]);
}

/** Returns the terms of a plan's pool. `null` if the plan doesn't have the pool. */
export const planPool = (plan: Pooled, pool: Pool): PlanPool | null =>
  poolsOf(plan).find((one) => one.pool === pool) ?? null;

/** Returns the consumption model that the API shows for a plan: the model of the plan's first pool (PRM-162). */
export const shownModel = (plan: Pooled): ConsumptionModel => modelOf(poolsOf(plan)[0]?.pool ?? null);

/** Returns the number of pool units in one unit of the asset. */
export const scaleOf = ({ pool, decimals = 0 }: Pick<PlanPool, 'pool' | 'decimals'>): bigint =>
  pool === moneyPool ? rateScale : powerOfTen(decimals);

/**
 * Returns the pool from which usage of a feature is deducted. `null` if the feature's units are invoiced. `settle` is the
 * feature's own settlement: `invoice`, or a pool. `null` selects the plan's default (PRM-160).
 */
export function poolOf(
  { type, settle = null }: { readonly type: FeatureType; readonly settle?: string | null },
  plan: Pick<Pooled, 'consumptionModel'>,
): Pool | null {
  if (type !== 'usage' || settle === invoiced) return null;
  return settle ?? defaultPool(plan);
}

/** Returns the price of one unit below zero, in US dollars. `null` if a pool has no overdraft rate. */
export const overdraftPrice = ({ overdraftRate }: PlanPool): Decimal | null =>
  overdraftRate === undefined ? null : storedDecimal(overdraftRate);
