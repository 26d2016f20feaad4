// What a subscription will hold on the plan it changes to, told before anything is switched.
import { addonById } from '../consumption/addon-terms.ts';
import { futureCount } from '../consumption/counts.ts';
import { withoutGrant } from '../consumption/plan-grant-terms.ts';
import { activeAddons, heldUsageTerms, type UsageTerms } from '../consumption/terms.ts';
import type { Refusal } from '../errors.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { addonRateRefusal } from './addon-bases.ts';
import { addonsOf, type HeldCount, heldCounts } from './allowance.ts';
import type { PlanTarget } from './change-target.ts';
import { planOf } from './lookup.ts';
import { openedPeriod } from './periods.ts';
import { priceRefusal } from './refusals.ts';
import type { AddonActivationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** The plan, price and currency of a target, as a subscription has them. */
export const targetFields = (subscription: SubscriptionRow, { plan, price }: PlanTarget) => ({
  planId: plan.id,
  priceId: price?.price.id ?? null,
  billingInterval: price?.price.billingInterval ?? null,
  currency: price?.currency ?? subscription.currency,
  marketId: price === null ? subscription.marketId : price.market,
});

/** The subscription as it will be in the period that opens with a change at once (SUB-60). */
export function asChanged(work: Work, subscription: SubscriptionRow, target: PlanTarget): SubscriptionRow {
  const next = { ...subscription, ...targetFields(subscription, target), status: 'active' } as const;
  return { ...next, ...openedPeriod(next, work.now) };
}

const planTerms = (work: Work, next: SubscriptionRow, feature: FeatureRow, addons: readonly AddonActivationRow[]): UsageTerms | null =>
  heldUsageTerms(
    work.aggregate.catalog,
    // A grant changes nothing that is charged, and may end with the change.
    { plan: planOf(work, next), subscription: withoutGrant(next), addons },
    feature,
    work.dueAt,
  );

/** Whether an add-on goes on beside the plan a subscription changes to: its model fits, and the plan does not contain its feature (SUB-45). */
function stays(work: Work, next: SubscriptionRow, { addonId }: AddonActivationRow): boolean {
  const { catalog } = work.aggregate;
  const { consumptionModel, featureId } = addonById(catalog, addonId);
  const feature = catalog.features.get(featureId);
  const fits = consumptionModel === 'boolean' || consumptionModel === planOf(work, next).consumptionModel;
  return fits && (feature === undefined || planTerms(work, next, feature, []) === null);
}

/** The active add-ons of a subscription that go on beside the plan it changes to. */
export const stayingAddons = (work: Work, next: SubscriptionRow): AddonActivationRow[] =>
  activeAddons(addonsOf(work, next)).filter((activation) => stays(work, next, activation));

/** Seats and quota as they will be charged in advance: removals that were to come are through (CON-45), on the new terms. */
export function changedCounts(work: Work, next: SubscriptionRow): (Omit<HeldCount, 'count'> & { readonly count: bigint })[] {
  const staying = stayingAddons(work, next);
  return heldCounts(work, next, (_work, _view, feature) => planTerms(work, next, feature, staying)).map(({ feature, terms, count }) => ({
    feature,
    terms,
    count: futureCount(count),
  }));
}

/** Why the new period cannot be charged in its currency: a unit price or an exchange rate is missing (CAT-28, CAT-44); null when it can. */
export function changedRateRefusal(work: Work, next: SubscriptionRow): Refusal | null {
  const isMissing = changedCounts(work, next).some(
    ({ terms, count }) => terms.isPriceMissing && terms.allowsOverage && !terms.unlimited && count > terms.includedAmount,
  );
  return isMissing ? priceRefusal('missing_regional_price') : addonRateRefusal(work, next, stayingAddons(work, next));
}

/** A seats feature of which more is held than the new plan allows. */
export type SeatsBeyond = { readonly feature: FeatureRow; readonly seats: bigint; readonly included: bigint };

/** The first seats feature, by code, whose seats would exceed what the new plan includes and sells (SUB-46); null when all fit. */
export function seatsBeyond(work: Work, next: SubscriptionRow): SeatsBeyond | null {
  const over = changedCounts(work, next).find(
    ({ feature, terms, count }) => feature.type === 'seats' && !terms.unlimited && !terms.allowsOverage && count > terms.includedAmount,
  );
  return over === undefined ? null : { feature: over.feature, seats: over.count, included: over.terms.includedAmount };
}

/** The refusal of a change at once to another plan that has no room for the seats (SUB-46); null when it has. */
export function seatRefusal(work: Work, subscription: SubscriptionRow, target: PlanTarget): Refusal | null {
  if (target.plan.id === subscription.planId) return null;
  const over = seatsBeyond(work, asChanged(work, subscription, target));
  if (over === null) return null;
  const details = { featureCode: over.feature.code, current: Number(over.seats), included: Number(over.included) };
  return { code: 'seat_limit_exceeded', message: `The plan has room for ${over.included} of ${over.feature.code} only.`, details };
}
