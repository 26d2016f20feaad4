// Whether what a customer does until the next charge is charged on top of what is known now.

import type { FeatureType } from '../../enums.ts';
import { heldUsageFeatures, type UsageTerms } from '../../usage/terms.ts';
import type { Aggregate, SubscriptionRow } from '../state/aggregate.ts';

/**
 * Whether units of a feature can be sold beyond those included, or taken from a balance that may go below 0.
 */
function isCharged(type: FeatureType, terms: UsageTerms): boolean {
  if (type === 'boolean' || !terms.enabled) return false;
  if (type === 'usage' && terms.model === 'credits') return false;
  if (type === 'usage' && terms.model === 'balance') return !terms.isBlocking;
  return terms.allowsOverage && !terms.unlimited && (terms.unitPriceRate ?? 0n) > 0n;
}

/**
 * Whether further usage, seats or quota of a subscription can be charged beyond what is included, on the
 * terms held at an instant.
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
