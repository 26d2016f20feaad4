// Monthly recurring revenue of one subscription (MET-3 to MET-6), from what its running period charges and what it has now.
import type { RecurringInterval } from '../enums.ts';
import { divideRounded, maxOf, minorToRate } from '../money.ts';
import type {
  MrrEntryRow,
  MrrReason,
  MrrState,
  RecurringTerms,
  RecurringUnits,
  StoredComponents,
} from '../subscription/state/recurring-rows.ts';
import type { AddonActivationRow, SubscriptionRow } from '../subscription/state/rows.ts';

/** The parts of monthly recurring revenue, in the order they are shown. */
export const componentNames = ['base', 'discount', 'seats', 'quota', 'addons'] as const;

/** Monthly recurring revenue by its parts, rate units; `discount` is at most 0. */
export type MrrComponents = { readonly [N in (typeof componentNames)[number]]: bigint };

/** How many months' worth an interval charges, as a fraction: 52 weeks are 12 months. */
const factors: { readonly [I in RecurringInterval]: readonly [times: bigint, of: bigint] } = {
  weekly: [52n, 12n],
  monthly: [1n, 1n],
  quarterly: [1n, 3n],
  yearly: [1n, 12n],
};

/** An amount charged every interval as one a month, rounded once (MET-4). A null interval is a month. */
export function monthly(rate: bigint, interval: RecurringInterval | null): bigint {
  const [times, of] = factors[interval ?? 'monthly'];
  return divideRounded(rate * times, of);
}

/** What counts of what a subscription has now: how many units of a feature, and which activations of add-ons. */
export type RecurringUse = {
  readonly countOf: (featureId: string) => bigint;
  readonly addons: readonly Pick<AddonActivationRow, 'id' | 'status'>[];
};

/** The components of terms for what is in use now, each rounded once (MET-4). */
export function componentsOf(terms: RecurringTerms, currency: string, use: RecurringUse): MrrComponents {
  const { interval, units, addons } = terms;
  const ofMinor = (minor: bigint): bigint => monthly(minorToRate(minor, currency), interval);
  const excessOf = ({ featureId, included, rate }: RecurringUnits): bigint =>
    maxOf(0n, use.countOf(featureId) - BigInt(included)) * BigInt(rate);
  const ofUnits = (type: RecurringUnits['type']): bigint =>
    monthly(
      units.reduce((sum, one) => (one.type === type ? sum + excessOf(one) : sum), 0n),
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

/** The components as they are added up: their sum is never rounded again. */
export const mrrOf = (components: StoredComponents | null): bigint =>
  components === null ? 0n : componentNames.reduce((sum, name) => sum + BigInt(components[name]), 0n);

/** The fields of a subscription its revenue follows from. */
export type RecurringSubscription = Pick<
  SubscriptionRow,
  'status' | 'activatedAt' | 'recurring' | 'planId' | 'billingInterval' | 'provider' | 'currency'
>;

/** Whether a subscription counts: in force, and once activated (MET-3). */
export const counts = ({ status, activatedAt }: Pick<SubscriptionRow, 'status' | 'activatedAt'>): boolean =>
  (status === 'active' || status === 'past_due') && activatedAt !== null;

/** The monthly recurring revenue of a subscription; null where it does not count (MET-3). */
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

/** Whether two states differ in what is added up or in what it is grouped by. A country that changed alone counts from the next change on. */
export function differs(before: MrrState | null, after: MrrState | null): boolean {
  if (!hasAmounts(before) && !hasAmounts(after)) return false;
  if (before === null || after === null) return true;
  return [...componentNames, ...grouping].some((name) => before[name] !== after[name]);
}

/** What a reason is found by: a subscription before and after a decision. */
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

/** Which of the amounts that differ gives the reason: an offer before a price, and both before counts. */
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

/** Why revenue changed (MET-12). The states differ. */
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
 * Entries of two decisions made one after the other: those of one subscription become one, and none where what came first was undone. A renewal
 * that changes nothing leaves nothing.
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
