// What the windows and periods of a subscription do to its pools and counts: they begin with what is included, and end with what is to be
// billed (BIL-6 steps 1, 3 and 8, BIL-9).

import { activationFor } from '../consumption/addon-terms.ts';
import { noCount, openPeriod, reachesLimit } from '../consumption/counts.ts';
import { creditsExpired, creditsGranted, seatsLimitReached, seatsUpdated } from '../consumption/event-data.ts';
import { heldIncluded } from '../consumption/included.ts';
import type { GrantView } from '../consumption/plan-grant-terms.ts';
import { grantRaise, type Movement, resetBalance, resetCredits } from '../consumption/pools.ts';
import type { ConsumptionAccountRow, FeatureCountRow } from '../consumption/rows.ts';
import { activeAddons, addonUsageTerms, type HoldingFacts, heldFeatureIds, heldUsageTerms, type UsageTerms } from '../consumption/terms.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { planOf } from './lookup.ts';
import { boundOf } from './periods.ts';
import type { AddonActivationRow, FeatureAmounts, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Gives a new subscription its account, empty until its first window opens. */
export function addAccount(work: Work, { id, customerId }: SubscriptionRow): void {
  work.accounts.add({
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
    updatedAt: work.now,
  });
}

/** The account of a subscription. Throws when it has none, which its creation rules out. */
export function accountOf(work: Work, { id }: SubscriptionRow): ConsumptionAccountRow {
  const account = work.accounts.find(id);
  if (account === null) throw new Error(`The subscription ${id} has no account.`);
  return account;
}

/** What moved the pools, beside the amounts. */
export type MovementFacts = { readonly sourceId: string | null; readonly description: string | null };

/** Writes the account after a movement and the entries that make it (CON-58); nothing when nothing moved. */
export function moveAccount(work: Work, subscription: SubscriptionRow, movement: Movement, { sourceId, description }: MovementFacts): void {
  if (movement.account === accountOf(work, subscription)) return;
  work.accounts.put({ ...movement.account, updatedAt: work.now });
  for (const entry of movement.entries) {
    work.entries.push({
      ...entry,
      id: work.newId('bal'),
      seq: null,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
      featureId: null,
      sourceId,
      description,
      windowStart: boundOf(subscription, subscription.windowStart),
      occurredAt: work.now,
    });
  }
}

const byHand: MovementFacts = { sourceId: null, description: null };

/** The account with what was included beyond the grant since the window opened (CAT-49), worked out and not written. */
export function raisedAccount(work: Work, subscription: SubscriptionRow): Movement {
  const { consumptionModel } = planOf(work, subscription);
  return grantRaise(accountOf(work, subscription), consumptionModel, heldIncluded(work.aggregate.catalog, subscription, work.dueAt));
}

/** Writes that account: before anything else is decided about the pools. */
export function applyRaise(work: Work, subscription: SubscriptionRow): ConsumptionAccountRow {
  moveAccount(work, subscription, raisedAccount(work, subscription), byHand);
  return accountOf(work, subscription);
}

/**
 * Opens the pools of a window that begins (CON-19, CON-24). The first window of all grants without a word; later ones tell of credits that
 * were left and of those granted. `settledRate` is the balance an invoice has billed, where more may have moved it since.
 */
export function resetPools(work: Work, subscription: SubscriptionRow, isFirst: boolean, settledRate?: bigint): void {
  const { consumptionModel } = planOf(work, subscription);
  if (consumptionModel === 'metered') return;
  const included = heldIncluded(work.aggregate.catalog, subscription, work.dueAt);
  const account = accountOf(work, subscription);
  const facts = { sourceId: `window:${boundOf(subscription, subscription.windowStart).toISOString()}`, description: null };
  if (consumptionModel === 'balance') {
    moveAccount(work, subscription, resetBalance(account, included.balanceRate, isFirst, settledRate), facts);
    return;
  }
  const reset = resetCredits(account, included.credits, isFirst);
  moveAccount(work, subscription, reset, facts);
  if (isFirst) return;
  const consumer = { customer: work.customer, subscription };
  if (reset.expiredCredits > 0n) work.emit(creditsExpired(consumer, reset.expiredCredits));
  if (included.credits > 0n) work.emit(creditsGranted(consumer, included.credits, 'period_reset'));
}

/** A countable feature of a subscription's plan, the terms it is held at, and how many the customer holds. */
export type HeldCount = { readonly feature: FeatureRow; readonly terms: UsageTerms; readonly count: FeatureCountRow };

/** What decides about the terms a subscription holds. */
type TermsView = Pick<SubscriptionRow, 'id' | 'seq' | 'planId' | 'status' | 'currency' | 'termsFrom'> & GrantView;

/** The add-ons of a subscription as they stand: those active, and those that ended in the open billing period. */
export const addonsOf = (work: Work, { id }: Pick<SubscriptionRow, 'id'>): AddonActivationRow[] =>
  work.addons.all().filter(({ subscriptionId }) => subscriptionId === id);

/** What decides about the terms a subscription holds, as it stands. */
export const holdingOf = (work: Work, subscription: TermsView): HoldingFacts => ({
  plan: planOf(work, subscription),
  subscription,
  addons: addonsOf(work, subscription),
});

/** The terms of a feature of the subscription's plan and add-ons at the due instant; null where neither contains it. */
export const termsOf = (work: Work, subscription: TermsView, feature: FeatureRow): UsageTerms | null =>
  heldUsageTerms(work.aggregate.catalog, holdingOf(work, subscription), feature, work.dueAt);

/**
 * The terms a feature is billed at when its period ends: those held, or those of an add-on that ended in it (SUB-73). Null where it was never
 * held; `activation` is the one behind the terms, null for the plan.
 */
export function billedTerms(
  work: Work,
  subscription: TermsView,
  feature: FeatureRow,
): { readonly terms: UsageTerms; readonly activation: AddonActivationRow | null } | null {
  const { catalog } = work.aggregate;
  const facts = holdingOf(work, subscription);
  const terms = heldUsageTerms(catalog, facts, feature, work.dueAt);
  if (terms !== null) return { terms, activation: activationFor(catalog, activeAddons(facts.addons), feature.id) };
  const activation = activationFor(catalog, facts.addons, feature.id);
  return activation === null ? null : { terms: addonUsageTerms(catalog, facts, activation, work.dueAt), activation };
}

/** Whether a feature has a count that customers hold. */
export const isCountable = ({ type }: FeatureRow): boolean => type === 'seats' || type === 'quota';

type FindTerms = (work: Work, subscription: TermsView, feature: FeatureRow) => UsageTerms | null;

/**
 * The seats and quota features of plan and add-ons in order of their codes, with the counts in force; 0 where there never was one. Those held,
 * unless other terms are asked for.
 */
export function heldCounts(work: Work, subscription: TermsView, findTerms: FindTerms = termsOf): HeldCount[] {
  const { catalog } = work.aggregate;
  return [...heldFeatureIds(catalog, subscription, addonsOf(work, subscription))]
    .flatMap((featureId): HeldCount[] => {
      const feature = catalog.features.get(featureId);
      if (feature === undefined || !isCountable(feature)) return [];
      const terms = findTerms(work, subscription, feature);
      return terms === null ? [] : [{ feature, terms, count: countOf(work, feature) }];
    })
    .sort((a, b) => (a.feature.code < b.feature.code ? -1 : 1));
}

/** The count a customer holds of a feature; 0 when it never held any (CON-51). */
export const countOf = (work: Work, feature: FeatureRow): FeatureCountRow =>
  work.counts.find(`${work.customer.id}:${feature.id}`) ?? noCount(work.customer.id, feature.id, work.now);

/** Writes a count, new or changed. */
export function putCount(work: Work, count: FeatureCountRow): void {
  if (count.seq === null && work.counts.find(count.id) === null) work.counts.add(count);
  else work.counts.put(count);
}

/** A count whose feature the plan may have lost, and then has no terms. */
type StoredCount = Omit<HeldCount, 'terms'> & { readonly terms: UsageTerms | null };

/** Tells that seats in force changed, and when they reach what is included (CON-47). */
export function tellSeats(work: Work, subscription: SubscriptionRow, { feature, terms, count }: StoredCount, before: bigint): void {
  if (feature.type !== 'seats' || count.count === before) return;
  const consumer = { customer: work.customer, subscription };
  for (const event of seatsUpdated(consumer, feature, before, count.count)) work.emit(event);
  if (terms !== null && reachesLimit(terms, before, count.count)) work.emit(seatsLimitReached(consumer, feature, terms, count.count));
}

/** Counts of features the plan once contained: should it contain them again, nothing of the time before must be billed. */
function lostCounts(work: Work, held: readonly HeldCount[]): StoredCount[] {
  const heldIds = new Set(held.map(({ count }) => count.id));
  return work.counts.all().flatMap((count): StoredCount[] => {
    const feature = work.aggregate.catalog.features.get(count.featureId);
    return feature === undefined || heldIds.has(count.id) ? [] : [{ feature, terms: null, count }];
  });
}

/**
 * Begins a billing period of the counts: seats that were to leave are gone, the high-water mark starts again (CON-42, CON-45). `billed` are the
 * counts an invoice has charged for it, where more may have come since.
 */
export function openCounts(work: Work, subscription: SubscriptionRow, billed: FeatureAmounts = {}): void {
  const held = heldCounts(work, subscription);
  for (const stored of [...held, ...lostCounts(work, held)]) {
    const { count } = stored;
    const charged = billed[count.featureId];
    const opened = openPeriod(count, work.now, charged === undefined ? undefined : BigInt(charged));
    const { pendingRemovals, steps, openingCount } = count;
    if (pendingRemovals === 0n && steps.length + opened.steps.length === 0 && openingCount === opened.openingCount) continue;
    putCount(work, opened);
    tellSeats(work, subscription, { ...stored, count: opened }, count.count);
  }
}

/** The count of seats a subscription begins with: those chosen at creation, else those the customer holds already (SUB-13, CON-34). */
export const initialCount = (subscription: Pick<SubscriptionRow, 'initialSeats'>, { feature, count }: HeldCount): bigint =>
  feature.type === 'seats' && Object.hasOwn(subscription.initialSeats, feature.code)
    ? BigInt(subscription.initialSeats[feature.code] ?? 0)
    : count.count - count.pendingRemovals;

/** Puts the seats chosen at creation in force, and opens the counts' first period (SUB-13). Tells nothing: the activation does. */
export function beginCounts(work: Work, subscription: SubscriptionRow): void {
  for (const held of heldCounts(work, subscription)) {
    const value = initialCount(subscription, held);
    const { count } = held;
    if (count.seq === null && value === 0n) continue;
    putCount(work, { ...openPeriod(count, work.now), count: value, openingCount: value });
  }
}
