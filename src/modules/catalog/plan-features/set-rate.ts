import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { rateScale } from '../../../domain/money/money.ts';
import { type CellDetails, canHaveRate, poolOf } from '../../../domain/pricing/feature-cell.ts';
import { perUnitRate, plainUnitPrice } from '../../../domain/rates/held.ts';
import { models } from '../../../domain/rates/models.ts';
import { type Rate, rateDocument } from '../../../domain/rates/rate.ts';
import { type RateInput, readRate } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, rateRejection } from '../../../domain/rates/rejections.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanFeatureRow, requireLockedPlan } from '../plans/store.ts';
import {
  cellOf,
  type PlanFeatureReference,
  requireAttached,
  storeTerms,
  withDefaultPrice,
} from './attach.ts';

/** Returns why a rate can't be the price of a feature in a plan. Empty if it can. */
function problemsOfUse(rate: Rate, cell: CellDetails): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const pool = poolOf(cell);
  if (cell.isFree && pool === null)
    problems.push({ field: 'rate', message: "A free plan can't charge for overage." });
  if (pool !== null && !models[rate.model].isMonotone)
    problems.push({
      field: 'rate.model',
      message: `can't be ${rate.model} for usage that is deducted from ${pool === 'credits' ? 'credits' : 'a balance'}, because the price can fall with more usage`,
    });
  return problems;
}

/** Returns a rate that is only a price per unit in the form of unit prices or credits per unit. Returns other rates unchanged. */
function normalized(rate: Rate, cell: CellDetails): Rate {
  const price = plainUnitPrice(rate);
  if (price === null) return rate;
  const isWholeCredits = poolOf(cell) === 'credits' && price % rateScale === 0n;
  return isWholeCredits ? perUnitRate(price / rateScale, 0) : perUnitRate(price);
}

/** Reads the rate of a feature in a plan, whose units are whole numbers. Throws `validation_error` with all problems and the reason `bad_rate`. */
function rateFor(input: RateInput, cell: CellDetails): Rate {
  const read = readRate(input, { decimals: 0 });
  const problems = 'problems' in read ? problemsInInput(read.problems) : problemsOfUse(read.rate, cell);
  if ('problems' in read || problems.length > 0)
    throw new QuittanceError(rateRejection('bad_rate', problems));
  return normalized(read.rate, cell);
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
  input: RateInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, planId, 'planId');
    const attached = await requireAttached(tx, plan, featureId);
    const { feature, row } = attached;
    const cell = cellOf(plan, feature);
    const { type, consumptionModel } = cell;
    if (!canHaveRate(cell, row.pricingMode)) {
      const message = `A ${type} feature of a ${consumptionModel} plan can't have a rate with the pricing mode ${row.pricingMode}.`;
      throw new QuittanceError(rateRejection('bad_rate', [{ field: 'rate', message }]));
    }
    if (input === null && poolOf(cell) === 'credits')
      throw new QuittanceError(
        rateRejection('bad_rate', [
          { field: 'rate', message: 'A usage feature of a credits plan requires a rate.' },
        ]),
      );
    const rate = input === null ? null : rateDocument(rateFor(input, cell));
    return storeTerms(tx, plan, attached, withDefaultPrice({ ...row, rate }));
  });
