import { specificError, validationError } from '../../../domain/errors/errors.ts';
import {
  creditsPool,
  defaultPool,
  isCustom,
  maxPools,
  moneyPool,
  type Pool,
  type PlanPool as PoolTerms,
  planPool,
  poolsOf,
} from '../../../domain/pricing/pools.ts';
import { readDecimal } from '../../../domain/rates/decimal.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { lockAsset } from '../credit-packs/store.ts';
import { type PlanRow, planRows } from '../plans/store.ts';
import {
  findDefaultPrice,
  findSelectablePrices,
  isDrawnOn,
  type OnEmpty,
  type PlanPool,
  poolWith,
} from './store.ts';
import { updatePlanPrice } from './update.ts';

/** Terms of a pool. Omitted amounts don't change, and an omitted rollover is removed. */
export type PoolInput = {
  readonly planId: string;
  readonly asset: string;
  readonly includedPerWindow?: number | null | undefined;
  readonly onEmpty?: OnEmpty | null | undefined;
  readonly overdraftRate?: string | null | undefined;
  readonly rollover?: RolloverTerms | null | undefined;
};

type RolloverTerms = {
  readonly windows?: number | null | undefined;
  readonly cap?: number | null | undefined;
};

const rejected = (field: string, message: string) => validationError([{ field, message }]);

/** Sets the included amount of all base prices. Throws `validation_error` if the plan has no price. */
async function includeInPrices(
  tx: Context,
  { id: planId }: PlanRow,
  pool: Pool,
  amount: number,
): Promise<void> {
  const prices = (await findSelectablePrices(tx, planId)).filter(
    ({ inheritsFromPriceId }) => inheritsFromPriceId === null,
  );
  if (prices.length === 0)
    throw rejected(
      'includedPerWindow',
      'The plan has no price that can include an amount. Add a price to the plan first.',
    );
  for (const { id: priceId, includedUnits } of prices) {
    const included =
      pool === moneyPool
        ? { includedBalance: amount }
        : pool === creditsPool
          ? { includedCredits: amount }
          : { includedUnits: { ...includedUnits, [pool]: amount } };
    await updatePlanPrice(tx, { planId, priceId, ...included });
  }
}

/** Returns the terms of a new pool. Throws `validation_error` if the asset doesn't exist or the plan can't have another pool. */
async function newPool(tx: Context, plan: PlanRow, asset: string): Promise<PoolTerms> {
  if (poolsOf(plan).length >= maxPools) throw rejected('asset', `A plan can have up to ${maxPools} pools.`);
  if (asset === 'usd') return { pool: moneyPool, rollover: null };
  const found = await lockAsset(tx, asset);
  if (found === null) throw rejected('asset', 'The asset must be `usd`, or the code of a custom unit.');
  return { pool: asset, ...(found.decimals > 0 && { decimals: found.decimals }), rollover: null };
}

/** Returns the overdraft rate and the effect of an empty pool after a change. A new pool of a custom unit rejects usage. Throws `validation_error` with the invalid field. */
function whenEmpty(
  stored: PoolTerms,
  { onEmpty, overdraftRate }: PoolInput,
): Pick<PoolTerms, 'overdraftRate' | 'rejects'> {
  const { pool } = stored;
  if (!isCustom(pool)) {
    if (overdraftRate != null) throw rejected('overdraftRate', "A balance can't have an overdraft rate.");
    return {};
  }
  const text = overdraftRate === undefined ? stored.overdraftRate : (overdraftRate ?? undefined);
  const read = text === undefined ? null : readDecimal(text);
  if (typeof read === 'string') throw rejected('overdraftRate', `The overdraft rate ${read}.`);
  if (text === undefined && onEmpty === 'overdraw')
    throw rejected(
      'onEmpty',
      pool === creditsPool
        ? "Credits can't be overdrawn without an overdraft rate."
        : "A custom unit can't be overdrawn without an overdraft rate.",
    );
  if (text === undefined) return {};
  const isRejecting =
    onEmpty == null ? stored.overdraftRate === undefined || stored.rejects === true : onEmpty === 'reject';
  return { overdraftRate: text, ...(isRejecting && { rejects: true as const }) };
}

const poolOfInput = (asset: string): Pool => (asset === 'usd' ? moneyPool : asset);

/** Returns the stored pools with one pool replaced or added. */
const withPool = (plan: PlanRow, terms: PoolTerms): readonly PoolTerms[] => {
  const pools = poolsOf(plan);
  return pools.some(({ pool }) => pool === terms.pool)
    ? pools.map((one) => (one.pool === terms.pool ? terms : one))
    : [...pools, terms];
};

/**
 * Sets the terms of a plan's pool, or adds the pool (PRM-22, PRM-160). Throws `plan_not_found`. Throws `validation_error` if the asset
 * doesn't exist, the plan has 5 pools, the terms contradict each other, or the plan has no price.
 */
export const setPlanPool = (ctx: Context, input: PoolInput): Promise<PlanPool> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
    const { asset, includedPerWindow, onEmpty, rollover } = input;
    const pool = poolOfInput(asset);
    const stored = planPool(plan, pool) ?? (await newPool(tx, plan, asset));
    const { decimals } = stored;
    const terms: PoolTerms = {
      pool,
      ...(decimals !== undefined && { decimals }),
      ...whenEmpty(stored, input),
      rollover: rollover == null ? null : { windows: rollover.windows ?? null, cap: rollover.cap ?? null },
    };
    if (includedPerWindow != null) await includeInPrices(tx, plan, pool, includedPerWindow);
    const changed = await planRows.patch(tx, plan, {
      pools: withPool(plan, terms),
      ...(pool === moneyPool && onEmpty != null && { blockOnExhaustion: onEmpty === 'reject' }),
    });
    return poolWith(changed, terms, await findDefaultPrice(tx, plan.id));
  });

/**
 * Removes a pool from a plan. Throws `plan_not_found` if the plan doesn't exist. Throws `not_found` if the plan doesn't have
 * the pool. Throws `validation_error` if the pool belongs to the plan's consumption model. Throws `price_in_use` if usage of
 * a feature is deducted from the pool.
 */
export const removePlanPool = (
  ctx: Context,
  { planId, asset }: Pick<PoolInput, 'planId' | 'asset'>,
): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, planId, 'planId');
    const pool = poolOfInput(asset);
    if (planPool(plan, pool) === null) throw specificError('not_found', 'plan_pool', { param: 'asset' });
    if (pool === defaultPool(plan))
      throw rejected('asset', "The pool of the plan's consumption model can't be removed.");
    if (await isDrawnOn(tx, plan.id, pool)) throw specificError('price_in_use', 'pool', { param: 'asset' });
    await planRows.patch(tx, plan, { pools: plan.pools.filter((terms) => terms.pool !== pool) });
    return { id: `${plan.id}:${asset}`, object: 'plan_pool' };
  });
