// The terms a usage, seats or quota feature is consumed at: those held of the plan, or of an add-on, in the
// light of the subscription.

import type { ConsumptionModel } from '../enums.ts';
import type { Catalog, FeatureRow, PlanRow } from '../pricing/catalog.ts';
import { type FeatureTerms, heldTerms, inCurrency } from '../pricing/terms.ts';
import type { AddonActivationRow, SubscriptionRow } from '../subscription/state/rows.ts';
import { activationFor, addonById, termsByAddon } from './addon-terms.ts';
import {
  type BaseAccess,
  baseAccessOf,
  type GrantView,
  grantedTerms,
  isWidened,
  widened,
  withoutGrant,
} from './plan-grant-terms.ts';

/**
 * How consumption is paid for, and the terms of one feature, with what the state of the subscription makes of
 * them.
 */
export type UsageTerms = FeatureTerms & {
  readonly model: ConsumptionModel;
  /** The lower-case code of the subscription's currency, in which `unitPriceRate` is. */
  readonly currency: string;
  /**
   * Overage as it counts: the terms allow it, and neither a free plan, a trial nor a plan grant stands
   * against it (CON-3).
   */
  readonly allowsOverage: boolean;
  /**
   * Whether a balance stops at 0: the plan says so, or it is free, or the subscription is in a trial (CON-3).
   */
  readonly isBlocking: boolean;
  /** Units are sold, but without a price in the currency of the subscription (CAT-28). */
  readonly isPriceMissing: boolean;
};

/** What switches overage off outside the terms (CON-3). */
export type OverageDetails = {
  readonly plan: Pick<PlanRow, 'isFree' | 'blockOnExhaustion' | 'consumptionModel'>;
  readonly subscription: Pick<SubscriptionRow, 'seq' | 'status' | 'currency' | 'termsFrom'> & GrantView;
  /** Activations of add-ons on the subscription; only active ones give anything. */
  readonly addons: readonly AddonActivationRow[];
};

/** Whether the balance of a subscription stops at 0 (CON-3). */
export const isBlocking = ({ plan, subscription }: Pick<OverageDetails, 'plan' | 'subscription'>): boolean =>
  plan.blockOnExhaustion || plan.isFree || subscription.status === 'trialing';

/**
 * The terms of a feature as they count for a subscription. `terms` hold the unit price in the subscription's
 * currency.
 */
function usageTerms(
  terms: FeatureTerms,
  { plan, subscription }: Omit<OverageDetails, 'addons'>,
): Omit<UsageTerms, 'isPriceMissing'> {
  const isRestricted = plan.isFree || subscription.status === 'trialing' || isWidened(subscription);
  return {
    ...terms,
    model: plan.consumptionModel,
    currency: subscription.currency,
    allowsOverage: terms.overageEnabled && !isRestricted,
    isBlocking: isBlocking({ plan, subscription }),
  };
}

/** The plan, the subscription and its add-ons, which decide about the terms it holds. */
export type HoldingDetails = OverageDetails & { readonly plan: { readonly id: string } };

/**
 * The terms an activation of an add-on gives its feature, as they count, active or not; see `termsByAddon`.
 */
export function addonUsageTerms(
  catalog: Catalog,
  details: Omit<HoldingDetails, 'addons'>,
  activation: AddonActivationRow,
  at: Date,
): UsageTerms {
  const { plan, subscription } = details;
  const view = { planId: plan.id, currency: subscription.currency, termsFrom: subscription.termsFrom };
  const { terms, isPriceMissing } = termsByAddon(catalog, view, activation, at);
  return { ...usageTerms(terms, details), isPriceMissing };
}

/** The activations that give their features now. */
export const activeAddons = (addons: readonly AddonActivationRow[]): AddonActivationRow[] =>
  addons.filter(({ status }) => status === 'active');

/**
 * The terms a subscription holds a feature at, by an active add-on or else by its plan and a plan grant, with
 * the unit price in its currency, as they count; null where none contains it (CAT-48, CAT-49, CON-16,
 * SUB-54).
 */
export function heldUsageTerms(
  catalog: Catalog,
  details: HoldingDetails,
  feature: FeatureRow,
  at: Date,
): UsageTerms | null {
  const activation = activationFor(catalog, activeAddons(details.addons), feature.id);
  if (activation !== null) return addonUsageTerms(catalog, details, activation, at);
  const own = planUsageTerms(catalog, details, feature, at);
  if (!isWidened(details.subscription)) return own;
  const terms = widened(own, grantedTerms(catalog, details.subscription, feature.id));
  return terms === null ? null : { ...usageTerms(terms, details), isPriceMissing: false };
}

/** The terms of a feature by the plan alone. */
function planUsageTerms(
  catalog: Catalog,
  details: Omit<HoldingDetails, 'addons'>,
  feature: FeatureRow,
  at: Date,
): UsageTerms | null {
  const versions = catalog.featureVersions.get(details.plan.id)?.get(feature.id) ?? [];
  const { currency, termsFrom: opened } = details.subscription;
  const termsFrom = opened ?? at;
  const terms = heldTerms(versions, termsFrom, at, details.subscription.seq);
  if (terms === null) return null;
  const [local] = inCurrency(catalog, [{ feature, terms }], {
    planId: details.plan.id,
    currency,
    termsFrom,
    at,
  });
  if (local === undefined) throw new Error(`The feature ${feature.id} lost its terms.`);
  const isPriceMissing = terms.unitPriceRate !== null && local.terms.unitPriceRate === null;
  return { ...usageTerms(local.terms, details), isPriceMissing };
}

/**
 * A feature a subscription holds, on the terms that count for it, and what it would hold of it without its
 * plan grant; null without one.
 */
export type HeldUsage = {
  readonly feature: FeatureRow;
  readonly terms: UsageTerms;
  readonly base: BaseAccess | null;
};

/** The features that the plan and the granted plan of a subscription have ever had, and those of add-ons. */
export const heldFeatureIds = (
  catalog: Catalog,
  { planId, grantedPlanId }: Pick<SubscriptionRow, 'planId' | 'grantedPlanId'>,
  addons: readonly AddonActivationRow[],
): ReadonlySet<string> =>
  new Set([
    ...(catalog.featureVersions.get(planId)?.keys() ?? []),
    ...(grantedPlanId === null ? [] : (catalog.featureVersions.get(grantedPlanId)?.keys() ?? [])),
    ...addons.map(({ addonId }) => addonById(catalog, addonId).featureId),
  ]);

/** Every feature a subscription holds, of whatever type, in order of their codes. */
export function heldUsageFeatures(catalog: Catalog, details: HoldingDetails, at: Date): HeldUsage[] {
  const { grantedPlanId } = details.subscription;
  const without = { ...details, subscription: withoutGrant(details.subscription) };
  return [
    ...heldFeatureIds(catalog, { planId: details.plan.id, grantedPlanId }, activeAddons(details.addons)),
  ]
    .flatMap((featureId): HeldUsage[] => {
      const feature = catalog.features.get(featureId);
      if (feature === undefined)
        throw new Error(`The plan ${details.plan.id} holds the unknown feature ${featureId}.`);
      const terms = heldUsageTerms(catalog, details, feature, at);
      if (terms === null) return [];
      return [
        {
          feature,
          terms,
          base: grantedPlanId === null ? null : baseAccessOf(heldUsageTerms(catalog, without, feature, at)),
        },
      ];
    })
    .sort((a, b) => (a.feature.code < b.feature.code ? -1 : 1));
}
