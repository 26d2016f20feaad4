import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { createFeature } from '../features/create.ts';
import { addPlanFeature } from '../plan-features/attach.ts';
import { addPlanPrice } from '../plan-prices/add.ts';
import { createPlan } from '../plans/create.ts';
import type { Shop } from './read-shop.ts';
import { findFeatureIds, findPlanCodes } from './store.ts';

/** Creates the features and plans that are not there yet, all in one transaction. A plan whose code exists is left as it is. */
export const createCatalog = (ctx: Context, { features, plans }: Pick<Shop, 'features' | 'plans'>) =>
  inTransaction(ctx, async (tx) => {
    const featureIds = await findFeatureIds(
      tx,
      features.map(({ code }) => code),
    );
    for (const feature of features) {
      if (!featureIds.has(feature.code)) featureIds.set(feature.code, (await createFeature(tx, feature)).id);
    }
    const existing = await findPlanCodes(
      tx,
      plans.map(({ plan }) => plan.code),
    );
    for (const { plan, prices, features: contents } of plans) {
      if (existing.has(plan.code)) continue;
      const { id: planId } = await createPlan(tx, plan);
      for (const price of prices) await addPlanPrice(tx, { planId, ...price });
      for (const { feature, ...terms } of contents)
        await addPlanFeature(tx, { planId, featureId: featureIds.get(feature) ?? feature, ...terms });
    }
  });
