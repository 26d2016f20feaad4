import type { MeteredUse } from '../../../domain/meters/fit.ts';
import { isPricedByModel, termsOf } from '../../../domain/pricing/terms.ts';
import type { Context } from '../../../request/context.ts';

/** Returns the terms on which plans and add-ons include a feature. */
export async function loadUses(tx: Context, featureId: string): Promise<MeteredUse[]> {
  const [attached, addons] = await Promise.all([
    tx.db.planFeature.findMany({ where: { featureId, plan: { deletedAt: null } }, include: { plan: true } }),
    tx.db.addon.findMany({ where: { featureId, deletedAt: null } }),
  ]);
  return [
    ...attached.map(({ plan, ...row }) => ({
      consumptionModel: plan.consumptionModel,
      isPricedByModel: isPricedByModel(termsOf(row)),
    })),
    ...addons.map(({ consumptionModel }) => ({ consumptionModel, isPricedByModel: false })),
  ];
}
