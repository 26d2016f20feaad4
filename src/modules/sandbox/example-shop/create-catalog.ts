import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { addPlanFeature } from '../../catalog/plan-features/attach.ts';
import { addPlanPrice } from '../../catalog/plan-prices/add.ts';
import { createPlan } from '../../catalog/plans/create.ts';
import type { Shop } from './read-shop.ts';
import { findFeatureIds, findPlanCodes } from './store.ts';

/** Creates the missing features and plans in one transaction. A plan with an existing code isn't changed. */
export const createCatalog = (ctx: Context, { features, plans }: Pick<Shop, 'features' | 'plans'>) =>
  inTransaction(ctx, async (tx) => {
    const featureIds = await findFeatureIds(
      tx,
      features.map(({ code }) => code),
    );
    for (const feature of features) {
      if (!featureIds.has(feature.code))
        featureIds.set(feature.code, (await featureRows.create(tx, feature)).id);
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
