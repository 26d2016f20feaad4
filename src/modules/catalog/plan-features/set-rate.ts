import { QuittanceError } from '../../../domain/errors/errors.ts';
import { type CellDetails, canHaveRate, poolOf } from '../../../domain/pricing/feature-cell.ts';
import { type Rate, rateDocument } from '../../../domain/rates/rate.ts';
import type { RateOverrideInput } from '../../../domain/rates/read-overrides.ts';
import type { RateInput } from '../../../domain/rates/read-rate.ts';
import { rateRejection } from '../../../domain/rates/rejections.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireLockedMarket } from '../markets/store.ts';
import { type PlanFeatureRow, requireLockedPlan } from '../plans/store.ts';
import { readFeatureOverrides, readFeatureRate, type StoredOverride } from '../rates/read-feature-rate.ts';
import { followFeature } from '../regional-pricing/derive.ts';
import { replaceOverrides } from '../regional-pricing/store.ts';
import {
  cellOf,
  type PlanFeatureReference,
  requireAttached,
  storeTerms,
  withDefaultPrice,
} from './attach.ts';

/** Error for a rate that the feature can't have. */
const rejectedRate = (message: string): QuittanceError =>
  new QuittanceError(rateRejection('bad_rate', [{ field: 'rate', message }]));

/** Rate of a feature with its overrides. If `overrides` is omitted or `null`, the overrides don't change. */
export type FeatureRateInput = RateInput & {
  readonly overrides?: readonly RateOverrideInput[] | null | undefined;
};

/** Replaces the overrides of a feature's rate. Throws `market_not_found`. */
async function storeOverrides(
  tx: Context,
  { planId, featureId }: PlanFeatureRow,
  overrides: readonly StoredOverride[],
): Promise<void> {
  for (const [index, { marketId }] of overrides.entries())
    if (marketId !== null)
      await requireLockedMarket(tx, marketId, 'SHARE', `rate.overrides.${index}.marketId`);
  await replaceOverrides(tx, { planId, featureId }, overrides);
}

/** Returns the new rate of a feature. `null` if the rate is removed. */
function newRate(input: RateInput | null, cell: CellDetails): Rate | null {
  const pool = poolOf(cell);
  if (input === null) {
    if (pool === 'credits') throw rejectedRate('A usage feature of a credits plan requires a rate.');
    return null;
  }
  const rate = readFeatureRate(input, pool);
  if (cell.isFree && pool === null) throw rejectedRate("A free plan can't charge for overage.");
  return rate;
}

/**
 * Sets the rate of a feature in a plan, or removes it if the input is `null`. In the current period, subscribers pay the cheaper of the
 * rates (PRM-5). Doesn't change whether overage is sold. Throws `plan_not_found`, `feature_not_found`, `not_found` if the feature isn't
 * attached, and `validation_error` if the feature can't have a price in the plan, the rate is invalid, or the feature of a credits plan has no
 * other price.
 */
export const setPlanFeatureRate = (
  ctx: Context,
  { planId, featureId }: PlanFeatureReference,
  input: FeatureRateInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, planId, 'planId');
    const attached = await requireAttached(tx, plan, featureId);
    const { feature, row } = attached;
    const cell = cellOf(plan, feature);
    const { type, consumptionModel } = cell;
    if (!canHaveRate(cell, row.pricingMode)) {
      throw rejectedRate(
        `A ${type} feature of a ${consumptionModel} plan can't have a rate with the pricing mode ${row.pricingMode}.`,
      );
    }
    const { overrides = null, ...base } = input ?? {};
    const rate = newRate(input === null ? null : base, cell);
    // A removed rate has no overrides. Overrides that aren't provided don't change.
    const replaced = rate === null ? [] : overrides && readFeatureOverrides(overrides, rate, poolOf(cell));
    if (replaced !== null) await storeOverrides(tx, row, replaced);
    const terms = { ...row, rate: rate === null ? null : rateDocument(rate) };
    const stored = await storeTerms(tx, plan, attached, withDefaultPrice(terms));
    if (replaced !== null) await followFeature(tx, plan, { feature, row: stored });
    return stored;
  });
