import { QuittanceError } from '../../../domain/errors/errors.ts';
import { latestDecimals } from '../../../domain/meters/meter.ts';
import { perUnitRate } from '../../../domain/rates/held.ts';
import { type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import type { RateInput } from '../../../domain/rates/read-rate.ts';
import { rateRejection } from '../../../domain/rates/rejections.ts';
import type { AddonConsumptionModel } from '../../../domain/rows/enums.ts';
import type { Context } from '../../../request/context.ts';
import { requireSharedFeature } from '../features/store.ts';
import { readFeatureRate } from '../rates/read-feature-rate.ts';
import { poolOf } from './rules.ts';
import { type AddonRow, changeAddon } from './store.ts';

const rejectedRate = (message: string): QuittanceError =>
  new QuittanceError(rateRejection('bad_rate', [{ field: 'rate', message }]));

/** Returns the new rate of an add-on. Without a rate, units are free of charge. */
function newRate(
  model: Exclude<AddonConsumptionModel, 'boolean'>,
  input: RateInput | null,
  decimals: number,
): RateDocument {
  const pool = poolOf(model);
  if (input !== null) return rateDocument(readFeatureRate(input, { pool, decimals }));
  if (pool === 'credits') throw rejectedRate('An add-on with the consumption model credits requires a rate.');
  return rateDocument(perUnitRate(0n));
}

/**
 * Sets the rate of an add-on's feature. If the input is `null`, units become free of charge. In the current period, subscribers pay the cheaper
 * of the rates (CAT-43, PRM-5). Throws `addon_not_found`, and `validation_error` if the consumption model has no rate, the rate is invalid, or
 * the add-on is paid with credits and the input is `null`.
 */
export const setAddonRate = (ctx: Context, reference: string, input: RateInput | null): Promise<AddonRow> =>
  changeAddon(ctx, reference, async ({ consumptionModel, featureId }, tx) => {
    if (consumptionModel === 'boolean')
      throw rejectedRate("An add-on with the consumption model boolean can't have a rate.");
    const feature = await requireSharedFeature(tx, featureId);
    return { rate: newRate(consumptionModel, input, latestDecimals(feature)) };
  });
