import { isCustom } from '../../../domain/pricing/pools.ts';
import type { PriceList } from '../../../domain/rates/card.ts';
import { whole } from '../../../domain/rates/exact.ts';
import { type HeldRate, hasCells, heldVersion } from '../../../domain/rates/held.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { type OfferedRate, offeredRates } from '../../catalog/plan-features/load-offered-rates.ts';
import { appliedRate } from '../../catalog/rates/types.ts';
import { loadAddonTerms, loadHeldFeatures } from '../../subscriptions/subscriptions/load-terms.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';

/** Returns the version with the lowest price of the first unit. The last version, if a version has rates by dimension. */
const shownList = (rates: HeldRate): PriceList | null =>
  hasCells(rates) ? (rates.at(-1) ?? null) : heldVersion(rates, whole(1n));

/**
 * Returns the prices of units above the included amounts for a subscription, in its currency or in credits, sorted by feature code. Includes
 * active add-ons. Omits features whose price is derived from the cost. Batched.
 */
export async function loadSubscriptionRates(
  ctx: Context,
  subscription: SubscriptionRow,
): Promise<OfferedRate[]> {
  return (await loadHeldFeatures(ctx, subscription)).flatMap(({ feature, terms }) => {
    const pool = feature.type === 'usage' ? (terms.pool?.pool ?? null) : null;
    const isSold = terms.enabled && !terms.unlimited && (pool !== null || terms.overageEnabled);
    const list = isSold && terms.rates !== null ? shownList(terms.rates) : null;
    return list === null ? [] : offeredRates(feature, list, isCustom(pool) ? null : terms.currency);
  });
}

/** Units and price of an add-on. `rate` is `null` if units have no price. */
export type AddonUnits = { readonly included: bigint; readonly rate: OfferedRate | null };

/**
 * Returns the units that an add-on includes for a subscription, and the price of units above them, in the subscription's currency or in
 * credits. `since` is the time at which the add-on was added; the current time if it can be added. Batched.
 */
export async function loadAddonUnits(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'currency' | 'marketId' | 'planId' | 'termsFrom'>,
  addon: Row<'Addon'>,
  since: Date,
): Promise<AddonUnits> {
  const [{ includedAmount, rates, unlimited }, feature] = await Promise.all([
    loadAddonTerms(ctx, subscription, { addonId: addon.id, createdAt: since, deactivatedAt: null }),
    loadExistingRow(ctx, 'Feature', addon.featureId),
  ]);
  const rate = unlimited ? null : appliedRate(rates, 1n, false);
  const currency = addon.consumptionModel === 'credits' ? null : subscription.currency;
  return {
    included: includedAmount,
    rate: rate && { featureCode: feature.code, featureName: feature.name, rate, currency },
  };
}
