import { defaultRejection, type Rejection } from '../../domain/errors/errors.ts';
import type { Tried } from '../../domain/limits/admission.ts';
import type { Context } from '../../request/context.ts';
import { bookWithoutDue } from './decide.ts';
import { loadCurrentUsage } from './load-current.ts';

/** Current limits of a customer, and of a budget with its parents. */
export type CurrentLimits = { readonly tried: readonly Tried[]; readonly subscriptionId: string | null };

/**
 * Reads the current values of a customer's limits, and of a budget with its parents, without locks. Empty if the customer has no
 * subscription that gives access. Returns the rejection if the customer or the budget doesn't exist.
 */
export async function readCurrentLimits(
  ctx: Context,
  customerId: string,
  budget: string | null,
): Promise<CurrentLimits | Rejection> {
  const needs = { customers: [customerId], featureCodes: [], eventIds: [], models: [] };
  const request = { customerId, featureCode: '', properties: [], budget };
  const loaded = await loadCurrentUsage(ctx, needs, [request], true);
  const customer = loaded.customers.get(customerId);
  if (customer === undefined) return defaultRejection('customer_not_found', { param: 'customerId' });
  const subscription = loaded.subscriptions.get(customer.id);
  const plan = subscription === undefined ? undefined : loaded.catalog.plans.get(subscription.planId);
  if (subscription === undefined || plan === undefined) return { tried: [], subscriptionId: null };
  const book = bookWithoutDue(loaded);
  const { limits } = book;
  const subject = { customer, subscription, plan };
  if (limits === null) return { tried: [], subscriptionId: subscription.id };
  const nodes = limits.nodesOf(subject, budget);
  if ('code' in nodes) return nodes;
  return { tried: limits.current(nodes, subject), subscriptionId: subscription.id };
}
