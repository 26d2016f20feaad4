// Resets credits, balances, and seats and quota counts at the start of a usage window or billing period. Determines the amounts to bill at
// its end (BIL-6 steps 1, 3, and 8, BIL-9).

import { resolvedEvent, resolvedRow } from '../../limits/resolved.ts';
import { type Account, accountWith, lotContext, storedAccount } from '../../lots/account.ts';
import { resolveWatches } from '../../lots/falls.ts';
import { grantRaise } from '../../lots/movements.ts';
import type { Movement } from '../../lots/posting.ts';
import { resetPool } from '../../lots/reset.ts';
import type { FeatureRow, PlanRow } from '../../pricing/catalog.ts';
import { isCustom, type PlanPool, type Pool, planPool, poolsOf } from '../../pricing/pools.ts';
import { rolloverAt, rolloverEnds } from '../../pricing/rollover.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { AddonActivationRow, FeatureAmounts, SubscriptionRow } from '../../rows/rows.ts';
import type { FeatureCountRow } from '../../rows/usage-rows.ts';
import { activationFor } from '../../usage/addon-terms.ts';
import { noCount, openPeriod } from '../../usage/counts.ts';
import { creditsExpired, creditsGranted, lotEvent, seatsUpdated } from '../../usage/event-data.ts';
import { heldIncluded } from '../../usage/included.ts';
import type { GrantView } from '../../usage/plan-grant-terms.ts';
import {
  activeAddons,
  addonUsageTerms,
  type HoldingDetails,
  heldFeatureIds,
  heldUsageTerms,
  type UsageTerms,
} from '../../usage/terms.ts';
import { planOf } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';
import { type MovementDetails, storeMovement } from './store-movement.ts';

/**
 * Creates the account for the credits and balance of a new subscription. The account remains empty until the first
 * usage window opens.
 */
export function addAccount(draft: Draft, { id, customerId }: SubscriptionRow): void {
  draft.accounts.add({
    id,
    seq: null,
    customerId,
    pools: {},
    updatedAt: draft.now,
  });
}

type AccountView = Pick<
  SubscriptionRow,
  'id' | 'planId' | 'windowStart' | 'windowEnd' | 'currency' | 'billingInterval' | 'anchorDate'
>;

/**
 * Returns the account of a subscription with its open lots. Throws if it doesn't exist, which indicates a bug
 * because every subscription is created with an account.
 */
export function accountOf(draft: Draft, subscription: AccountView): Account {
  const { id } = subscription;
  const row = draft.accounts.find(id);
  if (row === null) throw new Error(`The subscription ${id} has no account.`);
  const lots = draft.lots.all().filter(({ subscriptionId, isOpen }) => subscriptionId === id && isOpen);
  const plan = draft.aggregate.catalog.plans.get(subscription.planId);
  const context = lotContext(subscription, draft, plan && rolloverEnds(plan, subscription));
  return accountWith(row, lots, context);
}

/**
 * Writes an account, its changed lots, and the entries of its balance transaction (CON-58, PRM-148). Emits the events of limits
 * whose thresholds the account is above again.
 */
export function moveAccount(
  draft: Draft,
  subscription: SubscriptionRow,
  movement: Movement,
  details: MovementDetails,
): void {
  const { account, resolved } = resolveWatches(movement.account);
  draft.accounts.patch(subscription.id, { ...storedAccount(account), updatedAt: draft.now });
  const { customer, now, newId } = draft;
  for (const one of resolved) {
    draft.emit(resolvedEvent(one, { customer, subscription }));
    draft.limitCrossings.push(resolvedRow(one, { customerId: customer.id, now, newId }));
  }
  storeMovement(draft, subscription, movement, details);
}

const manual: MovementDetails = { sourceId: null, description: null };

/**
 * Returns the account with the credits or balance that were added to the plan after the usage window opened (CAT-49).
 * Writes nothing.
 */
export function raisedAccount(draft: Draft, subscription: SubscriptionRow): Movement {
  return grantRaise(
    accountOf(draft, subscription),
    poolsOf(planOf(draft, subscription)),
    heldIncluded(draft.aggregate.catalog, subscription, draft.dueAt),
  );
}

/**
 * Writes the account with the credits or balance that were added to the plan. Call this function before any other
 * change to the account.
 */
export function applyRaise(draft: Draft, subscription: SubscriptionRow): Account {
  const raised = raisedAccount(draft, subscription);
  if (raised.entries.length > 0) moveAccount(draft, subscription, raised, manual);
  return raised.account;
}

