import { canCharge } from '../../rates/held.ts';
import type { FeatureType } from '../../rows/enums.ts';
import { heldUsageFeatures, type UsageTerms } from '../../usage/terms.ts';
import type { Aggregate, SubscriptionRow } from '../state/aggregate.ts';

/** Returns true if the terms allow paid overage or a negative balance. */
function isCharged(type: FeatureType, terms: UsageTerms): boolean {
  if (type === 'boolean' || !terms.enabled) return false;
  if (type === 'usage' && terms.pool !== null) return terms.pool.canOverdraw;
  return terms.allowsOverage && !terms.unlimited && terms.rates !== null && canCharge(terms.rates);
}

/**
 * Returns true if additional usage, seats, or quota of a subscription can cause overage charges under the terms that
 * apply at the given time.
 */
export function chargesUsage(
  { catalog, addons }: Aggregate,
  subscription: SubscriptionRow,
  at: Date,
): boolean {
  const plan = catalog.plans.get(subscription.planId);
  if (plan === undefined) throw new Error(`The plan ${subscription.planId} is not in the catalog.`);
  const own = addons.filter(({ subscriptionId }) => subscriptionId === subscription.id);
  return heldUsageFeatures(catalog, { plan, subscription, addons: own }, at).some(({ feature, terms }) =>
    isCharged(feature.type, terms),
  );
}
