// Add-ons on a subscription: switched on for what is left of the billing period, switched off at once (SUB-70 to SUB-73).
import { isWidened, withoutGrant } from '../consumption/plan-grant-terms.ts';
import { activeAddons } from '../consumption/terms.ts';
import type { Refusal } from '../errors.ts';
import { recompute } from '../invoice/explanation.ts';
import { boundary, daysBetween, daysRemaining, periodInterval, totalDays } from '../period.ts';
import type { AddonRow, FeatureRow } from '../pricing/catalog.ts';
import type { DayShare } from '../pricing/resolve.ts';
import { addonPrice } from './addon-bases.ts';
import { beginAddon, endAddon } from './addon-effects.ts';
import type { ActivateAddonCommand, DeactivateAddonCommand, Decision } from './aggregate.ts';
import { addonsOf, termsOf } from './allowance.ts';
import { planOf } from './lookup.ts';
import { boundOf } from './periods.ts';
import { buy, purchaseRefusal } from './purchase.ts';
import { fieldRefusal, priceRefusal, statusRefusal } from './refusals.ts';
import type { AddonActivationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** A living add-on by id, else by slug; null without one. */
function findAddon(work: Work, reference: string): AddonRow | null {
  const living = [...work.aggregate.catalog.addons.values()].filter(({ deletedAt }) => deletedAt === null);
  return living.find(({ id }) => id === reference) ?? living.find(({ slug }) => slug === reference) ?? null;
}

const unknownAddon: Refusal = { code: 'addon_not_found', message: 'There is no such add-on.', param: 'addonId' };

const activeOf = (work: Work, subscription: SubscriptionRow, { id }: AddonRow): AddonActivationRow | null =>
  activeAddons(addonsOf(work, subscription)).find(({ addonId }) => addonId === id) ?? null;

/** Why a subscription cannot have an add-on (SUB-70); null when it can. */
function fitRefusal(work: Work, subscription: SubscriptionRow, addon: AddonRow, feature: FeatureRow): Refusal | null {
  const { consumptionModel } = planOf(work, subscription);
  if (addon.consumptionModel !== 'boolean' && addon.consumptionModel !== consumptionModel) {
    return fieldRefusal('addonId', `An add-on of the model ${addon.consumptionModel} does not fit a ${consumptionModel} plan.`);
  }
  if (activeOf(work, subscription, addon) !== null) {
    return { code: 'addon_already_active', message: 'The subscription has the add-on already.', param: 'addonId' };
  }
  if (termsOf(work, withoutGrant(subscription), feature) !== null) {
    return { code: 'feature_already_exists', message: `The subscription contains ${feature.code} already.`, param: 'addonId' };
  }
  return isWidened(subscription) ? fieldRefusal('id', 'A subscription with an active plan grant takes no add-ons.') : null;
}

/** The part of a billing period that is left, today included; a trial counts as part of one whole interval (SUB-71). */
function shareLeft(work: Work, subscription: SubscriptionRow): DayShare {
  const period = { start: boundOf(subscription, subscription.periodStart), end: boundOf(subscription, subscription.periodEnd) };
  const whole =
    subscription.status === 'trialing'
      ? daysBetween(period.start, boundary(period.start, periodInterval(subscription.billingInterval), 1))
      : totalDays(period);
  return { part: BigInt(daysRemaining(period, work.now)), of: BigInt(whole) };
}

/**
 * Switches an add-on on, once the rest of the billing period is paid for (SUB-70, SUB-71). Refuses, in this order, the status, an unknown
 * add-on, one that does not fit the plan, one that is active, a feature that is held already, a currency without a rate, and what every
 * purchase refuses.
 */
export function activateAddon(work: Work, subscription: SubscriptionRow, { addonId }: ActivateAddonCommand): Decision {
  const refusal = statusRefusal('purchase', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const addon = findAddon(work, addonId);
  const feature = addon === null ? undefined : work.aggregate.catalog.features.get(addon.featureId);
  if (addon === null || feature === undefined) return work.refuse(unknownAddon);
  const unfit = fitRefusal(work, subscription, addon, feature);
  if (unfit !== null) return work.refuse(unfit);
  const price = addonPrice(work, subscription, addon, shareLeft(work, subscription));
  if (price === null) return work.refuse(priceRefusal('missing_regional_price'));
  if (recompute(price) > 0n) {
    const purchase = { addonId: addon.id };
    return buy(work, subscription, { type: 'addon_activation', description: addon.name, price, purchase });
  }
  const unpayable = purchaseRefusal(work, subscription);
  if (unpayable !== null) return work.refuse(unpayable);
  beginAddon(work, subscription, { addonId: addon.id, proratedMinor: 0n, invoiceId: null });
  return work.done('done', subscription.id);
}

/** Switches an add-on off at once, without refund (SUB-73). Refuses the status, an unknown add-on, and one that is not active. */
export function deactivateAddon(work: Work, subscription: SubscriptionRow, { addonId }: DeactivateAddonCommand): Decision {
  const refusal = statusRefusal('adjust', subscription);
  if (refusal !== null) return work.refuse(refusal);
  const addon = findAddon(work, addonId);
  if (addon === null) return work.refuse(unknownAddon);
  const activation = activeOf(work, subscription, addon);
  if (activation === null) {
    return work.refuse({ code: 'addon_not_active', message: 'The subscription does not have the add-on.', param: 'addonId' });
  }
  endAddon(work, subscription, activation);
  return work.done('done', subscription.id);
}
