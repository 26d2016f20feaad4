// The terms an add-on gives its feature on a subscription (CAT-42): consumed as the plan consumes, at the
// add-on's own amounts.

import { type AddonTerms, heldAddonTerms } from '../pricing/addon-terms.ts';
import type { AddonRow, Catalog } from '../pricing/catalog.ts';
import { localRate } from '../pricing/regional.ts';
import { exchangeRateAt } from '../pricing/resolve.ts';
import type { FeatureTerms } from '../pricing/terms.ts';
import type { AddonActivationRow, SubscriptionRow } from '../subscription/state/rows.ts';

/**
 * An add-on of the catalog, deleted or not. Throws when the catalog lacks it, which a foreign key rules out.
 */
export function addonById(catalog: Catalog, id: string): AddonRow {
  const addon = catalog.addons.get(id);
  if (addon === undefined) throw new Error(`The add-on ${id} is not in the catalog.`);
  return addon;
}

/** The latest activation of an add-on for a feature, of those given in their order; null without one. */
export const activationFor = (
  catalog: Catalog,
  activations: readonly AddonActivationRow[],
  featureId: string,
): AddonActivationRow | null =>
  activations.findLast(({ addonId }) => addonById(catalog, addonId).featureId === featureId) ?? null;

/**
 * The amounts an activation is held at: from the opening of the billing period or, later, from the activation
 * on, and no longer than until its end (CAT-43, CAT-49).
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
 * A unit price of the add-on, US dollars at rate scale, in the currency of a plan's subscription (CAT-44);
 * null without a rate.
 */
function inLocal(
  catalog: Catalog,
  { planId, currency }: Pick<SubscriptionRow, 'planId' | 'currency'>,
  rate: bigint,
  at: Date,
): bigint | null {
  if (currency === 'usd') return rate;
  const rateE8 = exchangeRateAt(catalog, planId, currency, at);
  return rateE8 === null ? null : localRate(rate, rateE8);
}

const bare: FeatureTerms = {
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: false,
  unitPriceRate: null,
  creditsPerUnit: null,
  pricingMode: 'fixed',
  marginBps: null,
};

/**
 * The terms of a feature by an activation of its add-on, with the unit price in the subscription's currency.
 * An add-on of the model `boolean` gives the feature whole: without a limit, and free of what its plan is
 * paid for by.
 */
export function termsByAddon(
  catalog: Catalog,
  subscription: Pick<SubscriptionRow, 'planId' | 'currency' | 'termsFrom'>,
  activation: AddonActivationRow,
  at: Date,
): { readonly terms: FeatureTerms; readonly isPriceMissing: boolean } {
  const { id, consumptionModel, creditCost } = addonById(catalog, activation.addonId);
  if (consumptionModel === 'boolean') {
    return {
      terms: { ...bare, unlimited: true, unitPriceRate: 0n, creditsPerUnit: 0n },
      isPriceMissing: false,
    };
  }
  if (consumptionModel === 'credits')
    return { terms: { ...bare, creditsPerUnit: creditCost }, isPriceMissing: false };
  const { includedUnits, overageRate } = activationTerms(
    catalog.addonVersions.get(id) ?? [],
    activation,
    subscription.termsFrom,
    at,
  );
  const unitPriceRate = overageRate === null ? null : inLocal(catalog, subscription, overageRate, at);
  const isMetered = consumptionModel === 'metered';
  return {
    terms: { ...bare, includedAmount: includedUnits ?? 0n, overageEnabled: isMetered, unitPriceRate },
    isPriceMissing: overageRate !== null && unitPriceRate === null,
  };
}
