// Monthly recurring revenue of a subscription (MET-3 to MET-6), calculated from the charges of its current
// period and its current usage.

import { divideRounded, maxOf, minorToRate, rateScale } from '../money/money.ts';
import { roundedTo } from '../rates/exact.ts';
import { heldAmount, storedRate } from '../rates/held.ts';
import type { RecurringInterval } from '../rows/enums.ts';
import type {
  MrrEntryRow,
  MrrReason,
  MrrState,
  RecurringTerms,
  RecurringUnits,
  StoredComponents,
} from '../rows/recurring-rows.ts';
import type { AddonActivationRow, SubscriptionRow } from '../rows/rows.ts';

/** Components of monthly recurring revenue in display order. */
export const componentNames = ['base', 'discount', 'seats', 'quota', 'addons'] as const;

/**
 * Monthly recurring revenue by component, in ten-thousandths of the currency unit (10,000 = 1.00). `discount`
 * is at most 0.
 */
export type MrrComponents = { readonly [N in (typeof componentNames)[number]]: bigint };

/** Number of intervals per month, as a fraction. A year has 52 weeks. */
const factors: { readonly [I in RecurringInterval]: readonly [times: bigint, of: bigint] } = {
  weekly: [52n, 12n],
  monthly: [1n, 1n],
  quarterly: [1n, 3n],
  yearly: [1n, 12n],
};

/**
 * Converts an amount per interval to an amount per month, rounded once (MET-4). If the interval is `null`,
 * the amount is per month.
 */
export function monthly(rate: bigint, interval: RecurringInterval | null): bigint {
  const [times, of] = factors[interval ?? 'monthly'];
  return divideRounded(rate * times, of);
}

/** Current seats and quota of the subscription, and the subscription's add-on activations. */
export type RecurringUse = {
  readonly countOf: (featureId: string) => bigint;
  readonly addons: readonly Pick<AddonActivationRow, 'id' | 'status'>[];
};

/** Returns the revenue components for the current usage, each rounded once (MET-4). */
export function componentsOf(terms: RecurringTerms, currency: string, use: RecurringUse): MrrComponents {
  const { interval, units, addons } = terms;
  const ofMinor = (minor: bigint): bigint => monthly(minorToRate(minor, currency), interval);
  const priceOf = ({ featureId, included, rates }: RecurringUnits): bigint =>
    roundedTo(
      heldAmount(
        rates.flatMap((rate) => storedRate(rate)),
        maxOf(0n, use.countOf(featureId) - BigInt(included)),
      ),
      rateScale,
    );
  const ofUnits = (type: RecurringUnits['type']): bigint =>
    monthly(
      units.reduce((sum, one) => (one.type === type ? sum + priceOf(one) : sum), 0n),
      interval,
    );
  const charged = use.addons.reduce(
    (sum, { id, status }) => (status === 'active' ? sum + BigInt(addons[id] ?? 0) : sum),
    0n,
  );
  return {
    base: ofMinor(BigInt(terms.base)),
    discount: ofMinor(-BigInt(terms.discount)),
    seats: ofUnits('seats'),
    quota: ofUnits('quota'),
    addons: ofMinor(charged),
  };
}

/** Returns the MRR: the unrounded sum of the components. */
export const mrrOf = (components: StoredComponents | null): bigint =>
  components === null ? 0n : componentNames.reduce((sum, name) => sum + BigInt(components[name]), 0n);

/** Fields of a subscription that determine its recurring revenue. */
export type RecurringSubscription = Pick<
  SubscriptionRow,
  'status' | 'activatedAt' | 'recurring' | 'planId' | 'billingInterval' | 'provider' | 'currency'
>;

/**
 * Returns true if a subscription has recurring revenue: it's active or past due, and was activated (MET-3).
 */
export const counts = ({ status, activatedAt }: Pick<SubscriptionRow, 'status' | 'activatedAt'>): boolean =>
  (status === 'active' || status === 'past_due') && activatedAt !== null;

/**
 * Returns the monthly recurring revenue of a subscription. `null` if the subscription has no recurring
 * revenue (MET-3).
 */
