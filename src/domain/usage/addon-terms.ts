// Terms of a feature that an add-on provides (CAT-42). The plan determines the consumption model; the add-on
// determines the amounts.

import { type AddonTerms, heldAddonTerms } from '../pricing/addon-terms.ts';
import type { AddonRow, Catalog } from '../pricing/catalog.ts';
import { exchangeRateAt } from '../pricing/resolve.ts';
import type { FeatureTerms } from '../pricing/terms.ts';
import { derivedList } from '../rates/card.ts';
import { type HeldRate, perUnitRate } from '../rates/held.ts';
import type { AddonActivationRow, SubscriptionRow } from '../rows/rows.ts';

/** Returns an add-on, including deleted add-ons. Throws if it isn't loaded. */
export function addonById(catalog: Catalog, id: string): AddonRow {
  const addon = catalog.addons.get(id);
  if (addon === undefined) throw new Error(`The add-on ${id} is not in the catalog.`);
  return addon;
}

/**
 * Returns the last activation whose add-on provides the feature. `null` if no activation provides the
 * feature.
 */
export const activationFor = (
  catalog: Catalog,
  activations: readonly AddonActivationRow[],
  featureId: string,
): AddonActivationRow | null =>
  activations.findLast(({ addonId }) => addonById(catalog, addonId).featureId === featureId) ?? null;

/**
 * Returns the terms of an activation. They start at the start of the billing period or of the activation,
 * whichever is later, and end no later than the activation (CAT-43, CAT-49).
 */
export function activationTerms(
  versions: Parameters<typeof heldAddonTerms>[0],
  { createdAt, deactivatedAt }: Pick<AddonActivationRow, 'createdAt' | 'deactivatedAt'>,
  termsFrom: Date | null,
  at: Date,
): AddonTerms {
  const opened = termsFrom === null || termsFrom < createdAt ? createdAt : termsFrom;
  const until = deactivatedAt !== null && deactivatedAt < at ? deactivatedAt : at;
  return heldAddonTerms(versions, until < opened ? until : opened, until);
}

/**
 * Converts an add-on's rates in US dollars to the subscription's currency (CAT-44, PRM-110). `null` if the plan has no
 * exchange rate.
 */
function inLocal(
  catalog: Catalog,
  { planId, currency }: Pick<SubscriptionRow, 'planId' | 'currency'>,
  rates: HeldRate,
  at: Date,
): HeldRate | null {
  if (currency === 'usd') return rates;
  const rateE8 = exchangeRateAt(catalog, planId, currency, at);
  return rateE8 === null ? null : rates.map((rate) => derivedList(rate, rateE8));
}

const bare: FeatureTerms = {
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: false,
  rates: null,
  derived: null,
  cost: null,
  settle: null,
};

/**
 * Returns the terms of the feature that an activation provides, with the rates in the subscription's
 * currency or in credits. `boolean` add-ons provide the feature without limits or charges.
 */
export function termsByAddon(
  catalog: Catalog,
  subscription: Pick<SubscriptionRow, 'planId' | 'currency' | 'termsFrom'>,
  activation: Pick<AddonActivationRow, 'addonId' | 'createdAt' | 'deactivatedAt'>,
  at: Date,
): { readonly terms: FeatureTerms; readonly isPriceMissing: boolean } {
  const { id, consumptionModel } = addonById(catalog, activation.addonId);
  if (consumptionModel === 'boolean') {
    return {
      terms: { ...bare, unlimited: true, rates: [perUnitRate(0n)] },
      isPriceMissing: false,
    };
  }
  const { includedUnits, rates } = activationTerms(
    catalog.addonVersions.get(id) ?? [],
    activation,
    subscription.termsFrom,
    at,
  );
  const isInCredits = consumptionModel === 'credits';
  const local = rates === null || isInCredits ? rates : inLocal(catalog, subscription, rates, at);
  return {
    terms: {
      ...bare,
      includedAmount: includedUnits ?? 0n,
      overageEnabled: consumptionModel === 'metered',
      rates: local,
    },
    isPriceMissing: rates !== null && local === null,
  };
}
