import type { Rejection } from '../../errors.ts';
import type { Catalog } from '../../pricing/catalog.ts';
import { excessOf, heldFeatures, inCurrency } from '../../pricing/terms.ts';
import { priceRejection } from '../state/rejections.ts';
import type { SeatCounts } from '../state/rows.ts';

/**
 * Why seats cannot be charged in a currency: units beyond the included ones are sold, but without a unit
 * price in it (CAT-28); else null.
 */
export function seatRateRejection(
  catalog: Catalog,
  planId: string,
  counts: SeatCounts,
  currency: string,
  at: Date,
): Rejection | null {
  if (Object.keys(counts).length === 0) return null;
  const sold = heldFeatures(catalog, planId, at, at).filter(({ feature, terms }) => {
    const excess = excessOf(terms, BigInt(counts[feature.code] ?? 0));
    return (
      feature.type === 'seats' &&
      terms.enabled &&
      terms.overageEnabled &&
      terms.unitPriceRate !== null &&
      excess > 0n
    );
  });
  const local = inCurrency(catalog, sold, { planId, currency, termsFrom: at, at });
  return local.some(({ terms }) => terms.unitPriceRate === null)
    ? priceRejection('missing_regional_price')
    : null;
}
