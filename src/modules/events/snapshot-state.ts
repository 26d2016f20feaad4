import type { Context } from '../../context.ts';
import { maxOf, wireAmount } from '../../domain/money.ts';
import { type AccessDetails, featureAccess } from '../../domain/usage/access.ts';
import { creditsOf } from '../../domain/usage/pools.ts';
import type { ConsumptionAccountRow } from '../../domain/usage/rows.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { loadAccess, loadAccount } from '../subscriptions/load-consumption.ts';
import { hasAccess } from '../subscriptions/load-terms.ts';
import { loadCurrentSubscription } from '../subscriptions/store.ts';

// The data of `customer.state_changed`, which describes the moment it is delivered, not the one it is about.

/** A value of feature access as JSON. Throws a RangeError beyond 2^53−1. */
function wire(value: unknown): unknown {
  if (typeof value === 'bigint') return wireAmount(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wire(member)]));
}

const seatsOf = ({ feature, terms, count: { count } }: AccessDetails) => ({
  code: feature.code,
  current: wireAmount(count),
  included: wireAmount(terms.includedAmount),
  remaining: terms.unlimited ? null : wireAmount(maxOf(0n, terms.includedAmount - count)),
  unlimited: terms.unlimited,
});

function poolsOf({ consumptionModel }: Row<'Plan'>, account: ConsumptionAccountRow) {
  const { planCredits, purchasedCredits, balanceRate } = account;
  const credits = {
    planCredits: wireAmount(planCredits),
    purchasedCredits: wireAmount(purchasedCredits),
    totalCredits: wireAmount(creditsOf(account)),
  };
  return {
    credits: consumptionModel === 'credits' ? credits : null,
    balance: consumptionModel === 'balance' ? { currentBalance: wireAmount(balanceRate) } : null,
  };
}

const nothing = {
  status: 'none',
  subscriptionId: null,
  plan: null,
  billingInterval: null,
  consumptionModel: null,
  features: [],
  seats: [],
  credits: null,
  balance: null,
} as const;

/**
 * The entitlements of a customer now: of its subscription in force, `status: none` without one. Features, seats and pools are listed while
 * the status gives access and are empty or null otherwise. Everything is read through batched loaders.
 */
export async function stateSnapshot(ctx: Context, customerId: string): Promise<object> {
  const subscription = await loadCurrentSubscription(ctx, customerId);
  if (subscription === null) return nothing;
  const plan = await loadExistingRow(ctx, 'Plan', subscription.planId);
  const named = {
    ...nothing,
    status: subscription.status,
    subscriptionId: subscription.id,
    plan: { id: plan.id, name: plan.name },
    billingInterval: subscription.billingInterval,
    consumptionModel: plan.consumptionModel,
  };
  if (!hasAccess(subscription)) return named;
  const [details, account] = await Promise.all([
    loadAccess(ctx, subscription),
    loadAccount(ctx, subscription),
  ]);
  return {
    ...named,
    features: details.map((held) => wire(featureAccess(held))),
    seats: details.filter(({ feature }) => feature.type === 'seats').map(seatsOf),
    ...poolsOf(plan, account),
  };
}
