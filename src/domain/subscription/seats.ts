// The seats an invoice charges in advance: their terms, their unit prices in the invoice's currency, and what is missing of those.
import type { Refusal } from '../errors.ts';
import type { SeatFacts } from '../invoice/line.ts';
import type { Catalog } from '../pricing/catalog.ts';
import { excessOf, heldFeatures, inCurrency } from '../pricing/terms.ts';
import { priceRefusal } from './refusals.ts';
import type { SeatCounts } from './rows.ts';

/** Seats features of a plan with these counts, at the terms and in the currency of a period that opens at an instant. */
export function seatFacts(catalog: Catalog, planId: string, counts: SeatCounts, currency: string, at: Date): SeatFacts[] {
  if (Object.keys(counts).length === 0) return [];
  const held = heldFeatures(catalog, planId, at, at).filter(({ feature }) => feature.type === 'seats');
  return inCurrency(catalog, held, { planId, currency, termsFrom: at, at }).map((one) => ({
    ...one,
    count: BigInt(counts[one.feature.code] ?? 0),
  }));
}

/** Why seats cannot be charged in a currency: units beyond the included ones are sold, but without a unit price in it (CAT-28); else null. */
export function seatRateRefusal(catalog: Catalog, planId: string, counts: SeatCounts, currency: string, at: Date): Refusal | null {
  const sold = seatFacts(catalog, planId, counts, 'usd', at);
  const local = new Map(seatFacts(catalog, planId, counts, currency, at).map(({ feature, terms }) => [feature.id, terms]));
  const isMissing = sold.some(({ feature, terms, count }) => {
    const isCharged = terms.enabled && terms.overageEnabled && terms.unitPriceRate !== null && excessOf(terms, count) > 0n;
    return isCharged && local.get(feature.id)?.unitPriceRate === null;
  });
  return isMissing ? priceRefusal('missing_regional_price') : null;
}
