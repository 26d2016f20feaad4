import { type Pool, poolOf } from '../../../domain/pricing/feature-cell.ts';
import { creditsPerUnit, firstUnitPrice, storedRate } from '../../../domain/rates/held.ts';
import type { RateDocument } from '../../../domain/rates/rate.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanFeatureRow } from '../plans/store.ts';

/** Terms of a plan's feature that determine its price, and the pool from which usage is deducted. */
export type PricedTerms = Pick<PlanFeatureRow, 'overageEnabled' | 'rate'> & { readonly pool: Pool | null };

/** Returns the pool from which usage of a plan's feature is deducted. `null` if the units are invoiced. Batched. */
export async function loadPool(
  ctx: Context,
  { planId, featureId }: Pick<PlanFeatureRow, 'planId' | 'featureId'>,
): Promise<Pool | null> {
  const [{ consumptionModel }, { type }] = await Promise.all([
    loadExistingRow(ctx, 'Plan', planId, new Set(['consumptionModel'])),
    loadExistingRow(ctx, 'Feature', featureId, new Set(['type'])),
  ]);
  return poolOf({ type, consumptionModel });
}

type Priced = { readonly rate: RateDocument | null; readonly pool: Pool | null };

/** Returns the price of the first unit in ten-thousandths (10,000 = 1.00). `null` if no price was set or the rate is in credits. */
export const unitPriceOf = ({ rate, pool }: Priced): bigint | null =>
  rate === null || pool === 'credits' ? null : firstUnitPrice(storedRate(rate));

/** Returns the credits for the first unit as a whole number. `null` unless usage is deducted from credits. */
export const creditsPerUnitOf = ({ rate, pool }: Priced): bigint | null =>
  rate === null || pool !== 'credits' ? null : creditsPerUnit(storedRate(rate));
