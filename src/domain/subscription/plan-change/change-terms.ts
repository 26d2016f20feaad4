// What a subscription will hold on the plan it changes to, computed before the change.

import { type Rejection, specificRejection } from '../../errors.ts';
import type { FeatureRow } from '../../pricing/catalog.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { futureCount } from '../../usage/counts.ts';
import { withoutGrant } from '../../usage/plan-grant-terms.ts';
import { activeAddons, heldUsageTerms, type UsageTerms } from '../../usage/terms.ts';
import { addonRateRejection } from '../allowances/addon-bases.ts';
import { addonsOf, type HeldCount, heldCounts } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { openedPeriod } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { AddonActivationRow, SubscriptionRow } from '../state/rows.ts';
import type { PlanTarget } from './change-target.ts';

/** The plan, price and currency of a target, as a subscription has them. */
export const targetFields = (subscription: SubscriptionRow, { plan, price }: PlanTarget) => ({
  planId: plan.id,
  priceId: price?.price.id ?? null,
  billingInterval: price?.price.billingInterval ?? null,
  currency: price?.currency ?? subscription.currency,
  marketId: price === null ? subscription.marketId : price.market,
});

/** The subscription as it will be in the period that opens with a change at once (SUB-60). */
export function asChanged(draft: Draft, subscription: SubscriptionRow, target: PlanTarget): SubscriptionRow {
  const next = { ...subscription, ...targetFields(subscription, target), status: 'active' } as const;
  return { ...next, ...openedPeriod(next, draft.now) };
}

const planTerms = (
  draft: Draft,
  next: SubscriptionRow,
  feature: FeatureRow,
  addons: readonly AddonActivationRow[],
): UsageTerms | null =>
  heldUsageTerms(
    draft.aggregate.catalog,
    // A grant changes nothing that is charged, and may end with the change.
    { plan: planOf(draft, next), subscription: withoutGrant(next), addons },
    feature,
    draft.dueAt,
  );

/**
 * Whether an add-on goes on beside the plan a subscription changes to: its model fits, and the plan does not
 * contain its feature (SUB-45).
 */
function stays(draft: Draft, next: SubscriptionRow, { addonId }: AddonActivationRow): boolean {
  const { catalog } = draft.aggregate;
  const { consumptionModel, featureId } = addonById(catalog, addonId);
  const feature = catalog.features.get(featureId);
  const fits = consumptionModel === 'boolean' || consumptionModel === planOf(draft, next).consumptionModel;
  return fits && (feature === undefined || planTerms(draft, next, feature, []) === null);
}

/** The active add-ons of a subscription that go on beside the plan it changes to. */
export const stayingAddons = (draft: Draft, next: SubscriptionRow): AddonActivationRow[] =>
  activeAddons(addonsOf(draft, next)).filter((activation) => stays(draft, next, activation));

/**
 * Seats and quota as they will be charged in advance: removals that were to come are through (CON-45), on the
 * new terms.
 */
export function changedCounts(
  draft: Draft,
  next: SubscriptionRow,
): (Omit<HeldCount, 'count'> & { readonly count: bigint })[] {
  const staying = stayingAddons(draft, next);
  return heldCounts(draft, next, (_work, _view, feature) => planTerms(draft, next, feature, staying)).map(
    ({ feature, terms, count }) => ({
      feature,
      terms,
      count: futureCount(count),
    }),
  );
}

/**
 * Why the new period cannot be charged in its currency: a unit price or an exchange rate is missing (CAT-28,
 * CAT-44); null when it can.
 */
export function changedRateRejection(draft: Draft, next: SubscriptionRow): Rejection | null {
  const isMissing = changedCounts(draft, next).some(
    ({ terms, count }) =>
      terms.isPriceMissing && terms.allowsOverage && !terms.unlimited && count > terms.includedAmount,
  );
  return isMissing
    ? priceRejection('missing_regional_price')
    : addonRateRejection(draft, next, stayingAddons(draft, next));
}

/** A seats feature of which more is held than the new plan allows. */
export type SeatsBeyond = { readonly feature: FeatureRow; readonly seats: bigint; readonly included: bigint };

/**
 * The first seats feature, by code, whose seats would exceed what the new plan includes and sells (SUB-46);
 * null when all fit.
 */
export function seatsBeyond(draft: Draft, next: SubscriptionRow): SeatsBeyond | null {
  const over = changedCounts(draft, next).find(
    ({ feature, terms, count }) =>
      feature.type === 'seats' && !terms.unlimited && !terms.allowsOverage && count > terms.includedAmount,
  );
  return over === undefined
    ? null
    : { feature: over.feature, seats: over.count, included: over.terms.includedAmount };
}

/**
 * The rejection of a change at once to another plan that has no room for the seats (SUB-46); null when it
 * has.
 */
export function seatRejection(
  draft: Draft,
  subscription: SubscriptionRow,
  target: PlanTarget,
): Rejection | null {
  if (target.plan.id === subscription.planId) return null;
  const over = seatsBeyond(draft, asChanged(draft, subscription, target));
  if (over === null) return null;
  const details = {
    featureCode: over.feature.code,
    current: Number(over.seats),
    included: Number(over.included),
  };
  return specificRejection('seat_limit_exceeded', 'room', {
    values: { included: over.included, code: over.feature.code },
    details,
  });
}
