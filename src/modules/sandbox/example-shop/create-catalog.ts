import type { Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { createAddon } from '../../catalog/add-ons/create.ts';
import { featureRows } from '../../catalog/features/store.ts';
import { offerRows } from '../../catalog/offers/store.ts';
import { addPlanFeature } from '../../catalog/plan-features/attach.ts';
import { addPlanToGroup } from '../../catalog/plan-groups/arrange.ts';

import { addPlanPrice } from '../../catalog/plan-prices/add.ts';
import { createPlan } from '../../catalog/plans/create.ts';
import { planGroupRows } from '../../catalog/plans/store.ts';
import { createPromoCode } from '../../catalog/promo-codes/create.ts';
import { promoCode, supportAddon } from './arrange-year.ts';
import type { Shop } from './read-shop.ts';
import { findFeatureIds, findPlanIds, hasOfferNamed } from './store.ts';

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
    const existing = await findPlanIds(
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
    await createExtras(tx, featureIds);
  });

/** Plans between which customers can switch, from the lowest to the highest rank. */
const ladder = ['pro', 'team', 'scale'];

const offerName = '20% off for 3 months';

/** Creates the plan group, the offer with its promo code, and the add-on, unless they exist. */
async function createExtras(tx: TransactionContext, featureIds: ReadonlyMap<string, string>): Promise<void> {
  if (await hasOfferNamed(tx, offerName)) return;
  const group = await planGroupRows.create(tx, { name: 'Subscriptions', isPublic: true });
  for (const planId of ladder) await addPlanToGroup(tx, { planGroupId: group.id, planId });
  const offer = await offerRows.create(tx, {
    name: offerName,
    phases: [{ type: 'percentage', percentage: 2_000, durationCycles: 3, durationInterval: null }],
  });
  await createPromoCode(tx, { code: promoCode, offerId: offer.id });
  await createAddon(tx, {
    name: 'Priority support',
    description: 'An answer within four working hours.',
    basePrice: 1_900,
    featureId: featureIds.get(supportAddon.featureCode) ?? supportAddon.featureCode,
    consumptionModel: 'boolean',
  });
}
