// What the windows and periods of a subscription do to its pools and counts: they begin with what is
// included, and end with what is to be billed (BIL-6 steps 1, 3 and 8, BIL-9).

import type { FeatureRow } from '../../pricing/catalog.ts';
import { activationFor } from '../../usage/addon-terms.ts';
import { noCount, openPeriod, reachesLimit } from '../../usage/counts.ts';
import { creditsExpired, creditsGranted, seatsLimitReached, seatsUpdated } from '../../usage/event-data.ts';
import { heldIncluded } from '../../usage/included.ts';
import type { GrantView } from '../../usage/plan-grant-terms.ts';
import { grantRaise, type Movement, resetBalance, resetCredits } from '../../usage/pools.ts';
import type { ConsumptionAccountRow, FeatureCountRow } from '../../usage/rows.ts';
import {
  activeAddons,
  addonUsageTerms,
  type HoldingDetails,
  heldFeatureIds,
  heldUsageTerms,
  type UsageTerms,
} from '../../usage/terms.ts';
import { planOf } from '../pricing/lookup.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import type { AddonActivationRow, FeatureAmounts, SubscriptionRow } from '../state/rows.ts';

/** Gives a new subscription its account, empty until its first window opens. */
export function addAccount(draft: Draft, { id, customerId }: SubscriptionRow): void {
  draft.accounts.add({
    id,
    seq: null,
    customerId,
    planCredits: 0n,
    purchasedCredits: 0n,
    balanceRate: 0n,
    grantedCredits: 0n,
    grantedRate: 0n,
    isLowSent: false,
    lastRefillRate: 0n,
    updatedAt: draft.now,
  });
}

/** The account of a subscription. Throws when it has none, which its creation rules out. */
export function accountOf(draft: Draft, { id }: SubscriptionRow): ConsumptionAccountRow {
  const account = draft.accounts.find(id);
  if (account === null) throw new Error(`The subscription ${id} has no account.`);
  return account;
}

/** What moved the pools, beside the amounts. */
export type MovementDetails = { readonly sourceId: string | null; readonly description: string | null };

/** Writes the account after a movement, and its entries (CON-58). Does nothing when nothing moved. */
export function moveAccount(
  draft: Draft,
  subscription: SubscriptionRow,
  movement: Movement,
  { sourceId, description }: MovementDetails,
): void {
  if (movement.account === accountOf(draft, subscription)) return;
  draft.accounts.patch(subscription.id, { ...movement.account, updatedAt: draft.now });
  for (const entry of movement.entries) {
    draft.entries.push({
      ...entry,
      id: draft.newId('bal'),
      seq: null,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
      featureId: null,
      sourceId,
      description,
      windowStart: boundOf(subscription, subscription.windowStart),
      occurredAt: draft.now,
    });
  }
}

const manual: MovementDetails = { sourceId: null, description: null };

/**
 * The account with what was included beyond the grant since the window opened (CAT-49), computed, not
 * written.
 */
export function raisedAccount(draft: Draft, subscription: SubscriptionRow): Movement {
  const { consumptionModel } = planOf(draft, subscription);
  return grantRaise(
    accountOf(draft, subscription),
    consumptionModel,
    heldIncluded(draft.aggregate.catalog, subscription, draft.dueAt),
  );
}

/** Writes the raised account, before anything else is decided about the pools. */
export function applyRaise(draft: Draft, subscription: SubscriptionRow): ConsumptionAccountRow {
  moveAccount(draft, subscription, raisedAccount(draft, subscription), manual);
  return accountOf(draft, subscription);
}

/**
 * Opens the pools of a window that begins (CON-19, CON-24). The very first window emits no events; later ones
 * emit the credits that expire and those granted. `settledRate` is the balance an invoice has billed, where
 * more may have moved it since.
 */
