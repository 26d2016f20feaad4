import { defaultRejection, type Rejection } from '../../domain/errors/errors.ts';
import type { Tried } from '../../domain/limits/admission.ts';
import type { Context } from '../../request/context.ts';
import { bookWithoutDue } from './decide.ts';
import { loadCurrentUsage } from './load-current.ts';

/** Current limits of a customer, and of a budget with its parents. */
export type CurrentLimits = { readonly tried: readonly Tried[]; readonly subscriptionId: string | null };

/** Customer, or the budget of a customer with a key. */
export type NamedNode = { readonly customerId: string; readonly budget: string | null };

/**
 * Reads the current values of the limits of customers, and of budgets with their parents, without locks. Empty for customers without a
 * subscription that gives access. Contains the rejection if a customer or a budget doesn't exist.
 */
export async function readLimitsOf(
  ctx: Context,
  named: readonly NamedNode[],
): Promise<readonly (CurrentLimits | Rejection)[]> {
  const customers = [...new Set(named.map(({ customerId }) => customerId))];
  const needs = { customers, featureCodes: [], eventIds: [], models: [] };
  const requests = named.map((node) => ({ ...node, featureCode: '', properties: [] }));
  const loaded = await loadCurrentUsage(ctx, needs, requests, true);
  const book = bookWithoutDue(loaded);
  return named.map(({ customerId, budget }) => {
    const customer = loaded.customers.get(customerId);
    if (customer === undefined) return defaultRejection('customer_not_found', { param: 'customerId' });
    const subscription = loaded.subscriptions.get(customer.id);
    const plan = subscription === undefined ? undefined : loaded.catalog.plans.get(subscription.planId);
    if (subscription === undefined || plan === undefined) return { tried: [], subscriptionId: null };
    const { limits } = book;
    const subject = { customer, subscription, plan };
    if (limits === null) return { tried: [], subscriptionId: subscription.id };
    const nodes = limits.nodesOf(subject, budget);
    if ('code' in nodes) return nodes;
    return { tried: limits.current(nodes, subject), subscriptionId: subscription.id };
  });
}

/** Reads the current values of the limits of one customer, or of a budget with its parents. Returns the same results as `readLimitsOf`. */
export async function readCurrentLimits(
  ctx: Context,
  customerId: string,
  budget: string | null,
): Promise<CurrentLimits | Rejection> {
  const [current = { tried: [], subscriptionId: null }] = await readLimitsOf(ctx, [{ customerId, budget }]);
  return current;
}
