import type { Context } from '../../context.ts';
import { maxOf, wireAmount } from '../../domain/money.ts';
import type { ResolvedPrice } from '../../domain/pricing/resolve.ts';
import { excessOf, type FeatureTerms, type HeldFeature } from '../../domain/pricing/terms.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { loadCurrentSubscription } from '../subscriptions/service.ts';
import { hasAccess, loadBoundPrice, loadHeldFeatures, seatCount } from '../subscriptions/terms.ts';

// The data of `customer.state_changed`, which describes the moment it is delivered, not the one it is about. Nothing counts usage yet, so
// every window stands at its beginning.

/** What the snapshot of a customer with access is made of. */
type Held = {
  readonly subscription: SubscriptionRow;
  readonly plan: Row<'Plan'>;
  readonly price: ResolvedPrice | null;
  readonly features: readonly HeldFeature[];
};

const periodOf = ({ windowStart, windowEnd }: SubscriptionRow) => ({
  start: windowStart?.toISOString() ?? null,
  end: windowEnd?.toISOString() ?? null,
});

const hasOverage = (terms: FeatureTerms): boolean => terms.overageEnabled && terms.unitPriceRate !== null;

/** A unit price as feature access shows it, 10000 being 1.00; left out where there is none. */
const unitPriceOf = (terms: FeatureTerms, currency: string) =>
  terms.unitPriceRate === null ? {} : { unitPrice: { amount: wireAmount(terms.unitPriceRate), currency, scale: 10_000 } };

/** How much of a limit is used: for metered usage, seats and quota alike. */
function countOf({ subscription }: Held, terms: FeatureTerms, count: bigint) {
  const remaining = terms.unlimited ? {} : { remainingUnits: wireAmount(maxOf(0n, terms.includedAmount - count)) };
  const price = hasOverage(terms) ? unitPriceOf(terms, subscription.currency) : {};
  return {
    period: periodOf(subscription),
    unitsUsed: wireAmount(count),
    includedUnits: wireAmount(terms.includedAmount),
    ...remaining,
    unlimited: terms.unlimited,
    overage: { enabled: terms.overageEnabled, units: wireAmount(excessOf(terms, count)), ...price },
  };
}

const isWithinLimit = (terms: FeatureTerms, count: bigint): boolean => terms.unlimited || count < terms.includedAmount || hasOverage(terms);

const creditPool = ({ price }: Held): bigint => price?.includedCredits ?? 0n;

const balancePool = ({ price }: Held): bigint => price?.includedBalanceRate ?? 0n;

/** What usage draws on, by the plan's consumption model, and whether one more unit is allowed (CON-53). */
function consumptionOf(held: Held, terms: FeatureTerms): { consumption: object; isAllowed: boolean } {
  const { subscription, plan } = held;
  const period = periodOf(subscription);
  if (plan.consumptionModel === 'metered') {
    return { consumption: { model: 'metered', ...countOf(held, terms, 0n) }, isAllowed: isWithinLimit(terms, 0n) };
  }
  if (plan.consumptionModel === 'credits') {
    const pool = creditPool(held);
    const perUnit = terms.creditsPerUnit ?? 0n;
    const available = perUnit === 0n ? pool : pool / perUnit;
    const consumption = {
      model: 'credits',
      period,
      unitsUsed: 0,
      creditsPerUnit: wireAmount(perUnit),
      creditsConsumed: 0,
      availableUnits: wireAmount(available),
    };
    return { consumption, isAllowed: pool >= perUnit };
  }
  const pool = balancePool(held);
  const { unitPriceRate } = terms;
  const available = unitPriceRate === null || unitPriceRate === 0n ? {} : { availableUnits: wireAmount(pool / unitPriceRate) };
  const spent = { amount: 0, currency: subscription.currency };
  const consumption = { model: 'balance', period, unitsUsed: 0, spent, ...available, ...unitPriceOf(terms, subscription.currency) };
  const suffices = terms.pricingMode === 'ai_model' ? pool > 0n : pool >= (unitPriceRate ?? 0n);
  return { consumption, isAllowed: !plan.blockOnExhaustion || suffices };
}

/** One feature in the shape of feature access, without `object`, `livemode` and `baseAccess`. */
function featureOf(held: Held, { feature, terms }: HeldFeature): object {
  const { code, name, unitName, type } = feature;
  const named = (isAllowed: boolean) => ({ code, name, unitName, allowed: terms.enabled && isAllowed, type });
  if (type === 'boolean') return { ...named(true), enabled: terms.enabled };
  if (type === 'usage') {
    const { consumption, isAllowed } = consumptionOf(held, terms);
    return { ...named(isAllowed), consumption };
  }
  const count = type === 'seats' ? seatCount(held.subscription, code) : 0n;
  const usage = countOf(held, terms, count);
  const counted = { ...named(isWithinLimit(terms, count)), usage };
  return type === 'quota' ? { ...counted, billedUnits: usage.overage.units } : counted;
}

function seatsOf({ subscription }: Held, { feature, terms }: HeldFeature) {
  const current = seatCount(subscription, feature.code);
  return {
    code: feature.code,
    current: wireAmount(current),
    included: wireAmount(terms.includedAmount),
    remaining: terms.unlimited ? null : wireAmount(maxOf(0n, terms.includedAmount - current)),
    unlimited: terms.unlimited,
  };
}

function poolsOf(held: Held) {
  const { consumptionModel } = held.plan;
  const credits = wireAmount(creditPool(held));
  return {
    credits: consumptionModel === 'credits' ? { planCredits: credits, purchasedCredits: 0, totalCredits: credits } : null,
    balance: consumptionModel === 'balance' ? { currentBalance: wireAmount(balancePool(held)) } : null,
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
export async function stateSnapshot(context: Context, customerId: string): Promise<object> {
  const subscription = await loadCurrentSubscription(context, customerId);
  if (subscription === null) return nothing;
  const plan = await loadExistingRow(context, 'Plan', subscription.planId);
  const named = {
    ...nothing,
    status: subscription.status,
    subscriptionId: subscription.id,
    plan: { id: plan.id, name: plan.name },
    billingInterval: subscription.billingInterval,
    consumptionModel: plan.consumptionModel,
  };
  if (!hasAccess(subscription)) return named;
  const [price, features] = await Promise.all([loadBoundPrice(context, subscription), loadHeldFeatures(context, subscription)]);
  const held = { subscription, plan, price, features };
  return {
    ...named,
    features: features.map((feature) => featureOf(held, feature)),
    seats: features.filter(({ feature }) => feature.type === 'seats').map((feature) => seatsOf(held, feature)),
    ...poolsOf(held),
  };
}
