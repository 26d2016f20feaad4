import { type Account, balanceOf } from '../../../domain/lots/account.ts';
import { maxOf } from '../../../domain/money/money.ts';
import { shownModel } from '../../../domain/pricing/pools.ts';
import { type AccessDetails, featureAccess } from '../../../domain/usage/access.ts';
import { creditsView, hasBalance } from '../../../domain/usage/contract-view.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { loadAccess, loadAccount } from '../../subscriptions/subscriptions/load-consumption.ts';
import { hasAccess } from '../../subscriptions/subscriptions/load-terms.ts';
import { loadCurrentSubscription } from '../../subscriptions/subscriptions/store.ts';

// Data for `customer.state_changed` events. Describes the state at delivery, not at the time of the event.

/** Converts a feature access value to JSON. A count above 2⁵³−1 becomes the nearest double (GLO-14a). */
function wire(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wire(member)]));
}

const seatsOf = ({ feature, terms, count: { count } }: AccessDetails) => ({
  code: feature.code,
  current: Number(count),
  included: Number(terms.includedAmount),
  remaining: terms.unlimited ? null : Number(maxOf(0n, terms.includedAmount - count)),
  unlimited: terms.unlimited,
});

function poolsOf(plan: Row<'Plan'>, account: Account) {
  const view = creditsView(plan, account, {});
  const credits = view && {
    planCredits: Number(view.plan),
    purchasedCredits: Number(view.other),
    totalCredits: Number(view.total),
  };
  return {
    credits,
    balance: hasBalance(plan) ? { currentBalance: Number(balanceOf(account)) } : null,
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
 * Returns a customer's current entitlements. `status` is `none` if the customer has no subscription. Features, seats, credits, and balance
 * are empty or `null` unless the status gives access. Reads through batched loaders.
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
    consumptionModel: shownModel(plan),
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
