// Computes a subscription's terms on a new plan, before the plan changes.

import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { FeatureRow } from '../../pricing/catalog.ts';
import type { AddonActivationRow, SubscriptionRow } from '../../rows/rows.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { futureCount } from '../../usage/counts.ts';
import { withoutGrant } from '../../usage/plan-grant-terms.ts';
import { canChangeLevel } from '../../usage/system-limits.ts';
import { activeAddons, heldUsageTerms, type UsageTerms } from '../../usage/terms.ts';
import { isTotalBillable } from '../../usage/window.ts';
import { addonRateRejection } from '../allowances/addon-bases.ts';
import { addonsOf, type HeldCount, heldCounts } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { openedPeriod } from '../schedule/periods.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, priceRejection } from '../state/rejections.ts';
import type { PlanTarget } from './change-target.ts';

/** Returns the plan, price, and currency of a target as subscription fields. */
export const targetFields = (subscription: SubscriptionRow, { plan, price }: PlanTarget) => ({
  planId: plan.id,
  priceId: price?.price.id ?? null,
  billingInterval: price?.price.billingInterval ?? null,
  currency: price?.currency ?? subscription.currency,
  marketId: price === null ? subscription.marketId : price.market,
});

/** Returns the subscription in the period that an immediate change would open (SUB-60). */
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
    // A plan grant doesn't affect charges, and the change may end it.
    { plan: planOf(draft, next), subscription: withoutGrant(next), addons },
    feature,
    draft.dueAt,
  );

/**
 * Returns true if an add-on remains active on the new plan: the consumption model matches, and the plan
 * doesn't include the add-on's feature (SUB-45).
 */
function remainsActive(draft: Draft, next: SubscriptionRow, { addonId }: AddonActivationRow): boolean {
  const { catalog } = draft.aggregate;
  const { consumptionModel, featureId } = addonById(catalog, addonId);
  const feature = catalog.features.get(featureId);
  const fits = consumptionModel === 'boolean' || consumptionModel === planOf(draft, next).consumptionModel;
  return fits && (feature === undefined || planTerms(draft, next, feature, []) === null);
}

export const continuingAddons = (draft: Draft, next: SubscriptionRow): AddonActivationRow[] =>
  activeAddons(addonsOf(draft, next)).filter((activation) => remainsActive(draft, next, activation));

/** Returns the seats and quota to charge in advance under the new terms, after pending removals (CON-45). */
export function changedCounts(
  draft: Draft,
  next: SubscriptionRow,
): (Omit<HeldCount, 'count'> & { readonly count: bigint })[] {
  const staying = continuingAddons(draft, next);
  return heldCounts(draft, next, (_work, _view, feature) => planTerms(draft, next, feature, staying)).map(
    ({ feature, terms, count }) => ({
      feature,
      terms,
      count: futureCount(count),
    }),
  );
}

/**
 * Returns the reason why the new period can't be charged in its currency: a unit price or exchange rate is missing
 * (CAT-28, CAT-44). `null` if the charge is possible.
 */
export function changedRateRejection(draft: Draft, next: SubscriptionRow): Rejection | null {
  const isMissing = changedCounts(draft, next).some(
    ({ terms, count }) =>
      terms.isPriceMissing && terms.allowsOverage && !terms.unlimited && count > terms.includedAmount,
  );
  return isMissing
    ? priceRejection('missing_regional_price')
    : addonRateRejection(draft, next, continuingAddons(draft, next));
}

/**
 * Returns the rejection for a plan if a seats or quota charge on it would exceed the largest invoice (GLO-14a). `null`
 * if no charge would exceed the limit.
 */
export function changedCountRejection(draft: Draft, next: SubscriptionRow): Rejection | null {
  const tooMany = changedCounts(draft, next).find(({ terms, count }) => !isTotalBillable(terms, count));
  if (tooMany === undefined) return null;
  const { count, feature } = tooMany;
  return fieldRejection(
    'newPlanId',
    `On the new plan, the charge for ${feature.code} (quantity: ${count}) would exceed the maximum invoice total.`,
  );
}

export type SeatsBeyond = { readonly feature: FeatureRow; readonly seats: bigint; readonly included: bigint };

/**
 * Returns the first seat feature, sorted by code, whose seats exceed what the new plan includes without
 * selling more (SUB-46). `null` if all seats fit.
 */
export function seatsBeyond(draft: Draft, next: SubscriptionRow): SeatsBeyond | null {
  const over = changedCounts(draft, next).find(
    ({ feature, terms, count }) => feature.type === 'seats' && !canChangeLevel(terms, 0n, count),
  );
  return over === undefined
    ? null
    : { feature: over.feature, seats: over.count, included: over.terms.includedAmount };
}

/**
 * Returns the rejection for an immediate change to a plan that doesn't allow the current number of seats (SUB-46), or
 * `null` if the plan allows them.
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
