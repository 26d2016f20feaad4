// What a decision did to the monthly recurring revenue of the customer's subscriptions (MET-70).
import type { RecurringInterval } from '../../enums.ts';
import { recompute } from '../../invoicing/explanation.ts';
import { counts, differs, reasonFor, recurringState } from '../../metrics/recurring.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { withoutGrant } from '../../usage/plan-grant-terms.ts';
import { activeAddons } from '../../usage/terms.ts';
import { addonPrice } from '../allowances/addon-bases.ts';
import { addonsOf, heldCounts } from '../allowances/allowance.ts';
import { cadenceAt } from '../pricing/cadence.ts';
import { planOf } from '../pricing/lookup.ts';
import { boundOf, isRecurring } from '../schedule/periods.ts';
import type { Aggregate, Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import type { MrrState, RecurringTerms, RecurringUnits, SubscriptionRow } from '../state/rows.ts';

/** The interval a period is charged in; null on free plans and those bought once, which charge by the window. */
function intervalOf(draft: Draft, subscription: SubscriptionRow): RecurringInterval | null {
  const { billingInterval } = subscription;
  if (!isRecurring(subscription) || billingInterval === null || billingInterval === 'one_time') return null;
  return (
    cadenceAt(draft, subscription, boundOf(subscription, subscription.periodStart)).interval ??
    billingInterval
  );
}

/** The countable features that are sold beyond what is included, without what a plan grant adds. */
function unitsOf(draft: Draft, subscription: SubscriptionRow): RecurringUnits[] {
  const view = withoutGrant({ ...subscription, status: 'active' as const });
  return heldCounts(draft, view).flatMap(({ feature, terms }): RecurringUnits[] => {
    const { enabled, unlimited, allowsOverage, unitPriceRate: rate } = terms;
    if (!enabled || unlimited || !allowsOverage || rate === null || rate === 0n) return [];
    const type = feature.type === 'seats' ? 'seats' : 'quota';
    return [{ featureId: feature.id, type, included: String(terms.includedAmount), rate: String(rate) }];
  });
}

/** The full prices of the active add-ons: those of `known`, and for others what they cost now. */
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

/** The recurring terms of a period that has just opened. */
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

/** The terms of the running period, with what was added since it opened: add-ons, and features that are counted now for the first time. */
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

/** The recurring terms of a subscription after a decision. */
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

/** Whether a decision left everything that revenue follows from as it was, as most renewals do. */
const isUntouched = (draft: Draft, before: SubscriptionRow | null, after: SubscriptionRow): boolean =>
  before !== null &&
  draft.counts.changes.size + draft.addons.changes.size === 0 &&
  before.recurring === after.recurring &&
  before.activatedAt?.getTime() === after.activatedAt?.getTime() &&
  fields.every((name) => before[name] === after[name]);

/** Keeps the terms of one subscription where they changed, and adds an entry where its revenue did. Answers whether anything was written. */
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
 * The decision with the recurring terms of periods it opened and the changes of monthly recurring revenue it led to. Costs nothing where it
 * changed neither subscriptions nor what they hold.
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
