import { hasUnitPrice, isDeductedFromBalance } from '../../../domain/pricing/feature-cell.ts';
import { ownRate } from '../../../domain/rates/derived.ts';
import { heldUnitPrice, storedRate } from '../../../domain/rates/held.ts';
import type { RateDocument } from '../../../domain/rates/rate.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanRow } from '../plans/store.ts';
import { loadFeatureRates } from '../regional-pricing/load-current.ts';
import { loadOfferedFeatures, type OfferedFeature } from './load-offered.ts';

/** Plan with the currency in which a new customer pays for it. */
export type OfferedIn = { readonly plan: PlanRow; readonly currency: string };

/** Rate of a plan's feature. */
export type OfferedRate = { readonly featureCode: string; readonly rate: RateDocument };

/** Returns true if customers can use units for which the rate of the feature is charged. */
function isCharged({ consumptionModel, isFree }: PlanRow, { row, feature }: OfferedFeature): boolean {
  const cell = { type: feature.type, consumptionModel, isFree };
  const isSold = isDeductedFromBalance(cell) || (row.overageEnabled && !row.unlimited);
  return row.enabled && isSold && hasUnitPrice(cell, row.rate);
}

/** Returns the rates of a plan's features that aren't only a price per unit, in a currency. Batched. */
export async function loadOfferedRates(
  ctx: Context,
  { plan, currency }: OfferedIn,
): Promise<readonly OfferedRate[]> {
  const charged = (await loadOfferedFeatures(ctx, plan.id)).filter((offered) => isCharged(plan, offered));
  const rates = await Promise.all(
    charged.map(async ({ row, feature }) => {
      const { rate = null } =
        currency === 'usd'
          ? { rate: ownRate(row.rate) }
          : ((await loadFeatureRates(ctx, plan.id, feature.id)).find((one) => one.currency === currency) ??
            {});
      return { featureCode: feature.code, rate };
    }),
  );
  return rates.flatMap(({ featureCode, rate }) =>
    rate === null || heldUnitPrice(storedRate(rate)) !== null ? [] : [{ featureCode, rate }],
  );
}
