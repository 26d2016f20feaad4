import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { AddonRow, FeatureRow } from '../../pricing/catalog.ts';
import type { DayShare } from '../../pricing/resolve.ts';
import { recompute } from '../../rows/explanation.ts';
import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { boundary, daysBetween, daysRemaining, periodInterval, totalDays } from '../../time/period.ts';
import { hasPlanGrant, withoutGrant } from '../../usage/plan-grant-terms.ts';
import { addonPrice } from '../allowances/addon-bases.ts';
import { addonPaidUntil, beginAddon } from '../allowances/addon-effects.ts';
import { termsOf } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { activeOf, findAddon, unknownAddon } from '../purchases/addons.ts';
import { buy, purchaseRejection } from '../purchases/purchase.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, priceRejection, statusRejection } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly addonId: string;
};

/** Returns the reason why an add-on can't be added to a subscription (SUB-70), or `null` if it can be added. */
function fitRejection(
  draft: Draft,
  subscription: SubscriptionRow,
  addon: AddonRow,
  feature: FeatureRow,
): Rejection | null {
  const { consumptionModel } = planOf(draft, subscription);
  if (addon.consumptionModel !== 'boolean' && addon.consumptionModel !== consumptionModel) {
    return fieldRejection(
      'addonId',
      `An add-on with the consumption model ${addon.consumptionModel} can't be added to a plan with the consumption model ${consumptionModel}.`,
    );
  }
  if (activeOf(draft, subscription, addon) !== null) {
    return specificRejection('addon_already_active', 'subscription', { param: 'addonId' });
  }
  if (termsOf(draft, withoutGrant(subscription), feature) !== null) {
    return specificRejection('feature_already_exists', 'subscription', {
      values: { code: feature.code },
      param: 'addonId',
    });
  }
  return hasPlanGrant(subscription)
    ? fieldRejection(
        'id',
        "Add-ons can't be added while the subscription has an active plan grant. Revoke the plan grant first.",
      )
    : null;
}

/**
 * Returns the unpaid share of the billing period, including today. A trial is prorated by the length of a
 * whole interval (SUB-71). Excludes days that an earlier activation of the add-on paid for (SUB-73).
 */
function shareLeft(draft: Draft, subscription: SubscriptionRow, { id }: AddonRow): DayShare {
  const period = {
    start: boundOf(subscription, subscription.periodStart),
    end: boundOf(subscription, subscription.periodEnd),
  };
  const whole =
    subscription.status === 'trialing'
      ? daysBetween(period.start, boundary(period.start, periodInterval(subscription.billingInterval), 1))
      : totalDays(period);
  const paidUntil = addonPaidUntil(draft, subscription, id);
  const from = paidUntil === null || paidUntil < draft.now ? draft.now : paidUntil;
  return { part: BigInt(daysRemaining(period, from)), of: BigInt(whole) };
}

/**
 * Adds an add-on after the remaining billing period is paid (SUB-70, SUB-71). Checks, in this order: the
 * status, the add-on, its compatibility with the plan, an existing activation, an existing feature, the
 * currency's exchange rate, and the checks of every purchase.
 */
export const addonActivate = subscriptionCommand({
  kind: 'addon.activate',
  needs: ({ addonId }: Input) => ({ addons: [addonId] }),
  decide(draft: Draft, subscription: SubscriptionRow, { addonId }: Input): Decision {
    const rejection = statusRejection('purchase', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const addon = findAddon(draft, addonId);
    const feature = addon === null ? undefined : draft.aggregate.catalog.features.get(addon.featureId);
    if (addon === null || feature === undefined) return draft.reject(unknownAddon);
    const unfit = fitRejection(draft, subscription, addon, feature);
    if (unfit !== null) return draft.reject(unfit);
    const price = addonPrice(draft, subscription, addon, shareLeft(draft, subscription, addon));
    if (price === null) return draft.reject(priceRejection('missing_regional_price'));
    if (recompute(price) > 0n) {
      const purchase = { addonId: addon.id };
      return buy(draft, subscription, { type: 'addon_activation', description: addon.name, price, purchase });
    }
    const unpayable = purchaseRejection(draft, subscription);
    if (unpayable !== null) return draft.reject(unpayable);
    beginAddon(draft, subscription, { addonId: addon.id, proratedMinor: 0n, invoiceId: null });
    return draft.done('done', subscription.id);
  },
});
