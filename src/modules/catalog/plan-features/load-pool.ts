import { type Pool, poolOf } from '../../../domain/pricing/feature-cell.ts';
import { ownRate, type PriceDocument } from '../../../domain/rates/derived.ts';
import { creditsPerUnit, firstUnitPrice, storedRate } from '../../../domain/rates/held.ts';
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

type Priced = { readonly rate: PriceDocument | null; readonly pool: Pool | null };

/**
 * Returns the price of the first unit in ten-thousandths (10,000 = 1.00). `null` if no price was set, if the rate is in credits, or if the rate
 * is derived from the cost.
 */
export function unitPriceOf({ rate, pool }: Priced): bigint | null {
  const own = ownRate(rate);
  return own === null || pool === 'credits' ? null : firstUnitPrice(storedRate(own));
}

/** Returns the credits for the first unit as a whole number. `null` unless usage is deducted from credits. */
export function creditsPerUnitOf({ rate, pool }: Priced): bigint | null {
  const own = ownRate(rate);
  return own === null || pool !== 'credits' ? null : creditsPerUnit(storedRate(own));
}
