// Records how a decision changes monthly recurring revenue (MET-70).

import { counts, differs, mrrOf, reasonFor, recurringState } from '../../metrics/recurring.ts';
import { leadRate } from '../../rates/card.ts';
import { canCharge } from '../../rates/held.ts';
import { rateDocument } from '../../rates/rate.ts';
import type { RecurringInterval } from '../../rows/enums.ts';
import { recompute } from '../../rows/explanation.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { MrrState, RecurringTerms, RecurringUnits, SubscriptionRow } from '../../rows/rows.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { withoutGrant } from '../../usage/plan-grant-terms.ts';
import { activeAddons } from '../../usage/terms.ts';
import { addonPrice } from '../allowances/addon-bases.ts';
import { addonsOf, heldCounts } from '../allowances/allowance.ts';
import { cadenceAt } from '../pricing/cadence.ts';
import { planOf } from '../pricing/lookup.ts';
import { isRecurring } from '../schedule/periods.ts';
import type { Aggregate, Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Returns the charge interval of a period. `null` if the plan is free or one-time, because these plans are
 * charged per usage window.
 */
function intervalOf(draft: Draft, subscription: SubscriptionRow): RecurringInterval | null {
  const { billingInterval } = subscription;
  if (!isRecurring(subscription) || billingInterval === null || billingInterval === 'one_time') return null;
  return (
    cadenceAt(draft, subscription, boundOf(subscription, subscription.periodStart)).interval ??
    billingInterval
  );
}

/** Returns the seats and quota features with overage pricing. Excludes access from a plan grant. */
function unitsOf(draft: Draft, subscription: SubscriptionRow): RecurringUnits[] {
  const view = withoutGrant({ ...subscription, status: 'active' as const });
  return heldCounts(draft, view).flatMap(({ feature, terms }): RecurringUnits[] => {
    const { enabled, unlimited, allowsOverage, rates } = terms;
    if (!enabled || unlimited || !allowsOverage || rates === null || !canCharge(rates)) return [];
    const type = feature.type === 'seats' ? 'seats' : 'quota';
    return [
      {
        featureId: feature.id,
        type,
        included: String(terms.includedAmount),
        rates: rates.map((list) => rateDocument(leadRate(list))),
      },
    ];
  });
}

/**
 * Returns the full prices of the active add-ons by activation ID. Reuses known prices and looks up the
 * current prices of new add-ons.
 */
function addonsAt(
  draft: Draft,
  subscription: SubscriptionRow,
  known: RecurringTerms['addons'],
): RecurringTerms['addons'] {
  const { catalog } = draft.aggregate;
  return Object.fromEntries(
    activeAddons(addonsOf(draft, subscription)).map(({ id, addonId }) => {
      const price =
        known[id] === undefined ? addonPrice(draft, subscription, addonById(catalog, addonId)) : null;
      return [id, known[id] ?? String(price === null ? 0n : recompute(price))];
    }),
  );
}

/** Returns the recurring terms of a newly opened period. */
function openedTerms(draft: Draft, subscription: SubscriptionRow): RecurringTerms {
  const interval = intervalOf(draft, subscription);
  const { listBaseMinor, effectiveBaseMinor } = subscription;
  return {
    interval,
    base: String(interval === null ? 0n : listBaseMinor),
    discount: String(interval === null ? 0n : listBaseMinor - effectiveBaseMinor),
    units: unitsOf(draft, subscription),
    addons: addonsAt(draft, subscription, {}),
  };
}

/** Returns the terms of the current period plus the add-ons and features that were added during the period. */
function extendedTerms(draft: Draft, subscription: SubscriptionRow, terms: RecurringTerms): RecurringTerms {
  const known = new Set(terms.units.map(({ featureId }) => featureId));
  const own = addonsOf(draft, subscription);
  const byAddon = new Set(
    own
      .filter(({ id }) => draft.addons.changes.has(id))
      .map(({ addonId }) => addonById(draft.aggregate.catalog, addonId).featureId),
  );
  const current = unitsOf(draft, subscription);
  const isNew = ({ featureId }: RecurringUnits): boolean => byAddon.has(featureId) || !known.has(featureId);
  return {
    ...terms,
    units: [...terms.units.filter(({ featureId }) => !byAddon.has(featureId)), ...current.filter(isNew)],
    addons: addonsAt(draft, subscription, terms.addons),
  };
}

const isRunning = (subscription: SubscriptionRow, at: Date): boolean =>
  subscription.status === 'active' ||
  subscription.status === 'past_due' ||
  (subscription.status === 'trialing' && subscription.trialEndsAt !== null && subscription.trialEndsAt <= at);

function termsAfter(
  draft: Draft,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
): RecurringTerms | null {
  if (!isRunning(after, draft.dueAt) || after.periodStart === null) return after.recurring;
  const hasOpened =
    after.recurring === null ||
    before === null ||
    before.status === 'canceled' ||
    before.periodStart?.getTime() !== after.periodStart.getTime() ||
    before.planId !== after.planId ||
    before.priceId !== after.priceId;
  if (hasOpened) return openedTerms(draft, after);
  if (draft.counts.changes.size === 0 && draft.addons.changes.size === 0) return after.recurring;
  return after.recurring === null ? null : extendedTerms(draft, after, after.recurring);
}

const stateIn = (
  { customer, counts: held, addons }: Pick<Aggregate, 'customer' | 'counts' | 'addons'>,
  subscription: SubscriptionRow,
): MrrState | null =>
  recurringState(subscription, customer.country, {
    countOf: (featureId) => held.find((one) => one.featureId === featureId)?.count ?? 0n,
    addons: addons.filter(({ subscriptionId }) => subscriptionId === subscription.id),
  });

const isSame = (a: RecurringTerms | null, b: RecurringTerms | null): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

const fields = ['status', 'planId', 'billingInterval', 'provider', 'currency'] as const;

/**
 * Returns true if a decision can't have changed the recurring revenue. This is the case for most renewals,
 * and the caller then skips the computation.
 */
const isUntouched = (draft: Draft, before: SubscriptionRow | null, after: SubscriptionRow): boolean =>
  before !== null &&
  draft.counts.changes.size + draft.addons.changes.size === 0 &&
  before.recurring === after.recurring &&
  before.activatedAt?.getTime() === after.activatedAt?.getTime() &&
  fields.every((name) => before[name] === after[name]);

/**
 * Stores the recurring terms of a subscription if they changed, and adds an entry if the subscription's revenue
 * changed. Returns true if anything was written.
 */
function recordOne(draft: Draft, subscription: SubscriptionRow): boolean {
  const { aggregate } = draft;
  const before = draft.subscriptions.provided.find(({ id }) => id === subscription.id) ?? null;
  const recurring = termsAfter(draft, before, subscription);
  const isKept = isSame(recurring, subscription.recurring);
  const after = isKept ? subscription : draft.subscriptions.patch(subscription.id, { recurring });
  if (isUntouched(draft, before, after)) return false;
  const was = before === null ? null : stateIn(aggregate, before);
  const is = stateIn(
    { customer: draft.customer, counts: draft.counts.all(), addons: draft.addons.all() },
    after,
  );
  if (!differs(was, is)) return !isKept;
  draft.subscriptions.patch(after.id, { mrr: mrrOf(is) });
  const { cancelReason } = after;
  draft.mrrEntries.push({
    id: draft.newId('mrr'),
    seq: null,
    customerId: after.customerId,
    subscriptionId: after.id,
    reason: reasonFor(was, is, { before, after: { cancelReason, isFree: planOf(draft, after).isFree } }),
    before: was,
    after: is,
    occurredAt: draft.now,
    firstEvent: null,
    lastEvent: null,
    countedOn: null,
  });
  return true;
}

/**
 * Adds the recurring terms of new periods and the changes in monthly recurring revenue to a decision. Does nothing if
 * no subscription, seats or quota count, or add-on changed.
 */
export function recordRecurring(draft: Draft, decision: Decision): Decision {
  const { subscriptions, counts: held, addons } = draft;
  if (subscriptions.changes.size + held.changes.size + addons.changes.size === 0) return decision;
  const isTouched = (row: SubscriptionRow): boolean =>
    subscriptions.changes.has(row.id) || held.changes.size > 0 || addons.changes.size > 0;
  const written = draft.subscriptions
    .all()
    .filter((row) => isTouched(row) && (counts(row) || subscriptions.changes.has(row.id)))
    .map((row) => recordOne(draft, row));
  return written.includes(true) ? draft.finish(decision.outcome) : decision;
}
