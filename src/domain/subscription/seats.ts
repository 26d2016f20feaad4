import type { Refusal } from '../errors.ts';
import type { Catalog } from '../pricing/catalog.ts';
import { excessOf, heldFeatures, inCurrency } from '../pricing/terms.ts';
import { priceRefusal } from './refusals.ts';
import type { SeatCounts } from './rows.ts';

/** Why seats cannot be charged in a currency: units beyond the included ones are sold, but without a unit price in it (CAT-28); else null. */
export function seatRateRefusal(catalog: Catalog, planId: string, counts: SeatCounts, currency: string, at: Date): Refusal | null {
  if (Object.keys(counts).length === 0) return null;
  const sold = heldFeatures(catalog, planId, at, at).filter(({ feature, terms }) => {
    const excess = excessOf(terms, BigInt(counts[feature.code] ?? 0));
    return feature.type === 'seats' && terms.enabled && terms.overageEnabled && terms.unitPriceRate !== null && excess > 0n;
  });
  const local = inCurrency(catalog, sold, { planId, currency, termsFrom: at, at });
  return local.some(({ terms }) => terms.unitPriceRate === null) ? priceRefusal('missing_regional_price') : null;
}
