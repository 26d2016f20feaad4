import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import {
  type CellDetails,
  hasUnitPrice,
  isDeductedFromBalance,
} from '../../../domain/pricing/feature-cell.ts';
import { type CostDocument, type DerivedRate, isDerived } from '../../../domain/rates/derived.ts';
import { perUnitRate, plainUnitPrice } from '../../../domain/rates/held.ts';
import { models } from '../../../domain/rates/models.ts';
import { type Rate, rateDocument } from '../../../domain/rates/rate.ts';
import { type DerivedInput, problemsOfModelCost, readDerived } from '../../../domain/rates/read-derived.ts';
import { type RateInput, readRate } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, type RateReason, rateRejection } from '../../../domain/rates/rejections.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanFeatureRow, requireLockedPlan } from '../plans/store.ts';
import { type PlanFeatureReference, requireAttached, storeTerms, withDefaultPrice } from './attach.ts';

/** Input of a feature's price or cost: a rate, or the source from which it's derived. */
export type PriceInput = RateInput & DerivedInput;

const rejected = (reason: RateReason, problems: readonly FieldProblem[]): QuittanceError =>
  new QuittanceError(rateRejection(reason, problems));

const rejectedRate = (reason: RateReason, message: string): QuittanceError =>
  rejected(reason, [{ field: 'rate', message }]);

const isFromSource = ({ from }: PriceInput): boolean => from !== undefined && from !== null;

/** Returns a problem if usage that is deducted from a balance can become cheaper with more usage. */
const problemsOfModel = ({ model }: Rate, isFromBalance: boolean): readonly FieldProblem[] =>
  isFromBalance && !models[model].isMonotone
    ? [
        {
          field: 'rate.model',
          message: `can't be ${model} for usage that is deducted from a balance, because the price can fall with more usage`,
        },
      ]
    : [];

/** Returns why a rate can't be the price of a feature in a plan. Empty if it can. */
function problemsOfUse(rate: Rate, cell: CellDetails): readonly FieldProblem[] {
  const isFromBalance = isDeductedFromBalance(cell);
  return [
    ...(cell.isFree && !isFromBalance
      ? [{ field: 'rate', message: "A free plan can't charge for overage." }]
      : []),
    ...problemsOfModel(rate, isFromBalance),
  ];
}

/**
 * Reads the rate of a feature in a plan, whose units are whole numbers. Throws `validation_error` with all problems and the reason
 * `bad_rate`.
 */
function rateFor(input: RateInput, problemsOf: (rate: Rate) => readonly FieldProblem[]): Rate {
  const read = readRate(input, { decimals: 0 });
  const problems = 'problems' in read ? problemsInInput(read.problems) : problemsOf(read.rate);
  if ('problems' in read || problems.length > 0) throw rejected('bad_rate', problems);
  const price = plainUnitPrice(read.rate);
  return price === null ? read.rate : perUnitRate(price);
}

/** Reads a rate that is derived from the cost of a feature in a plan. Throws `validation_error` if the feature can't have such a rate. */
function derivedRateFor(input: PriceInput, row: PlanFeatureRow, cell: CellDetails): DerivedRate {
  const read = readDerived(input);
  if ('problems' in read) throw rejected('bad_rate', problemsInInput(read.problems));
  if (row.costRate === null)
    throw rejectedRate(
      'derived_needs_cost',
      'A derived rate requires a cost. Set the cost of the feature first.',
    );
  if (row.includedAmount > 0n || row.unlimited)
    throw rejectedRate('no_included', "A feature with a derived rate can't include units.");
  if (!isDeductedFromBalance(cell))
    throw rejectedRate('bad_rate', 'Derived rates are only available for usage features of balance plans.');
  return read.rate;
}

/** Row of an attached feature in a locked plan, with the properties that determine its terms. */
async function lockedRow(tx: Context, { planId, featureId }: PlanFeatureReference) {
  const plan = await requireLockedPlan(tx, planId, 'planId');
  const { feature, row } = await requireAttached(tx, plan, featureId);
  const { consumptionModel, isFree } = plan;
  return { row, cell: { type: feature.type, consumptionModel, isFree } };
}

/**
 * Sets the rate of a feature in a plan, or removes it if the input is `null`. In the current period, subscribers pay the cheaper of the
 * rates (PRM-5). Doesn't change whether overage is sold. Throws `plan_not_found`, `feature_not_found`, `not_found` if the feature isn't
 * attached, and `validation_error` if the feature can't have a price in the plan or the rate is invalid.
 */
export const setPlanFeatureRate = (
  ctx: Context,
  reference: PlanFeatureReference,
  input: PriceInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const { row, cell } = await lockedRow(tx, reference);
    if (input !== null && isFromSource(input))
      return storeTerms(tx, row, { ...row, rate: derivedRateFor(input, row, cell) });
    if (!hasUnitPrice(cell, null)) {
      const message = `A ${cell.type} feature of a ${cell.consumptionModel} plan can't have a rate.`;
      throw rejectedRate('bad_rate', message);
    }
    const rate = input === null ? null : rateDocument(rateFor(input, (read) => problemsOfUse(read, cell)));
    return storeTerms(tx, row, withDefaultPrice({ ...row, rate }));
  });

/** Reads the cost of a feature in a plan. Throws `validation_error` with all problems. */
function costFor(input: PriceInput, row: PlanFeatureRow, cell: CellDetails): CostDocument {
  if (!isFromSource(input))
    return rateDocument(rateFor(input, (read) => problemsOfModel(read, isDerived(row.rate))));
  const problems = problemsInInput(problemsOfModelCost(input));
  if (problems.length > 0) throw rejected('bad_rate', problems);
  if (cell.type !== 'usage')
    throw rejectedRate(
      'bad_rate',
      'Only usage features can have the token prices of AI models as their cost.',
    );
  return { from: 'ai_models' };
}

/**
 * Sets the cost of a feature in a plan, or removes the cost if the input is `null` (PRM-111). A derived rate applies the
 * new cost to later events. Fails with `plan_not_found` or `feature_not_found`. Fails with `not_found` if the feature isn't attached.
 * Fails with `validation_error` if the cost is invalid or a derived rate requires the cost.
 */
export const setPlanFeatureCost = (
  ctx: Context,
  reference: PlanFeatureReference,
  input: PriceInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const { row, cell } = await lockedRow(tx, reference);
    if (cell.type === 'boolean') throw rejectedRate('bad_rate', "A boolean feature can't have a cost.");
    if (input === null && isDerived(row.rate))
      throw rejectedRate('derived_needs_cost', 'The rate of the feature is derived from the cost.');
    const costRate = input === null ? null : costFor(input, row, cell);
    return storeTerms(tx, row, { ...row, costRate });
  });
