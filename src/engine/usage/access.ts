import type { Context } from '../../context.ts';
import type { AccessFacts } from '../../domain/consumption/access.ts';
import { countId, noCount } from '../../domain/consumption/counts.ts';
import { heldUsageFeatures } from '../../domain/consumption/terms.ts';
import type { Refusal } from '../../domain/errors.ts';
import { spansOf } from '../../domain/subscription/periods.ts';
import { lookAtUsage, type UsageQuestion } from './look.ts';

/** What decides about the use of one feature of any type now, or the first reason why a customer has none (CON-53). */
export async function readFeatureAccess(ctx: Context, { customerId, featureCode }: UsageQuestion): Promise<AccessFacts | Refusal> {
  const { facts, book } = await lookAtUsage(ctx, { customerId, featureCode });
  const customer = facts.customers.get(customerId);
  if (customer === undefined) return { code: 'customer_not_found', message: 'No such customer.', param: 'customerId' };
  const subscription = facts.subscriptions.get(customer.id);
  if (subscription === undefined) {
    return { code: 'no_active_subscription', message: 'The customer has no subscription in force.', param: 'customerId' };
  }
  const feature = facts.features.get(featureCode);
  if (feature === undefined) return { code: 'feature_not_found', message: 'No such feature.', param: 'code' };
  const plan = facts.catalog.plans.get(subscription.planId);
  if (plan === undefined) throw new Error(`The plan ${subscription.planId} is not in the catalogue.`);
  const holding = { plan, subscription, addons: facts.addons.get(subscription.id) ?? [] };
  const held = heldUsageFeatures(facts.catalog, holding, facts.now).find(({ feature: { id } }) => id === feature.id);
  if (held === undefined) return { code: 'feature_not_in_plan', message: `The plan does not contain ${featureCode}.`, param: 'code' };
  const count = facts.counts.get(countId(customer.id, feature.id)) ?? noCount(customer.id, feature.id, facts.now);
  const meter = book.meterOf({ customer, subscription, plan, feature, terms: held.terms });
  return { ...held, subscription, ...spansOf(subscription), meter, count };
}
