import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { latestDecimals } from '../../../domain/meters/meter.ts';
import { type CellDetails, canHaveRate } from '../../../domain/pricing/feature-cell.ts';
import { creditsPool, moneyPool } from '../../../domain/pricing/pools.ts';
import { type CostDocument, type DerivedRate, isDerived } from '../../../domain/rates/derived.ts';
import { type DerivedInput, problemsOfModelCost, readDerived } from '../../../domain/rates/read-derived.ts';
import type { RateInput } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, type RateReason, rateRejection } from '../../../domain/rates/rejections.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanFeatureRow, type PlanRow, planRows } from '../plans/store.ts';
import { chosenRate, priceOf, type RateChoice } from '../rates/find-rate.ts';
import { type PriceListInput, ratedFeature, readCost } from '../rates/read-feature-rate.ts';
import {
  type Attached,
  cellOf,
  type PlanFeatureReference,
  requireAttached,
  storeTerms,
  withDefaultPrice,
} from './attach.ts';

/** Input of a feature's cost: a rate, or the source from which the cost is taken. */
export type CostInput = RateInput & DerivedInput;

/** Input of a feature's price: a rate or rates by dimension with overrides, or the source from which the rate is derived. */
export type PriceInput = PriceListInput & DerivedInput;

const rejected = (reason: RateReason, problems: readonly FieldProblem[]): QuittanceError =>
  new QuittanceError(rateRejection(reason, problems));

const rejectedRate = (reason: RateReason, message: string): QuittanceError =>
  rejected(reason, [{ field: 'rate', message }]);

const isFromSource = ({ from }: CostInput): boolean => from !== undefined && from !== null;

/** Reads a rate that is derived from the cost of a feature in a plan. Throws `validation_error` if the feature can't have such a rate. */
function derivedRateFor(
  { overrides, ...source }: PriceInput,
  row: PlanFeatureRow,
  cell: CellDetails,
): DerivedRate {
  const read = readDerived(source);
  if ('problems' in read) throw rejected('bad_rate', problemsInInput(read.problems));
  if (overrides !== undefined && overrides !== null)
    throw rejected(
      'bad_rate',
      problemsInInput([{ field: 'overrides', message: "can't be set for a derived rate" }]),
    );
  if (row.costRate === null)
    throw rejectedRate(
      'derived_needs_cost',
      'A derived rate requires a cost. Set the cost of the feature first.',
    );
  if (row.includedAmount > 0n || row.unlimited)
    throw rejectedRate('no_included', "A feature with a derived rate can't include units.");
  if (cell.pool !== moneyPool)
    throw rejectedRate('bad_rate', 'Derived rates are only available for usage features of balance plans.');
  return read.rate;
}

/** Attached feature in a locked plan, with the properties that determine its terms. */
async function lockedFeature(tx: Context, { planId, featureId }: PlanFeatureReference) {
  const plan = await planRows.lock(tx, planId, 'planId');
  const attached = await requireAttached(tx, plan, featureId);
  return { plan, attached, cell: cellOf(plan, attached.feature, attached.row.settle) };
}

/** Throws `validation_error` if a feature can't have a rate in its plan. */
function requireRated(cell: CellDetails): void {
  if (!canHaveRate(cell, null))
    throw rejectedRate(
      'bad_rate',
      `A ${cell.type} feature of a ${cell.consumptionModel} plan can't have a rate.`,
    );
  if (cell.isFree && cell.pool === null)
    throw rejectedRate('bad_rate', "A free plan can't charge for overage.");
}

/** Rate or saved card of a feature in a plan. */
export type FeatureRateChange = PlanFeatureReference & RateChoice<PriceInput>;

/**
 * Returns the terms of a feature with another rate or saved card, without storing them. Locks the plan. Throws `plan_not_found`,
 * `feature_not_found`, `not_found` if the feature isn't attached or the card doesn't exist, `market_not_found`, and `validation_error`
 * unless exactly one of the rate and the card is provided, the feature can have a price in the plan, and the rate is valid.
 */
export async function termsWithRate(
  tx: Context,
  { rate, rateCardId, ...reference }: FeatureRateChange,
): Promise<{ readonly plan: PlanRow; readonly attached: Attached; readonly terms: PlanFeatureRow }> {
  const choice = await chosenRate(tx, { rate, rateCardId });
  const { plan, attached, cell } = await lockedFeature(tx, reference);
  const { feature, row } = attached;
  if (choice.kind === 'rate' && isFromSource(choice.input)) {
    const derived = derivedRateFor(choice.input, row, cell);
    return { plan, attached, terms: { ...row, rate: derived, overrides: [] } };
  }
  requireRated(cell);
  const price = await priceOf(tx, choice, ratedFeature(feature, cell.pool), row.overrides);
  return { plan, attached, terms: { ...row, ...price } };
}

/**
 * Sets the rate or the saved card of a feature in a plan. In the current period, subscribers pay the cheaper of the rates (PRM-5). Doesn't
 * change whether overage is sold. Throws the errors of `termsWithRate`.
 */
export const setPlanFeatureRate = (ctx: Context, change: FeatureRateChange): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const { plan, attached, terms } = await termsWithRate(tx, change);
    return storeTerms(tx, plan, attached, terms);
  });

/**
 * Removes the rate of a feature in a plan. Throws `plan_not_found`, `feature_not_found`, `not_found` if the feature isn't attached, and
 * `validation_error` if the feature requires a rate or can't have one.
 */
export const clearPlanFeatureRate = (
  ctx: Context,
  reference: PlanFeatureReference,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const { plan, attached, cell } = await lockedFeature(tx, reference);
    if (cell.pool === creditsPool)
      throw rejectedRate('bad_rate', 'A usage feature of a credits plan requires a rate.');
    if (!canHaveRate(cell, null)) requireRated(cell);
    return storeTerms(tx, plan, attached, withDefaultPrice({ ...attached.row, rate: null, overrides: [] }));
  });

/** Reads the cost of a feature in a plan. Throws `validation_error` with all problems. */
function costFor(input: CostInput, { feature, row }: Attached, cell: CellDetails): CostDocument {
  // The price of a balance plan can't fall with more usage, so neither can the cost from which the price is derived.
  if (!isFromSource(input))
    return readCost(input, latestDecimals(feature), isDerived(row.rate) ? moneyPool : null);
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
  input: CostInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const { plan, attached, cell } = await lockedFeature(tx, reference);
    const { row } = attached;
    if (cell.type === 'boolean') throw rejectedRate('bad_rate', "A boolean feature can't have a cost.");
    if (input === null && isDerived(row.rate))
      throw rejectedRate('derived_needs_cost', 'The rate of the feature is derived from the cost.');
    const costRate = input === null ? null : costFor(input, attached, cell);
    return storeTerms(tx, plan, attached, { ...row, costRate });
  });
