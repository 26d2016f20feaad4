import type { Context } from '../../../request/context.ts';
import type { PlanFeatureRow } from '../plans/store.ts';

export const findAttachment = (
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<PlanFeatureRow | null> => ctx.db.planFeature.findFirst({ where: { planId, featureId } });
