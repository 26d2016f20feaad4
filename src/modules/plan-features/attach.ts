import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { defaultTerms, laidOver, type ProvidedTerms, problemsOf } from '../../domain/pricing/feature-cell.ts';
import type { FeatureTerms } from '../../domain/pricing/terms.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type FeatureRow, requireSharedFeature } from '../features/store.ts';
import { lockPlan, type PlanFeatureRow, type PlanRow, requireLockedPlan } from '../plans/store.ts';
import { followFeature } from '../regional-pricing/derive.ts';
import { endFeatureRates } from '../regional-pricing/store.ts';
import { findAttachment } from './store.ts';

/** Names a feature of a plan: the plan by id or code, the feature by id. */
export type PlanFeatureReference = { readonly planId: string; readonly featureId: string };

const termsOf = (row: PlanFeatureRow): FeatureTerms => ({
  enabled: row.enabled,
  includedAmount: row.includedAmount,
  unlimited: row.unlimited,
  overageEnabled: row.overageEnabled,
  unitPriceRate: row.unitPriceRate,
  creditsPerUnit: row.creditsPerUnit,
  pricingMode: row.pricingMode,
  marginBps: row.marginBps,
});

/** Adds the version of the terms that is valid from now on. */
async function addVersion(
  ctx: Context,
  pair: { planId: string; featureId: string },
  terms: FeatureTerms,
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

/** Rejects terms the cell does not have. Throws `validation_error` with every problem. */
function checkedTerms(
  plan: PlanRow,
  feature: FeatureRow,
  stored: FeatureTerms,
  provided: ProvidedTerms,
): FeatureTerms {
  const next = laidOver(stored, provided);
  const problems = problemsOf(
    { type: feature.type, consumptionModel: plan.consumptionModel, isFree: plan.isFree },
    provided,
    next,
  );
  if (problems.length > 0) throw validationError(problems);
  // Overage that is sold without a price is sold for nothing, and a later price is then a raise.
  return next.overageEnabled && next.unitPriceRate === null && next.pricingMode === 'fixed'
    ? { ...next, unitPriceRate: 0n }
    : next;
}

/**
 * Gives a plan a feature; running periods get it at once (CAT-49).
 * Throws `plan_not_found`, `feature_not_found`, `feature_already_exists` when it is attached already, `validation_error` by CAT-33 … CAT-35.
 */
export const addPlanFeature = (
  ctx: Context,
  input: PlanFeatureReference & ProvidedTerms,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, input.planId, 'planId');
    const feature = await requireSharedFeature(tx, input.featureId);
    if ((await findAttachment(tx, plan.id, feature.id)) !== null) {
      throw specificError('feature_already_exists', 'plan_feature', {
        param: 'featureId',
      });
    }
    const terms = checkedTerms(plan, feature, defaultTerms, input);
    const now = tx.clock.now();
    const pair = { planId: plan.id, featureId: feature.id };
    const row = await tx.db.planFeature.create({
      data: { id: newId('plf'), seq: await nextSeq(tx), ...pair, ...terms, createdAt: now, updatedAt: now },
    });
    await addVersion(tx, pair, terms, true);
    // What was set manually belonged to the attachment before.
    await endFeatureRates(tx, pair);
    await followFeature(tx, row);
    return row;
  });

/**
 * What changes make of the terms of a feature in a plan. Writes nothing.
 * Throws `feature_not_found`, `not_found` when it is not attached, `validation_error` by CAT-33, CAT-34.
 */
export async function editedTerms(
  ctx: Context,
  plan: PlanRow,
  { featureId, ...provided }: Omit<PlanFeatureReference, 'planId'> & ProvidedTerms,
): Promise<{
  readonly row: PlanFeatureRow;
  readonly feature: FeatureRow;
  readonly stored: FeatureTerms;
  readonly terms: FeatureTerms;
}> {
  const feature = await requireSharedFeature(ctx, featureId);
  const row = await findAttachment(ctx, plan.id, feature.id);
  if (row === null) throw specificError('not_found', 'plan_feature', { param: 'featureId' });
  const stored = termsOf(row);
  return { row, feature, stored, terms: checkedTerms(plan, feature, stored, provided) };
}

/**
 * Changes the terms of a feature in a plan; what is left out stays. Running periods feel it only as far as it is in the customer's favor (CAT-49).
 * Throws `plan_not_found`, `feature_not_found`, `not_found` when it is not attached, `validation_error` by CAT-33, CAT-34.
 */
export const updatePlanFeature = (
  ctx: Context,
  input: PlanFeatureReference & ProvidedTerms,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, input.planId, 'planId');
    const { row, stored, terms } = await editedTerms(tx, plan, input);
    if (isDeepStrictEqual(terms, stored)) return row;
    const changes = { ...terms, updatedAt: tx.clock.now() };
    await tx.db.planFeature.update({ where: { id: row.id }, data: changes });
    await addVersion(tx, { planId: plan.id, featureId: row.featureId }, terms, true);
    const next = { ...row, ...changes };
    if (terms.unitPriceRate !== stored.unitPriceRate) await followFeature(tx, next);
    return next;
  });

/** Withdraws a feature from a plan; who holds it keeps it until the next period (CAT-49). Throws `not_found` when plan or feature is unknown or not attached. */
export const removePlanFeature = (
  ctx: Context,
  reference: PlanFeatureReference,
): Promise<{ readonly id: string }> =>
  inTransaction(ctx, async (tx) => {
    const plan = await lockPlan(tx, reference.planId);
    const row = plan === null ? null : await findAttachment(tx, plan.id, reference.featureId);
    if (row === null)
      throw specificError('not_found', 'plan_feature', {
        param: plan === null ? 'planId' : 'featureId',
      });
    await tx.db.planFeature.deleteMany({ where: { id: row.id } });
    await addVersion(tx, { planId: row.planId, featureId: row.featureId }, termsOf(row), false);
    return { id: row.featureId };
  });