export function resetPools(
  draft: Draft,
  subscription: SubscriptionRow,
  isFirst: boolean,
  settledRate?: bigint,
): void {
  const { consumptionModel } = planOf(draft, subscription);
  if (consumptionModel === 'metered') return;
  const included = heldIncluded(draft.aggregate.catalog, subscription, draft.dueAt);
  const account = accountOf(draft, subscription);
  const details = {
    sourceId: `window:${boundOf(subscription, subscription.windowStart).toISOString()}`,
    description: null,
  };
  if (consumptionModel === 'balance') {
    moveAccount(
      draft,
      subscription,
      resetBalance(account, included.balanceRate, isFirst, settledRate),
      details,
    );
    return;
  }
  const reset = resetCredits(account, included.credits, isFirst);
  moveAccount(draft, subscription, reset, details);
  if (isFirst) return;
  const consumer = { customer: draft.customer, subscription };
  if (reset.expiredCredits > 0n) draft.emit(creditsExpired(consumer, reset.expiredCredits));
  if (included.credits > 0n) draft.emit(creditsGranted(consumer, included.credits, 'period_reset'));
}

/** A countable feature of a subscription's plan, the terms it is held at, and how many the customer holds. */
export type HeldCount = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly count: FeatureCountRow;
};

/** What decides about the terms a subscription holds. */
type TermsView = Pick<SubscriptionRow, 'id' | 'seq' | 'planId' | 'status' | 'currency' | 'termsFrom'> &
  GrantView;

/**
 * The add-ons of a subscription as they stand: those active, and those that ended in the open billing period.
 */
export const addonsOf = (draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): AddonActivationRow[] =>
  draft.addons.all().filter(({ subscriptionId }) => subscriptionId === id);

/** What decides about the terms a subscription holds, as it stands. */
export const holdingOf = (draft: Draft, subscription: TermsView): HoldingDetails => ({
  plan: planOf(draft, subscription),
  subscription,
  addons: addonsOf(draft, subscription),
});

/**
 * The terms of a feature of the subscription's plan and add-ons at the due instant; null where neither
 * contains it.
 */
export const termsOf = (draft: Draft, subscription: TermsView, feature: FeatureRow): UsageTerms | null =>
  heldUsageTerms(draft.aggregate.catalog, holdingOf(draft, subscription), feature, draft.dueAt);

/**
 * The terms a feature is billed at when its period ends: those held, or those of an add-on that ended in it
 * (SUB-73). Null where it was never held; `activation` is the one behind the terms, null for the plan.
 */
export function billedTerms(
  draft: Draft,
  subscription: TermsView,
  feature: FeatureRow,
): { readonly terms: UsageTerms; readonly activation: AddonActivationRow | null } | null {
  const { catalog } = draft.aggregate;
  const details = holdingOf(draft, subscription);
  const terms = heldUsageTerms(catalog, details, feature, draft.dueAt);
  if (terms !== null)
    return { terms, activation: activationFor(catalog, activeAddons(details.addons), feature.id) };
  const activation = activationFor(catalog, details.addons, feature.id);
  return activation === null
    ? null
    : { terms: addonUsageTerms(catalog, details, activation, draft.dueAt), activation };
}

/** Whether a feature has a count that customers hold. */
export const isCountable = ({ type }: FeatureRow): boolean => type === 'seats' || type === 'quota';

type FindTerms = (draft: Draft, subscription: TermsView, feature: FeatureRow) => UsageTerms | null;

/**
 * The seats and quota features of plan and add-ons in order of their codes, with the counts in force; 0 where
 * there never was one. Terms default to those held.
 */
export function heldCounts(
  draft: Draft,
  subscription: TermsView,
  findTerms: FindTerms = termsOf,
): HeldCount[] {
  const { catalog } = draft.aggregate;
  return [...heldFeatureIds(catalog, subscription, addonsOf(draft, subscription))]
    .flatMap((featureId): HeldCount[] => {
      const feature = catalog.features.get(featureId);
      if (feature === undefined || !isCountable(feature)) return [];
      const terms = findTerms(draft, subscription, feature);
      return terms === null ? [] : [{ feature, terms, count: countOf(draft, feature) }];
    })
    .sort((a, b) => (a.feature.code < b.feature.code ? -1 : 1));
}

