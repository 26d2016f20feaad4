import type { MeteredUse } from '../../../domain/meters/fit.ts';
import { type Pool, poolOf } from '../../../domain/pricing/pools.ts';
import { isPricedByModel, type StoredTerms, termsOf } from '../../../domain/pricing/terms.ts';
import type { PriceListDocument } from '../../../domain/rates/card.ts';
import { ownList } from '../../../domain/rates/derived.ts';
import type { AddonConsumptionModel } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';

/** Returns the terms of a plan that a meter must support. `pool` is the pool from which usage is deducted. */
export const planUse = (pool: Pool | null, terms: StoredTerms): MeteredUse => ({
  isPool: pool !== null,
  hasHardLimit: terms.enabled && !terms.unlimited && !terms.overageEnabled,
  isPricedByModel: isPricedByModel(termsOf(terms)),
  list: ownList(terms.rate),
});

/** Returns the terms of an add-on that a meter must support. Metered add-ons charge for additional units. */
export const addonUse = (
  consumptionModel: AddonConsumptionModel,
  list: PriceListDocument | null,
): MeteredUse => ({
  isPool: consumptionModel === 'credits' || consumptionModel === 'balance',
  hasHardLimit: false,
  isPricedByModel: false,
  list,
});

/** Returns the terms on which plans and add-ons include a feature. */
export async function loadUses(tx: Context, featureId: string): Promise<MeteredUse[]> {
  const [attached, addons] = await Promise.all([
    tx.db.planFeature.findMany({ where: { featureId, plan: { deletedAt: null } }, include: { plan: true } }),
    tx.db.addon.findMany({ where: { featureId, deletedAt: null } }),
  ]);
  return [
    ...attached.map(({ plan, ...row }) => planUse(poolOf({ type: 'usage', settle: row.settle }, plan), row)),
    ...addons.map(({ consumptionModel, rate }) => addonUse(consumptionModel, rate)),
  ];
}