export function recurringState(
  subscription: RecurringSubscription,
  country: string | null,
  use: RecurringUse,
): MrrState | null {
  const { recurring, planId, billingInterval: interval, provider, currency, status } = subscription;
  if (recurring === null || !counts(subscription)) return null;
  const components = componentsOf(recurring, currency, use);
  return {
    base: String(components.base),
    discount: String(components.discount),
    seats: String(components.seats),
    quota: String(components.quota),
    addons: String(components.addons),
    planId,
    interval,
    country,
    provider,
    currency,
    isPastDue: status === 'past_due',
  };
}

const hasAmounts = (state: MrrState | null): boolean =>
  state !== null && componentNames.some((name) => state[name] !== '0');

const grouping = ['planId', 'interval', 'provider', 'currency', 'isPastDue'] as const;

/**
 * Returns true if two states differ in an amount or grouping dimension. Ignores a country change, which is
 * recorded with the next change.
 */
export function differs(before: MrrState | null, after: MrrState | null): boolean {
  if (!hasAmounts(before) && !hasAmounts(after)) return false;
  if (before === null || after === null) return true;
  return [...componentNames, ...grouping].some((name) => before[name] !== after[name]);
}

/** State of a subscription before and after a decision, which determines the reason for a change. */
export type ReasonDetails = {
  readonly before: Pick<SubscriptionRow, 'status' | 'activatedAt' | 'trialEndsAt' | 'recurring'> | null;
  readonly after: Pick<SubscriptionRow, 'cancelReason'> & { readonly isFree: boolean };
};

const endings: { readonly [cancelReason: string]: MrrReason } = {
  dunning_exhausted: 'dunning_exhausted',
  refund: 'refunded',
  customer_deleted: 'customer_deleted',
};

function beginning({ before }: ReasonDetails): MrrReason {
  if (before === null) return 'activated';
  if (counts(before) && before.recurring === null) return 'opening';
  if (before.status === 'canceled') return 'reactivated';
  return before.trialEndsAt === null ? 'activated' : 'trial_converted';
}

/**
 * Returns the reason for a change in amounts. Changes by offers take precedence over price changes, and price changes
 * over changes in seats and quota.
 */
function amountReason(before: MrrState, after: MrrState): MrrReason | null {
  const [was, is] = [BigInt(before.discount), BigInt(after.discount)];
  const isProportional = BigInt(before.base) * is === BigInt(after.base) * was;
  if (was !== is && !(isProportional && before.base !== after.base)) {
    if (is >= was) return 'discount_ended';
    return mrrOf(after) === 0n ? 'fully_discounted' : 'discount_started';
  }
  if (before.base !== after.base) return 'price_changed';
  return (['seats', 'quota', 'addons'] as const).find((name) => before[name] !== after[name]) ?? null;
}

/** Returns the reason for a revenue change (MET-12). The states must differ. */
export function reasonFor(
  before: MrrState | null,
  after: MrrState | null,
  details: ReasonDetails,
): MrrReason {
  if (after === null) return endings[details.after.cancelReason ?? ''] ?? 'canceled';
  if (before === null) return beginning(details);
  if (before.planId !== after.planId) return details.after.isFree ? 'downgraded_to_free' : 'plan_changed';
  if (before.interval !== after.interval) return 'interval_changed';
  const reason = amountReason(before, after);
  if (reason !== null) return reason;
  if (before.isPastDue !== after.isPastDue) return after.isPastDue ? 'past_due' : 'recovered';
  return 'price_changed';
}

/**
 * Merges the entries of two consecutive decisions, with at most one entry per subscription. Drops an entry
 * if the second decision reverts the first, as in a renewal that changes nothing.
 */
export function mergeEntries(
  first: readonly MrrEntryRow[],
  second: readonly MrrEntryRow[],
): readonly MrrEntryRow[] {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  const bySubscription = new Map(first.map((entry) => [entry.subscriptionId, entry]));
  for (const entry of second) {
    const earlier = bySubscription.get(entry.subscriptionId);
    const merged = earlier === undefined ? entry : { ...entry, before: earlier.before };
    if (differs(merged.before, merged.after)) bySubscription.set(entry.subscriptionId, merged);
    else bySubscription.delete(entry.subscriptionId);
  }
  return [...bySubscription.values()];
}
