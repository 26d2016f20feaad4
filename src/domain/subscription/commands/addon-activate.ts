import { type Rejection, specificRejection } from '../../errors.ts';
import { recompute } from '../../invoicing/explanation.ts';
import { boundary, daysBetween, daysRemaining, periodInterval, totalDays } from '../../period.ts';
import type { AddonRow, FeatureRow } from '../../pricing/catalog.ts';
import type { DayShare } from '../../pricing/resolve.ts';
import { isWidened, withoutGrant } from '../../usage/plan-grant-terms.ts';
import { addonPrice } from '../allowances/addon-bases.ts';
import { beginAddon } from '../allowances/addon-effects.ts';
import { termsOf } from '../allowances/allowance.ts';
import { planOf } from '../pricing/lookup.ts';
import { activeOf, findAddon, unknownAddon } from '../purchases/addons.ts';
import { buy, purchaseRejection } from '../purchases/purchase.ts';
import { boundOf } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, priceRejection, statusRejection } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly addonId: string;
};

/** Why a subscription cannot have an add-on (SUB-70); null when it can. */
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
      `An add-on of the model ${addon.consumptionModel} does not fit a ${consumptionModel} plan.`,
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
  return isWidened(subscription)
    ? fieldRejection('id', 'A subscription with an active plan grant takes no add-ons.')
    : null;
}

/**
 * The part of a billing period that is left, today included; a trial counts as part of one whole interval
 * (SUB-71).
 */
function shareLeft(draft: Draft, subscription: SubscriptionRow): DayShare {
  const period = {
    start: boundOf(subscription, subscription.periodStart),
    end: boundOf(subscription, subscription.periodEnd),
  };
  const whole =
    subscription.status === 'trialing'
      ? daysBetween(period.start, boundary(period.start, periodInterval(subscription.billingInterval), 1))
      : totalDays(period);
  return { part: BigInt(daysRemaining(period, draft.now)), of: BigInt(whole) };
}

/**
 * Switches an add-on on, once the rest of the billing period is paid for (SUB-70, SUB-71). Rejects, in this
 * order, the status, an unknown add-on, one that does not fit the plan, one that is active, a feature that is
 * held already, a currency without a rate, and what every purchase rejects.
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
    const price = addonPrice(draft, subscription, addon, shareLeft(draft, subscription));
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
