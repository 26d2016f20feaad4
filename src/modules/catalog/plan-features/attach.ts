import { specificError, validationError } from '../../../domain/errors/errors.ts';
import {
  type CellDetails,
  defaultTerms,
  mergedTerms,
  type ProvidedTerms,
  problemsOf,
} from '../../../domain/pricing/feature-cell.ts';
import { invoiced, planPool, poolOf } from '../../../domain/pricing/pools.ts';
import type { StoredTerms } from '../../../domain/pricing/terms.ts';
import { perUnitRate } from '../../../domain/rates/held.ts';
import { rateDocument } from '../../../domain/rates/rate.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { planUse } from '../features/load-uses.ts';
import { requireMeterFits } from '../features/set-meter.ts';
import { type FeatureRow, requireSharedFeature } from '../features/store.ts';
import { type PlanFeatureRow, type PlanRow, planRows } from '../plans/store.ts';
import { requireDerivable } from '../regional-pricing/derive.ts';
import { attachmentNotFound, findAttachment, planFeatureRows, requireAttachment } from './store.ts';

/** Reference to a feature of a plan: the plan by ID or code, and the feature by ID. */
export type PlanFeatureReference = { readonly planId: string; readonly featureId: string };

/** Returns only the terms of a row. */
const storedTerms = (row: StoredTerms): StoredTerms => ({
  enabled: row.enabled,
  includedAmount: row.includedAmount,
  unlimited: row.unlimited,
  overageEnabled: row.overageEnabled,
  rate: row.rate,
  overrides: row.overrides,
  costRate: row.costRate,
  settle: row.settle,
});

/**
 * Returns the properties of a plan and its feature that determine which terms the feature can have. `settle` is the feature's
 * own settlement.
 */
export const cellOf = (
  plan: PlanRow,
  { type }: Pick<FeatureRow, 'type'>,
  settle: string | null,
): CellDetails => ({
  type,
  consumptionModel: plan.consumptionModel,
  pool: poolOf({ type, settle }, plan),
  isOwn: settle !== null,
  isFree: plan.isFree,
});

/** Throws `validation_error` if a settlement isn't for a usage feature, or if the plan doesn't have its pool. */
function requireSettlement(plan: PlanRow, { type }: FeatureRow, settle: string | null): void {
  if (settle === null) return;
  const reject = (message: string) => validationError([{ field: 'settle', message }]);
  if (type !== 'usage') throw reject('Only usage features have a settlement.');
  if (settle !== invoiced && planPool(plan, settle) === null)
    throw reject("The plan doesn't have a pool of this asset. Add the pool first.");
}

/** Feature of a plan with its row in the plan. */
export type Attached = { readonly feature: FeatureRow; readonly row: PlanFeatureRow };

/** Adds a version of the terms that applies from the current time. */
async function addVersion(
  ctx: Context,
  pair: { planId: string; featureId: string },
  terms: StoredTerms,
  attached: boolean,
): Promise<void> {
  await ctx.db.planFeatureVersion.create({
    data: {
      id: newId('pfv'),
      seq: await nextSeq(ctx),
      ...pair,
      validFrom: ctx.clock.now(),
      attached,
      ...terms,
    },
  });
}

/**
 * Returns the terms with a price of 0 if overage is sold without a price, so that a price that is added later counts as a price increase.
 */
export const withDefaultPrice = (terms: StoredTerms): StoredTerms =>
  terms.overageEnabled && terms.rate === null ? { ...terms, rate: rateDocument(perUnitRate(0n)) } : terms;

/** Throws `validation_error` if the terms don't fit the meter of the feature (PRM-11). */
const requireTermsFit = (plan: PlanRow, feature: FeatureRow, terms: StoredTerms): void =>
  requireMeterFits(feature, planUse(poolOf({ type: feature.type, settle: terms.settle }, plan), terms));

/**
 * Returns the stored terms with the provided changes applied. Throws `validation_error` with every term that the feature type or the plan
 * doesn't allow.
 */
function checkedTerms(
  plan: PlanRow,
  feature: FeatureRow,
  stored: StoredTerms,
  provided: ProvidedTerms,
): StoredTerms {
  const settle = provided.settle ?? stored.settle;
  requireSettlement(plan, feature, settle);
  const cell = cellOf(plan, feature, settle);
  // A rate in another asset can't be kept.
  const isMoved = poolOf({ type: feature.type, settle: stored.settle }, plan) !== cell.pool;
  const next = mergedTerms(cell, isMoved ? { ...stored, rate: null, overrides: [] } : stored, provided);
  const problems = problemsOf(cell, provided, next);
  if (problems.length > 0) throw validationError(problems);
  return withDefaultPrice(next);
}