/**
 * Start of a usage window: the first window, the window after the end of another one, or a window that starts because
 * the plan was changed, the subscription was reactivated, or the trial ended.
 */
type WindowStart = 'first' | 'following' | 'changed';

/** Deductions from a pool by usage that a plan change moves to the new window. `from` is the start of the ending window. */
export type CarriedDraws = { readonly pool: Pool; readonly amount: bigint; readonly from: Date };

/** Details of a reset of all pools. */
type PoolsReset = {
  /** Amounts that an invoice has billed, by pool, which can differ from the current amounts. */
  readonly settled?: FeatureAmounts;
  readonly carried?: readonly CarriedDraws[];
  /** Plan whose window ended, with the terms of the rollover. Defaults to the subscription's plan. */
  readonly endingPlan?: PlanRow;
};

/**
 * Resets the pools of a plan for a new usage window (CON-19, CON-24). Unused amounts roll over if the window follows another
 * window and the pool has a rollover (PRM-22). Emits events for expired and granted units, except in the first usage window.
 */
export function resetPools(
  draft: Draft,
  subscription: SubscriptionRow,
  start: WindowStart,
  details: PoolsReset = {},
): void {
  for (const terms of poolsOf(planOf(draft, subscription)))
    resetOne(draft, subscription, start, terms, details);
}

function resetOne(
  draft: Draft,
  subscription: SubscriptionRow,
  start: WindowStart,
  terms: PlanPool,
  { settled = {}, carried = [], endingPlan = planOf(draft, subscription) }: PoolsReset,
): void {
  const { pool } = terms;
  const { catalog } = draft.aggregate;
  const included = heldIncluded(catalog, subscription, draft.dueAt)[pool] ?? 0n;
  const sourceId = `window:${boundOf(subscription, subscription.windowStart).toISOString()}`;
  const isFirst = start === 'first';
  const ending = planPool(endingPlan, pool);
  const rolledOver =
    start === 'following' && ending !== null
      ? rolloverAt(catalog, endingPlan.id, ending, subscription, draft.dueAt)
      : null;
  const billed = settled[pool];
  const reset = resetPool(accountOf(draft, subscription), pool, included, isFirst, {
    settled: billed === undefined ? undefined : BigInt(billed),
    carried: carried.find((one) => one.pool === pool),
    sourceId,
    rolledOver,
  });
  moveAccount(draft, subscription, reset, { sourceId, description: null });
  const consumer = { customer: draft.customer, subscription };
  for (const { lot, amount } of reset.lapsed) draft.emit(lotEvent('lot.expired', consumer, lot, amount));
  if (isFirst || !isCustom(pool)) return;
  if (reset.expired > 0n) draft.emit(creditsExpired(consumer, pool, reset.expired));
  if (included > 0n) draft.emit(creditsGranted(consumer, pool, included, 'period_reset'));
}

/** Seats or quota feature of a plan or add-on, with its terms and the customer's count. */
export type HeldCount = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly count: FeatureCountRow;
};

type TermsView = Pick<
  SubscriptionRow,
  'id' | 'seq' | 'planId' | 'status' | 'currency' | 'marketId' | 'termsFrom'
> &
  GrantView;

/**
 * Returns the loaded add-on activations of a subscription: active add-ons, and add-ons that ended or were
 * still paid in the current billing period.
 */
export const addonsOf = (draft: Draft, { id }: Pick<SubscriptionRow, 'id'>): AddonActivationRow[] =>
  draft.addons.all().filter(({ subscriptionId }) => subscriptionId === id);

export const holdingOf = (draft: Draft, subscription: TermsView): HoldingDetails => ({
  plan: planOf(draft, subscription),
  subscription,
  addons: addonsOf(draft, subscription),
});

/**
 * Returns the terms of a feature at the command's due time. `null` if neither the plan nor an add-on
 * includes the feature.
 */
export const termsOf = (draft: Draft, subscription: TermsView, feature: FeatureRow): UsageTerms | null =>
  heldUsageTerms(draft.aggregate.catalog, holdingOf(draft, subscription), feature, draft.dueAt);

/**
 * Returns the terms for billing a feature at the end of its period. These are the terms at `at`, or the terms of an
 * add-on that ended in the period (SUB-73). `activation` is `null` if the plan provides the terms. Returns `null` if
 * the subscription didn't have the feature.
 */
