import { validationError } from '../../../domain/errors/errors.ts';
import { creditsAsset } from '../../../domain/lots/account.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanRow, planRows } from '../plans/store.ts';
import {
  assetOf,
  findDefaultPrice,
  findSelectablePrices,
  type OnEmpty,
  type PlanPool,
  poolWith,
} from './store.ts';
import { updatePlanPrice } from './update.ts';

/** Terms of a pool. Omitted amounts don't change, and an omitted rollover is removed. */
export type PoolTerms = {
  readonly planId: string;
  readonly asset: string;
  readonly includedPerWindow?: number | null | undefined;
  readonly onEmpty?: OnEmpty | null | undefined;
  readonly rollover?: RolloverTerms | null | undefined;
};

type RolloverTerms = {
  readonly windows?: number | null | undefined;
  readonly cap?: number | null | undefined;
};

/** Sets the included amount of all base prices. Throws `validation_error` if the plan has no price. */
async function includeInPrices(
  tx: Context,
  { id: planId }: PlanRow,
  asset: string,
  amount: number,
): Promise<void> {
  const prices = (await findSelectablePrices(tx, planId)).filter(
    ({ inheritsFromPriceId }) => inheritsFromPriceId === null,
  );
  if (prices.length === 0)
    throw validationError([
      {
        field: 'includedPerWindow',
        message: 'The plan has no price that can include an amount. Add a price to the plan first.',
      },
    ]);
  const included = asset === creditsAsset ? { includedCredits: amount } : { includedBalance: amount };
  for (const { id: priceId } of prices) await updatePlanPrice(tx, { planId, priceId, ...included });
}

/** Returns the terms of the plan with the changes to the pool. Throws `validation_error` if credits are overdrawn. */
function changedTerms({ blockOnExhaustion }: PlanRow, { asset, onEmpty, rollover }: PoolTerms) {
  if (asset === creditsAsset && onEmpty === 'overdraw')
    throw validationError([{ field: 'onEmpty', message: "Credits can't be overdrawn." }]);
  return {
    blockOnExhaustion: asset === creditsAsset || onEmpty == null ? blockOnExhaustion : onEmpty === 'reject',
    rollover: rollover == null ? null : { windows: rollover.windows ?? null, cap: rollover.cap ?? null },
  };
}

/**
 * Sets the terms of a plan's pool (PRM-22). Throws `plan_not_found`. Throws `validation_error` if the plan doesn't use the asset or has no
 * price.
 */
export const setPlanPool = (ctx: Context, terms: PoolTerms): Promise<PlanPool> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, terms.planId, 'planId');
    const { asset, includedPerWindow } = terms;
    if (asset !== assetOf(plan))
      throw validationError([{ field: 'asset', message: "The plan doesn't use this asset." }]);
    const next = changedTerms(plan, terms);
    if (includedPerWindow != null) await includeInPrices(tx, plan, asset, includedPerWindow);
    const changed = await planRows.patch(tx, plan, next);
    return poolWith(changed, asset, await findDefaultPrice(tx, plan.id));
  });