/**
 * Attaches a feature to a plan. Subscribers get the feature immediately (CAT-49). Throws `plan_not_found`, `feature_not_found`,
 * `feature_already_exists` if the feature is already attached, and `validation_error` (CAT-33 to CAT-35).
 */
export const addPlanFeature = (
  ctx: Context,
  input: PlanFeatureReference & ProvidedTerms,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
    const feature = await requireSharedFeature(tx, input.featureId);
    if ((await findAttachment(tx, plan.id, feature.id)) !== null) {
      throw specificError('feature_already_exists', 'plan_feature', {
        param: 'featureId',
      });
    }
    const terms = checkedTerms(plan, feature, defaultTerms, input);
    requireTermsFit(plan, feature, terms);
    const pair = { planId: plan.id, featureId: feature.id };
    const row = await planFeatureRows.create(tx, { ...pair, ...terms });
    await addVersion(tx, pair, terms, true);
    await requireDerivable(tx, plan, { feature, row });
    return row;
  });

/** Returns a feature with its row in a plan. If the feature doesn't exist, throws `feature_not_found`. Without a row, throws `not_found`. */
export async function requireAttached(ctx: Context, plan: PlanRow, featureId: string): Promise<Attached> {
  const feature = await requireSharedFeature(ctx, featureId);
  return { feature, row: await requireAttachment(ctx, plan.id, feature.id) };
}

/**
 * Returns the terms of a plan's feature with changes applied, without storing them. Throws `feature_not_found`, `not_found` if the feature
 * isn't attached, and `validation_error` (CAT-33, CAT-34).
 */
export async function editedTerms(
  ctx: Context,
  plan: PlanRow,
  { featureId, ...provided }: Omit<PlanFeatureReference, 'planId'> & ProvidedTerms,
): Promise<{
  readonly row: PlanFeatureRow;
  readonly feature: FeatureRow;
  readonly stored: StoredTerms;
  readonly terms: StoredTerms;
}> {
  const { feature, row } = await requireAttached(ctx, plan, featureId);
  const stored = storedTerms(row);
  return { row, feature, stored, terms: checkedTerms(plan, feature, stored, provided) };
}

/**
 * Stores new terms of an attached feature, with a version that applies from the current time. Does nothing if the terms are unchanged. The
 * caller must have locked the plan.
 */
export async function storeTerms(
  tx: Context,
  plan: PlanRow,
  { feature, row }: Attached,
  next: StoredTerms,
): Promise<PlanFeatureRow> {
  const terms = storedTerms(next);
  if (planFeatureRows.changed(row, terms) === row) return row;
  requireTermsFit(plan, feature, terms);
  const updated = await planFeatureRows.patch(tx, row, terms);
  await addVersion(tx, { planId: row.planId, featureId: row.featureId }, terms, true);
  await requireDerivable(tx, plan, { feature, row: updated });
  return updated;
}

/**
 * Updates the terms of a plan's feature. Omitted terms stay the same. In the current period, subscribers get only changes in their favor
 * (CAT-49). Throws `plan_not_found`, `feature_not_found`, `not_found` if the feature isn't attached, and `validation_error` (CAT-33,
 * CAT-34).
 */
export const updatePlanFeature = (
  ctx: Context,
  input: PlanFeatureReference & ProvidedTerms,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
    const { terms, ...attached } = await editedTerms(tx, plan, input);
    return storeTerms(tx, plan, attached, terms);
  });

/**
 * Detaches a feature from a plan. Subscribers keep the feature until their next period (CAT-49). Throws `not_found` if the plan doesn't
 * exist or doesn't have the feature.
 */
export const removePlanFeature = (
  ctx: Context,
  reference: PlanFeatureReference,
): Promise<{ readonly id: string }> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.findLocked(tx, reference.planId);
    const row = plan === null ? null : await findAttachment(tx, plan.id, reference.featureId);
    if (row === null) throw attachmentNotFound(plan === null ? 'planId' : 'featureId');
    await tx.db.planFeature.deleteMany({ where: { id: row.id } });
    await addVersion(tx, { planId: row.planId, featureId: row.featureId }, storedTerms(row), false);
    return { id: row.featureId };
  });