export function billedTerms(
  draft: Draft,
  subscription: TermsView,
  feature: FeatureRow,
  at = draft.dueAt,
): { readonly terms: UsageTerms; readonly activation: AddonActivationRow | null } | null {
  const { catalog } = draft.aggregate;
  const details = holdingOf(draft, subscription);
  const terms = heldUsageTerms(catalog, details, feature, at);
  if (terms !== null)
    return { terms, activation: activationFor(catalog, activeAddons(details.addons), feature.id) };
  const periodStart =
    draft.aggregate.subscriptions.find(({ id }) => id === subscription.id)?.periodStart ?? null;
  const ofPeriod = details.addons.filter(
    ({ deactivatedAt }) => deactivatedAt === null || periodStart === null || deactivatedAt >= periodStart,
  );
  const activation = activationFor(catalog, ofPeriod, feature.id);
  return activation === null
    ? null
    : { terms: addonUsageTerms(catalog, details, activation, at), activation };
}

/** Returns true for features of type `seats` and `quota`. */
export const isCountable = ({ type }: FeatureRow): boolean => type === 'seats' || type === 'quota';

type FindTerms = (draft: Draft, subscription: TermsView, feature: FeatureRow) => UsageTerms | null;

/**
 * Returns the seats and quota features of a plan and its add-ons with the customer's counts, sorted by code.
 * The count of an unused feature is 0. Uses the current terms by default.
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

/** Returns a customer's count of a feature. Defaults to 0 (CON-51). */
export const countOf = (draft: Draft, feature: FeatureRow): FeatureCountRow =>
  draft.counts.find(`${draft.customer.id}:${feature.id}`) ??
  noCount(draft.customer.id, feature.id, draft.now);

export function putCount(draft: Draft, count: FeatureCountRow): void {
  if (count.seq === null && draft.counts.find(count.id) === null) draft.counts.add(count);
  else draft.counts.patch(count.id, count);
}

/** Stored count of a feature. `terms` is `null` if the plan no longer includes the feature. */
type StoredCount = Omit<HeldCount, 'terms'> & { readonly terms: UsageTerms | null };

/** Emits `seats.updated`, and `seats.limit_reached` if all included seats are in use (CON-47). */
export function emitSeats(
  draft: Draft,
  subscription: SubscriptionRow,
  { feature, terms, count }: StoredCount,
  before: bigint,
): void {
  if (feature.type !== 'seats' || count.count === before) return;
  const consumer = { customer: draft.customer, subscription };
  for (const event of seatsUpdated(consumer, feature, terms, before, count.count)) draft.emit(event);
}

/**
 * Returns the seats and quota counts of features that the plan no longer includes. These counts are also reset, so
 * that they aren't billed if a later plan includes the feature.
 */
function lostCounts(draft: Draft, held: readonly HeldCount[]): StoredCount[] {
  const heldIds = new Set(held.map(({ count }) => count.id));
  return draft.counts.all().flatMap((count): StoredCount[] => {
    const feature = draft.aggregate.catalog.features.get(count.featureId);
    return feature === undefined || heldIds.has(count.id) ? [] : [{ feature, terms: null, count }];
  });
}

/**
 * Starts a billing period for seats and quota. Applies pending seat removals and resets the high-water mark (CON-42,
 * CON-45). `billed` contains the counts that an invoice has charged for the period, which can differ from the current
 * counts.
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
 * Returns the initial seats of a subscription: the seats chosen at creation, otherwise the customer's current
 * seats (SUB-13, CON-34).
 */
export const initialCount = (
  subscription: Pick<SubscriptionRow, 'initialSeats'>,
  { feature, count }: HeldCount,
): bigint =>
  feature.type === 'seats' && Object.hasOwn(subscription.initialSeats, feature.code)
    ? BigInt(subscription.initialSeats[feature.code] ?? 0)
    : count.count - count.pendingRemovals;

/**
 * Applies the seats chosen at creation and starts the first period of the counts (SUB-13). Emits no events
 * because the activation emits them.
 */
export function beginCounts(draft: Draft, subscription: SubscriptionRow): void {
  for (const held of heldCounts(draft, subscription)) {
    const value = initialCount(subscription, held);
    const { count } = held;
    if (count.seq === null && value === 0n) continue;
    putCount(draft, { ...openPeriod(count, draft.now), count: value, openingCount: value });
  }
}
