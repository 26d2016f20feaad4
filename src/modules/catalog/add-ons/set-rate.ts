import { QuittanceError } from '../../../domain/errors/errors.ts';
import { addonPool } from '../../../domain/pricing/pools.ts';
import { perUnitRate } from '../../../domain/rates/held.ts';
import { rateDocument } from '../../../domain/rates/rate.ts';
import { rateRejection } from '../../../domain/rates/rejections.ts';
import type { AddonConsumptionModel } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requireSharedFeature } from '../features/store.ts';
import { chosenRate, priceOf, type RateChoice } from '../rates/find-rate.ts';
import { ratedFeature } from '../rates/read-feature-rate.ts';
import { type AddonRow, changeAddon } from './store.ts';

const rejectedRate = (message: string): QuittanceError =>
  new QuittanceError(rateRejection('bad_rate', [{ field: 'rate', message }]));

/** Throws `validation_error` if the consumption model of an add-on has no rate. */
function requireRated(model: AddonConsumptionModel): void {
  if (model === 'boolean')
    throw rejectedRate("An add-on with the consumption model boolean can't have a rate.");
}

/**
 * Sets the rate or the saved card of an add-on's feature. In the current period, subscribers pay the cheaper of the rates (CAT-43, PRM-5).
 * Throws `addon_not_found`, `not_found` if the card doesn't exist, `market_not_found`, and `validation_error` unless exactly one of the rate
 * and the card is provided, the consumption model has a rate, and the rate is valid.
 */
export const setAddonRate = (
  ctx: Context,
  { id, ...choice }: RateChoice & { readonly id: string },
): Promise<AddonRow> =>
  inTransaction(ctx, async (tx) => {
    const chosen = await chosenRate(tx, choice);
    return changeAddon(tx, id, async (addon) => {
      requireRated(addon.consumptionModel);
      const feature = await requireSharedFeature(tx, addon.featureId);
      return priceOf(tx, chosen, ratedFeature(feature, addonPool(addon)), addon.overrides);
    });
  });

/**
 * Removes the rate of an add-on's feature, so that units are free of charge. Throws `addon_not_found`, and `validation_error` if the
 * consumption model has no rate or requires one.
 */
export const clearAddonRate = (ctx: Context, id: string): Promise<AddonRow> =>
  changeAddon(ctx, id, async ({ consumptionModel }) => {
    requireRated(consumptionModel);
    if (consumptionModel === 'credits')
      throw rejectedRate('An add-on with the consumption model credits requires a rate.');
    return { rate: rateDocument(perUnitRate(0n)), overrides: [] };
  });