/** The count a customer holds of a feature; 0 when it never held any (CON-51). */
export const countOf = (draft: Draft, feature: FeatureRow): FeatureCountRow =>
  draft.counts.find(`${draft.customer.id}:${feature.id}`) ??
  noCount(draft.customer.id, feature.id, draft.now);

/** Writes a count, new or changed. */
export function putCount(draft: Draft, count: FeatureCountRow): void {
  if (count.seq === null && draft.counts.find(count.id) === null) draft.counts.add(count);
  else draft.counts.patch(count.id, count);
}

/** A count whose feature the plan may have lost, and then has no terms. */
type StoredCount = Omit<HeldCount, 'terms'> & { readonly terms: UsageTerms | null };

/** Emits `seats.updated`, and `seats.limit_reached` when the seats reach the included ones (CON-47). */
export function emitSeats(
  draft: Draft,
  subscription: SubscriptionRow,
  { feature, terms, count }: StoredCount,
  before: bigint,
): void {
  if (feature.type !== 'seats' || count.count === before) return;
  const consumer = { customer: draft.customer, subscription };
  for (const event of seatsUpdated(consumer, feature, before, count.count)) draft.emit(event);
  if (terms !== null && reachesLimit(terms, before, count.count))
    draft.emit(seatsLimitReached(consumer, feature, terms, count.count));
}

/**
 * Counts of features the plan once contained: should it contain them again, nothing of the time before must
 * be billed.
 */
function lostCounts(draft: Draft, held: readonly HeldCount[]): StoredCount[] {
  const heldIds = new Set(held.map(({ count }) => count.id));
  return draft.counts.all().flatMap((count): StoredCount[] => {
    const feature = draft.aggregate.catalog.features.get(count.featureId);
    return feature === undefined || heldIds.has(count.id) ? [] : [{ feature, terms: null, count }];
  });
}

/**
 * Begins a billing period of the counts: seats that were to leave are gone, the high-water mark starts again
 * (CON-42, CON-45). `billed` are the counts an invoice has charged for it, where more may have come since.
 */
export function openCounts(draft: Draft, subscription: SubscriptionRow, billed: FeatureAmounts = {}): void {
  const held = heldCounts(draft, subscription);
  for (const stored of [...held, ...lostCounts(draft, held)]) {
    const { count } = stored;
    const charged = billed[count.featureId];
    const opened = openPeriod(count, draft.now, charged === undefined ? undefined : BigInt(charged));
    const { pendingRemovals, steps, openingCount } = count;
    if (
      pendingRemovals === 0n &&
      steps.length + opened.steps.length === 0 &&
      openingCount === opened.openingCount
    )
      continue;
    putCount(draft, opened);
    emitSeats(draft, subscription, { ...stored, count: opened }, count.count);
  }
}

/**
 * The count of seats a subscription begins with: those chosen at creation, else those the customer holds
 * already (SUB-13, CON-34).
 */
export const initialCount = (
  subscription: Pick<SubscriptionRow, 'initialSeats'>,
  { feature, count }: HeldCount,
): bigint =>
  feature.type === 'seats' && Object.hasOwn(subscription.initialSeats, feature.code)
    ? BigInt(subscription.initialSeats[feature.code] ?? 0)
    : count.count - count.pendingRemovals;

/**
 * Puts the seats chosen at creation in force, and opens the counts' first period (SUB-13). Emits nothing: the
 * activation does.
 */
export function beginCounts(draft: Draft, subscription: SubscriptionRow): void {
  for (const held of heldCounts(draft, subscription)) {
    const value = initialCount(subscription, held);
    const { count } = held;
    if (count.seq === null && value === 0n) continue;
    putCount(draft, { ...openPeriod(count, draft.now), count: value, openingCount: value });
  }
}
