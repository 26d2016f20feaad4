import { defaultRejection, type Rejection } from '../../domain/errors/errors.ts';
import type { Tried } from '../../domain/limits/admission.ts';
import type { Account } from '../../domain/lots/account.ts';
import type { ConsumingCustomer, ConsumingSubscription } from '../../domain/rows/usage-rows.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Context } from '../../request/context.ts';
import { bookWithoutDue } from './decide.ts';
import type { LoadedUsage } from './load.ts';
import { loadCurrentUsage } from './load-current.ts';

/** Customer with its subscription and the account from which usage is deducted. */
export type Consuming = {
  readonly customer: ConsumingCustomer;
  readonly subscription: ConsumingSubscription;
  readonly account: Account | null;
};

/** Current limits of a customer, and of a budget with its parents. */
export type CurrentLimits = {
  readonly tried: readonly Tried[];
  readonly subscriptionId: string | null;
  /** Absent if the customer has no subscription that gives access, or no limits. */
  readonly consuming?: Consuming;
};

/** Customer, or the budget of a customer with a key. */
export type NamedNode = { readonly customerId: string; readonly budget: string | null };

/** Reads the numbers of seats and quota units that limits bound, by customer and feature code. Reads nothing without such limits. */
async function readLevels(
  { sql }: Context,
  { limits, customers }: LoadedUsage,
): Promise<ReadonlyMap<string, ReadonlyMap<string, bigint>>> {
  const bounding = limits?.limits.filter(({ measure }) => measure === 'level') ?? [];
  if (bounding.length === 0) return new Map();
  const rows = await sql<{ customerId: string; code: string; count: bigint }>(
    `SELECT c."customerId", f.code, c.count FROM "Feature" f JOIN "FeatureCount" c ON c."environmentId" = $1 AND c."featureId" = f.id
     WHERE f."environmentId" = $1 AND f."deletedAt" IS NULL AND f.code = ANY($2::text[]) AND c."customerId" = ANY($3::text[])`,
    [
      textArray([...new Set(bounding.flatMap(({ filter }) => filter.features))]),
      textArray([...new Set([...customers.values()].map(({ id }) => id))]),
    ],
  );
  return new Map(
    Map.groupBy(rows, ({ customerId }) => customerId)
      .entries()
      .map(([id, own]) => [id, new Map(own.map(({ code, count }) => [code, count]))]),
  );
}

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
  const levels = await readLevels(ctx, loaded);
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
    return {
      tried: limits.current(nodes, subject, levels.get(customer.id) ?? new Map()),
      subscriptionId: subscription.id,
      consuming: { customer, subscription, account: book.accountOf(subscription.id) },
    };
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
