// Terms of a feature that an add-on provides (CAT-42). The plan determines the consumption model; the add-on
// determines the amounts.

import { type AddonTerms, heldAddonTerms } from '../pricing/addon-terms.ts';
import type { AddonRow, Catalog } from '../pricing/catalog.ts';
import { localRates } from '../pricing/local-rates.ts';
import { addonPool, isCustom } from '../pricing/pools.ts';
import type { FeatureTerms } from '../pricing/terms.ts';
import { perUnitRate } from '../rates/held.ts';
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
  ratesOf?: Parameters<typeof heldAddonTerms>[3],
): AddonTerms {
  const opened = termsFrom === null || termsFrom < createdAt ? createdAt : termsFrom;
  const until = deactivatedAt !== null && deactivatedAt < at ? deactivatedAt : at;
  return heldAddonTerms(versions, until < opened ? until : opened, until, ratesOf);
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
 * market and currency (CAT-44, PRM-110) or in credits. `boolean` add-ons provide the feature without limits or charges.
 */
export function termsByAddon(
  catalog: Catalog,
  {
    planId,
    currency,
    marketId,
    termsFrom,
  }: Pick<SubscriptionRow, 'planId' | 'currency' | 'marketId' | 'termsFrom'>,
  activation: Pick<AddonActivationRow, 'addonId' | 'createdAt' | 'deactivatedAt'>,
  at: Date,
): { readonly terms: FeatureTerms; readonly isPriceMissing: boolean } {
  const addon = addonById(catalog, activation.addonId);
  const pool = addonPool(addon);
  if (addon.consumptionModel === 'boolean') {
    return {
      terms: { ...bare, unlimited: true, rates: [perUnitRate(0n)] },
      isPriceMissing: false,
    };
  }
  const versions = catalog.addonVersions.get(addon.id) ?? [];
  const { includedUnits, rates } = activationTerms(versions, activation, termsFrom, at);
  const isHere = isCustom(pool) || (currency === 'usd' && marketId === null);
  const exchangeRates = (catalog.exchangeRates.get(planId) ?? []).filter((one) => one.currency === currency);
  const place = { currency, marketId, exchangeRates };
  const local = isHere
    ? rates
    : activationTerms(versions, activation, termsFrom, at, (version) => localRates(version, place, at, at))
        .rates;
  return {
    terms: {
      ...bare,
      includedAmount: includedUnits ?? 0n,
      overageEnabled: pool === null,
      rates: local,
    },
    isPriceMissing: rates !== null && local === null,
  };
}
