import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { FeatureTerms } from '../../domain/pricing/terms.ts';
import { newId } from '../../infra/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { type FeatureRow, requireSharedFeature } from '../features/service.ts';
import { defaultTerms, type GivenTerms, laidOver, problemsOf } from './cell.ts';
import { followFeature } from './derive.ts';
import { endFeatureRates } from './overrides.ts';
import { lockPlan, type PlanFeatureRow, type PlanRow, requireLockedPlan } from './service.ts';

/** Names a feature of a plan: the plan by id or code, the feature by id. */
export type PlanFeatureReference = { readonly id: string; readonly featureId: string };

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

/** Adds the version of the terms that is valid from now on (protocols B8). */
async function addVersion(
  context: Context,
  pair: { planId: string; featureId: string },
  terms: FeatureTerms,
  attached: boolean,
): Promise<void> {
  await context.db.planFeatureVersion.create({
    data: { id: newId('pfv'), seq: await nextSeq(context), ...pair, validFrom: context.clock.now(), attached, ...terms },
  });
}

/** Refuses terms the cell does not have. Throws `validation_error` with every problem. */
function checkedTerms(plan: PlanRow, feature: FeatureRow, stored: FeatureTerms, given: GivenTerms): FeatureTerms {
  const next = laidOver(stored, given);
  const problems = problemsOf({ type: feature.type, consumptionModel: plan.consumptionModel, isFree: plan.isFree }, given, next);
  if (problems.length > 0) throw validationError(problems);
  // Overage that is sold without a price is sold for nothing, and a later price is then a raise.
  return next.overageEnabled && next.unitPriceRate === null && next.pricingMode === 'fixed' ? { ...next, unitPriceRate: 0n } : next;
}

const findAttachment = (context: Context, planId: string, featureId: string): Promise<PlanFeatureRow | null> =>
  context.db.planFeature.findFirst({ where: { planId, featureId } });

/**
 * Gives a plan a feature; running periods get it at once (CAT-49).
 * Throws `plan_not_found`, `feature_not_found`, `feature_already_exists` when it is attached already, `validation_error` by CAT-33 … CAT-35.
 */
export const addPlanFeature = (context: Context, input: PlanFeatureReference & GivenTerms): Promise<PlanFeatureRow> =>
  inTransaction(context, async (inner) => {
    const plan = await requireLockedPlan(inner, input.id);
    const feature = await requireSharedFeature(inner, input.featureId);
    if ((await findAttachment(inner, plan.id, feature.id)) !== null) {
      throw new QuittanceError('feature_already_exists', 'The plan has this feature already.', { param: 'featureId' });
    }
    const terms = checkedTerms(plan, feature, defaultTerms, input);
    const now = inner.clock.now();
    const pair = { planId: plan.id, featureId: feature.id };
    const row = await inner.db.planFeature.create({
      data: { id: newId('plf'), seq: await nextSeq(inner), ...pair, ...terms, createdAt: now, updatedAt: now },
    });
    await addVersion(inner, pair, terms, true);
    // What was set by hand belonged to the attachment before.
    await endFeatureRates(inner, pair);
    await followFeature(inner, row);
    return row;
  });

/**
 * Changes the terms of a feature in a plan; what is left out stays. Running periods feel it only as far as it is in the customer's favour (CAT-49).
 * Throws `plan_not_found`, `feature_not_found`, `not_found` when it is not attached, `validation_error` by CAT-33, CAT-34.
 */
export const updatePlanFeature = (context: Context, input: PlanFeatureReference & GivenTerms): Promise<PlanFeatureRow> =>
  inTransaction(context, async (inner) => {
    const plan = await requireLockedPlan(inner, input.id);
    const feature = await requireSharedFeature(inner, input.featureId);
    const row = await findAttachment(inner, plan.id, feature.id);
    if (row === null) throw new QuittanceError('not_found', 'The plan does not have this feature.', { param: 'featureId' });
    const stored = termsOf(row);
    const terms = checkedTerms(plan, feature, stored, input);
    if (isDeepStrictEqual(terms, stored)) return row;
    const changes = { ...terms, updatedAt: inner.clock.now() };
    await inner.db.planFeature.update({ where: { id: row.id }, data: changes });
    await addVersion(inner, { planId: plan.id, featureId: feature.id }, terms, true);
    const next = { ...row, ...changes };
    if (terms.unitPriceRate !== stored.unitPriceRate) await followFeature(inner, next);
    return next;
  });

/** Withdraws a feature from a plan; who holds it keeps it until the next period (CAT-49). Throws `not_found` when plan or feature is unknown or not attached. */
export const removePlanFeature = (context: Context, reference: PlanFeatureReference): Promise<{ readonly id: string }> =>
  inTransaction(context, async (inner) => {
    const plan = await lockPlan(inner, reference.id);
    const row = plan === null ? null : await findAttachment(inner, plan.id, reference.featureId);
    if (row === null)
      throw new QuittanceError('not_found', 'The plan does not have this feature.', { param: plan === null ? 'id' : 'featureId' });
    await inner.db.planFeature.deleteMany({ where: { id: row.id } });
    await addVersion(inner, { planId: row.planId, featureId: row.featureId }, termsOf(row), false);
    return { id: row.featureId };
  });
