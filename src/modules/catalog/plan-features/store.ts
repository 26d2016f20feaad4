import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import type { PlanFeatureRow } from '../plans/store.ts';

export const findAttachment = (
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<PlanFeatureRow | null> => ctx.db.planFeature.findFirst({ where: { planId, featureId } });

/** Error for a feature that a plan doesn't include. `param` is the input that refers to the plan or the feature. */
export const attachmentNotFound = (param: string): QuittanceError =>
  specificError('not_found', 'plan_feature', { param });

/** Returns a feature's row in a plan. Throws `not_found` on `featureId` if the plan doesn't include the feature. */
export async function requireAttachment(
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<PlanFeatureRow> {
  const row = await findAttachment(ctx, planId, featureId);
  if (row === null) throw attachmentNotFound('featureId');
  return row;
}

/** Features of plans, with their terms. The caller must have locked the plan. */
export const planFeatureRows = resource('PlanFeature', {
  prefix: 'plf',
  object: 'plan_feature',
  notFound: attachmentNotFound,
});
