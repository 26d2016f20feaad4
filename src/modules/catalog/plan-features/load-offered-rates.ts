import { canHaveRate } from '../../../domain/pricing/feature-cell.ts';
import { localRates } from '../../../domain/pricing/local-rates.ts';
import { isCustom } from '../../../domain/pricing/pools.ts';
import { isCard, namedRates, type PriceList } from '../../../domain/rates/card.ts';
import { ownList } from '../../../domain/rates/derived.ts';
import { storedRate } from '../../../domain/rates/held.ts';
import { type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import type { Context } from '../../../request/context.ts';
import type { PlanRow } from '../plans/store.ts';
import { rateUnlessPlain } from '../rates/types.ts';
import { loadExchangeRates } from '../regional-pricing/load-current.ts';
import { cellOf } from './attach.ts';
import { loadOfferedFeatures, type OfferedFeature } from './load-offered.ts';

/** Plan with the currency and market in which a new customer pays for it. */
export type OfferedIn = {
  readonly plan: PlanRow;
  readonly currency: string;
  readonly marketId: string | null;
};

/** Price of a feature's units. */
export type OfferedRate = {
  readonly featureCode: string;
  readonly featureName: string;
  readonly rate: RateDocument;
  /** Lowercase code of the currency of the amounts. `null` if the amounts are credits or another custom unit. */
  readonly currency: string | null;
};

/** Maximum number of cells of a rate card that pages show. */
const mostCells = 50;

/** Returns the rates of a price list, with one entry for each cell. `currency` is `null` if the amounts are credits. */
export const offeredRates = (
  { code, name }: { readonly code: string; readonly name: string },
  list: PriceList,
  currency: string | null,
): readonly OfferedRate[] =>
  namedRates(list)
    .slice(0, mostCells)
    .map(({ cell, rate }) => ({
      featureCode: code,
      featureName: cell === null ? name : `${name} (${cell})`,
      rate: rateDocument(rate),
      currency,
    }));

/** Returns true if customers can use units for which the rate of the feature is charged. */
function isCharged(plan: PlanRow, { row, feature }: OfferedFeature): boolean {
  const cell = cellOf(plan, feature, row.settle);
  const isSold = (cell.pool !== null && !row.unlimited) || (row.overageEnabled && !row.unlimited);
  return row.enabled && isSold && canHaveRate(cell, row.rate);
}

/** Returns the rates of a plan's features that aren't only a price per unit, in a currency or in credits. Batched. */
export async function loadOfferedRates(
  ctx: Context,
  { plan, currency, marketId }: OfferedIn,
): Promise<readonly OfferedRate[]> {
  const charged = (await loadOfferedFeatures(ctx, plan)).filter((offered) => isCharged(plan, offered));
  const exchangeRates =
    currency === 'usd'
      ? []
      : (await loadExchangeRates(ctx, plan.id)).filter((one) => one.currency === currency);
  const now = ctx.clock.now();
  return charged.flatMap(({ row, feature, terms: { pool } }) => {
    const own = ownList(row.rate);
    const rates = isCustom(pool)
      ? own && storedRate(own)
      : localRates(row, { currency, marketId, exchangeRates }, now, now);
    return (rates ?? [])
      .filter((list) => isCard(list) || rateUnlessPlain(rateDocument(list), pool, true) !== null)
      .flatMap((list) => offeredRates(feature, list, isCustom(pool) ? null : currency));
  });
}
